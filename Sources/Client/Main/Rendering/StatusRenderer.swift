import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Renders a status as lines of text. All text from the server is filtered by ``SafeText``. Ids and handles are never
/// truncated.
struct StatusRenderer {
    /// The width of the cell on the left, with the picture or the initial.
    static let cell = LetterAvatar.columns
    /// The maximum width of text in columns, because wider lines are hard to read.
    static let maximumWidth = 100
    /// Narrower lines are not useful; the terminal wraps them.
    private static let minimumWidth = 8

    /// The width of the terminal; `Int.max` for whole lines.
    let columns: Int
    let style: TextStyle
    /// The current time in milliseconds since 1970; `nil` for local dates and times.
    let now: Int64?
    /// Whether text behind a content warning is shown, and what filters hide.
    var revealsSensitive = false
    /// The key that shows a hidden status in the reader. It is named instead of a command, and ids and the addresses of
    /// files, which commands and browsers need, are left out; `nil` elsewhere.
    var revealingKey: String?
    /// The place in which the statuses are shown. It decides which filters apply.
    var context = FilterContext.other
    /// The username of the viewer, whose own statuses are not filtered; `nil` for a visitor.
    var viewer: String?
    /// The search, whose words are marked in the text.
    var search: SearchQuery?
    /// The number by which the next commands can refer to a status; `nil` for none.
    var number: (Entity.Status) -> Int? = { _ in nil }
    /// The picture for the first two lines of the cell; `nil` for the initial.
    var picture: (Entity.Account) -> String? = { _ in nil }
    /// The lines with the picture of a file, above its description.
    var mediaPicture: (Entity.MediaAttachment) -> [String] = { _ in [] }

    /// The width that is available for pictures, in columns.
    var pictureColumns: Int { width }

    private var width: Int {
        columns == .max ? .max : max(Self.minimumWidth, min(columns, Self.maximumWidth) - Self.cell)
    }

    /// The lines of a status, the last one empty; none if a filter hides it.
    func lines(_ status: Entity.Status) -> [String] { lines(BoostedStatus(status)) }

    /// The lines of a status, with the names of the accounts that boosted it. The last line is empty. There are none if a
    /// filter hides the status.
    func lines(_ item: BoostedStatus) -> [String] {
        switch effect(on: item.status) {
        case .hide: []
        case .warn(let title): folded(item, title)
        case .blur, .none: full(item)
        }
    }

    /// The effect of filters on a status.
    func effect(on status: Entity.Status) -> FilterEffect {
        revealsSensitive ? .none : FilterEffect(on: status, in: context, for: viewer)
    }

    private func folded(_ item: BoostedStatus, _ title: String) -> [String] {
        let reason = "filtered: " + style.line(title)
        return withCell(header(item) + hint(reason, item.status), item.status.account) + [""]
    }

    private func header(_ item: BoostedStatus) -> [String] {
        let account = item.status.account
        return boostLine(item.boosters)
            + StatusHeaderRenderer(width: width, style: style)
            .lines(name: name(account), acct: account.acct, time: timeText(item.status)) + classicLine(account)
    }

    /// City and badge of an account of the classic dialect, which has no handle.
    private func classicLine(_ account: Entity.Account) -> [String] {
        guard account.acct.isEmpty, let fields = account.fields, !fields.isEmpty else { return [] }
        let values = fields.map { style.line(PlainText.from(html: $0.value)) }
        return wrapped(values.joined(separator: style.encoded(" · "))).map(style.dim)
    }

    private func full(_ item: BoostedStatus) -> [String] {
        let status = item.status
        let body = header(item) + replyLine(status) + text(status)
        return withCell(body + media(status) + attached(status) + footer(status), status.account) + [""]
    }

    private func withCell(_ body: [String], _ account: Entity.Account) -> [String] {
        let blank = String(repeating: " ", count: Self.cell)
        let first = picture(account) ?? LetterAvatar.text(for: name(account), hasColor: style.hasColor)
        return body.enumerated().map { index, line in
            index == 0 ? first + line : line.isEmpty ? "" : blank + line
        }
    }

    private func boostLine(_ boosters: [Entity.Account]) -> [String] {
        guard let first = boosters.first else { return [] }
        let others =
            switch boosters.count {
            case 1: ""
            case 2: " and " + name(boosters[1])
            default: " and \(boosters.count - 1) others"
            }
        return wrapped(style.encoded("⟳ ") + name(first) + others + " boosted").map(style.dim)
    }

    private func timeText(_ status: Entity.Status) -> String { timeText(status.created_at) }

    private func timeText(
        _ text: String, _ relative: (Int64, Int64) -> String = { RelativeTime.text($0, now: $1) }
    ) -> String {
        guard let now, let time = ISO8601.milliseconds(text) else { return style.encoded(LocalTime.full(iso: text)) }
        return relative(time, now)
    }

    private func replyLine(_ status: Entity.Status) -> [String] {
        guard status.in_reply_to_id != nil else { return [] }
        let target = status.mentions.first { $0.id == status.in_reply_to_account_id }
        let text = target.map { "in reply to @" + style.line($0.acct) } ?? "a reply"
        return [style.dim(style.encoded("↪ ") + text)]
    }

    private func text(_ status: Entity.Status) -> [String] {
        let isQuoteShown = status.quote.flatMap(QuoteRenderer.shown) != nil
        let plain = style.block(PlainText.from(html: status.content, leavesOutQuote: isQuoteShown))
        // A status with media may have no text.
        let isMissing = plain.isEmpty && (status.media_attachments?.isEmpty == false || status.quote != nil)
        let targets = status.linkTargets
        let content = isMissing ? [] : wrapped(plain).map { marked($0, targets) }
        guard !status.spoiler_text.isEmpty else { return content }
        let warning = wrapped(style.encoded("⚠ ") + style.line(status.spoiler_text)).map(style.bold)
        return warning + (revealsSensitive ? content : hint("hidden", status))
    }

    /// A line of the text in which what was searched for is marked, or else links.
    private func marked(_ line: String, _ targets: [String: String]) -> String {
        guard let search, style.hasColor else { return style.linked(line, targets) }
        var (result, end) = ("", line.startIndex)
        for range in search.matches(in: line) {
            result += line[end..<range.lowerBound] + style.match(String(line[range]))
            end = range.upperBound
        }
        return result + line[end...]
    }

    private func media(_ status: Entity.Status) -> [String] {
        var renderer = AttachmentRenderer(width: width, style: style)
        renderer.showsAddress = revealingKey == nil
        let shown = shownMedia(of: status)
        guard shown.isEmpty else { return shown.flatMap { mediaPicture($0) + renderer.lines($0) } }
        let hidden = (status.media_attachments ?? []).map(renderer.hiddenLine)
        // The line under the content warning already says how to see the rest.
        let reason = effect(on: status) == .blur ? "filtered" : "sensitive"
        return hidden.isEmpty || !status.spoiler_text.isEmpty ? hidden : hidden + hint(reason, status)
    }

    /// The media shown with more than their kind: all of them, unless the author marked them as sensitive, or a filter of
    /// the viewer hides them.
    func shownMedia(of status: Entity.Status) -> [Entity.MediaAttachment] {
        let isOpen = status.spoiler_text.isEmpty && status.sensitive != true && effect(on: status) == .none
        guard revealsSensitive || isOpen else { return [] }
        return status.media_attachments ?? []
    }

    /// Tells how to show the hidden status. The command and the id stay on one line.
    private func hint(_ reason: String, _ status: Entity.Status) -> [String] {
        if let revealingKey { return wrapped("(\(reason); \(revealingKey))").map(style.dim) }
        let reference = number(status).map { "\($0)" } ?? style.line(ShellWord.quoted(status.id))
        let command = "feedclient show " + reference
        let line = "(\(reason); \(command))"
        return (TextWidth.columns(of: line) <= width ? [line] : wrapped("(\(reason))") + [command]).map(style.dim)
    }

    /// The poll, the quoted status and the linked page. A content warning hides them, too.
    private func attached(_ status: Entity.Status) -> [String] {
        guard revealsSensitive || status.spoiler_text.isEmpty else { return [] }
        let poll = status.poll.map { PollRenderer(width: width, style: style, now: now).lines($0) }
        let quote = status.quote.map {
            QuoteRenderer(width: width, style: style, context: context, viewer: viewer).lines($0)
        }
        let card = status.card.map {
            CardRenderer(width: width, style: style).lines($0, text: PlainText.from(html: status.content))
        }
        return (poll ?? []) + (quote ?? []) + (card ?? [])
    }

    /// The number, counts, visibility, application and id, on as many lines as necessary.
    private func footer(_ status: Entity.Status) -> [String] {
        let counts = [("↩", status.replies_count), ("⟳", status.reblogs_count), ("★", status.favourites_count)]
        var parts = counts.compactMap { mark, count in
            count.flatMap { $0 > 0 ? style.encoded("\(mark) ") + "\($0)" : nil }
        }
        if let edited = status.edited_at { parts.append("edited " + timeText(edited, RelativeTime.phrase)) }
        if status.visibility != "public" { parts.append(style.line(status.visibility)) }
        if let source = status.application?.name, !source.isEmpty { parts.append(style.line(source)) }
        if revealingKey == nil { parts.append(style.line(status.id)) }
        guard let number = number(status).map({ "\($0)" }) else {
            return style.joined(parts, columns: width).map(style.dim)
        }
        let lines = style.joined([number] + parts, columns: width)
        let first = String((lines.first ?? "").dropFirst(number.count))
        return [style.bold(number) + style.dim(first)] + lines.dropFirst().map(style.dim)
    }

    private func wrapped(_ text: String) -> [String] { TextWrap.lines(text, columns: width) }

    private func name(_ account: Entity.Account) -> String { style.line(account.displayNameOrUsername) }
}

extension Entity.Status {
    /// The addresses of its mentions and hashtags, by their texts in lowercase.
    var linkTargets: [String: String] {
        let mentions = mentions.flatMap { mention in
            [mention.acct, mention.username].map { ("@" + $0.lowercased(), mention.url) }
        }
        let tags = tags.map { ("#" + $0.name.lowercased(), $0.url) }
        let known = (mentions + tags).compactMap { name, url in url.map { (name, $0) } }
        let addresses = PlainText.bareAddresses(html: content).map { ($0.key, $0.value) }
        return Dictionary(known + addresses, uniquingKeysWith: { first, _ in first })
    }
}

extension StatusRenderer {
    /// A renderer for the current terminal. On a terminal, times are relative and text is wrapped; otherwise, times are
    /// absolute and lines are whole.
    static func forScreen(
        _ screen: TerminalCapabilities = .current(), context: FilterContext = .other, viewer: String? = nil
    ) -> StatusRenderer {
        let now = Milliseconds.now
        return StatusRenderer(
            columns: screen.wrapColumns, style: TextStyle(screen), now: screen.isOutput ? now : nil, context: context,
            viewer: viewer)
    }
}

/// Renders the first lines of a status: name, handle and time.
struct StatusHeaderRenderer {
    /// The width of a line in columns; `Int.max` for a single line of any length.
    let width: Int
    let style: TextStyle

    /// The name and handle on the left, and the time on the right. A handle for which there is no room gets a line of its
    /// own, because it must remain complete.
    /// - Parameter name: The display name, filtered.
    func lines(name: String, acct: String, time: String) -> [String] {
        let handle = acct.isEmpty ? "" : "@" + style.line(acct)
        guard width != .max else {
            let parts = [style.bold(name), style.dim(handle), style.dim(time)]
            return [parts.filter { !$0.isEmpty }.joined(separator: "  ")]
        }
        let used = TextWidth.columns(of: name) + (handle.isEmpty ? 0 : 1 + TextWidth.columns(of: handle))
        guard used + 1 + TextWidth.columns(of: time) > width else {
            let left = style.bold(name) + (handle.isEmpty ? "" : " " + style.dim(handle))
            return [line(left, used, time)]
        }
        let short = truncated(name, to: max(1, width - 1 - TextWidth.columns(of: time)))
        let first = line(style.bold(short), TextWidth.columns(of: short), time)
        return [first] + (handle.isEmpty ? [] : [style.dim(handle)])
    }

    private func line(_ left: String, _ used: Int, _ time: String) -> String {
        let gap = String(repeating: " ", count: max(1, width - used - TextWidth.columns(of: time)))
        return left + gap + style.dim(time)
    }

    private func truncated(_ text: String, to columns: Int) -> String {
        style.isASCII ? TextWidth.truncated(text, to: columns, mark: "~") : TextWidth.truncated(text, to: columns)
    }
}
