import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Renders a status as lines of text. Pure; all text from the server is filtered by ``SafeText``.
struct StatusRenderer {
    /// The width of the cell on the left, with the picture or the initial.
    static let cell = InitialBadge.columns
    /// The maximum width of text in columns, because wider lines are hard to read.
    private static let maximumWidth = 100

    let columns: Int
    let style: TextStyle
    /// The current time in milliseconds since 1970; `nil` for absolute times.
    let now: Int64?
    /// Whether text behind a content warning is shown.
    var revealsSensitive = false
    /// The picture for the first two lines of the cell; `nil` for the initial.
    var picture: (Entity.Account) -> String? = { _ in nil }

    private var width: Int { min(columns, Self.maximumWidth) - Self.cell }

    /// The lines of a status, the last one empty.
    func lines(_ status: Entity.Status) -> [String] {
        let shown = status.reblog?.value ?? status
        var body = boostLine(status) + [header(shown)]
        body += replyLine(shown) + text(shown) + media(shown) + poll(shown)
        body.append(footer(shown))
        return withCell(body, shown.account) + [""]
    }

    private func withCell(_ body: [String], _ account: Entity.Account) -> [String] {
        let blank = String(repeating: " ", count: Self.cell)
        let first = picture(account) ?? InitialBadge.text(for: name(account), hasColor: style.hasColor)
        return body.enumerated().map { index, line in
            index == 0 ? first + line : line.isEmpty ? "" : blank + line
        }
    }

    private func boostLine(_ status: Entity.Status) -> [String] {
        status.reblog == nil ? [] : [style.dim(DisplayWidth.truncated("⟳ \(name(status.account)) boosted", to: width))]
    }

    /// The name and handle on the left, and the time on the right.
    private func header(_ status: Entity.Status) -> String {
        let time = timeText(status)
        let room = width - DisplayWidth.of(time) - 1
        let name = DisplayWidth.truncated(name(status.account), to: room)
        let handle = DisplayWidth.truncated(
            "@" + SafeText.line(status.account.acct), to: max(0, room - DisplayWidth.of(name) - 1))
        let showsHandle = DisplayWidth.of(handle) > 2
        let used = DisplayWidth.of(name) + (showsHandle ? 1 + DisplayWidth.of(handle) : 0)
        let gap = String(repeating: " ", count: max(1, width - used - DisplayWidth.of(time)))
        return style.bold(name) + (showsHandle ? " " + style.dim(handle) : "") + gap + style.dim(time)
    }

    private func timeText(_ status: Entity.Status) -> String {
        guard let now, let time = ISO8601.milliseconds(status.created_at) else {
            return SafeText.line(status.created_at)
        }
        return RelativeTime.text(time, now: now)
    }

    private func replyLine(_ status: Entity.Status) -> [String] {
        guard status.in_reply_to_id != nil else { return [] }
        let target = status.mentions.first { $0.id == status.in_reply_to_account_id }
        let text = target.map { "↪ in reply to @" + SafeText.line($0.acct) } ?? "↪ a reply"
        return [style.dim(DisplayWidth.truncated(text, to: width))]
    }

    private func text(_ status: Entity.Status) -> [String] {
        let plain = SafeText.block(PlainText.from(html: status.content))
        // A status with media may have no text.
        let isMissing = plain.isEmpty && status.media_attachments?.isEmpty == false
        let content = isMissing ? [] : TextWrap.lines(plain, columns: width)
        guard !status.spoiler_text.isEmpty else { return content }
        let warning = TextWrap.lines("⚠ " + SafeText.line(status.spoiler_text), columns: width).map(style.bold)
        return warning
            + (revealsSensitive ? content : [style.dim("(hidden; feedclient show \(SafeText.line(status.id)))")])
    }

    private func media(_ status: Entity.Status) -> [String] {
        let media = status.media_attachments ?? []
        let renderer = MediaRenderer(width: width, style: style)
        guard !media.isEmpty, !revealsSensitive else { return media.flatMap(renderer.lines) }
        let hidden = media.map(renderer.hiddenLine)
        // The line under the content warning already says how to see the rest.
        if !status.spoiler_text.isEmpty { return hidden }
        guard status.sensitive == true else { return media.flatMap(renderer.lines) }
        return hidden + [style.dim("(sensitive; feedclient show \(SafeText.line(status.id)))")]
    }

    /// A content warning hides the poll, too.
    private func poll(_ status: Entity.Status) -> [String] {
        guard let poll = status.poll, revealsSensitive || status.spoiler_text.isEmpty else { return [] }
        return PollRenderer(width: width, style: style, now: now).lines(poll)
    }

    /// The counts, visibility, application and id.
    private func footer(_ status: Entity.Status) -> String {
        let counts = [("↩", status.replies_count), ("⟳", status.reblogs_count), ("★", status.favourites_count)]
        var parts = counts.compactMap { mark, count in count.flatMap { $0 > 0 ? "\(mark) \($0)" : nil } }
        if status.visibility != "public" { parts.append(SafeText.line(status.visibility)) }
        if let source = status.application?.name { parts.append(SafeText.line(source)) }
        parts.append(SafeText.line(status.id))
        return style.dim(DisplayWidth.truncated(parts.joined(separator: " · "), to: width))
    }

    private func name(_ account: Entity.Account) -> String {
        SafeText.line(account.display_name.isEmpty ? account.username : account.display_name)
    }
}

extension StatusRenderer {
    /// A renderer for the current terminal. Times are relative on a terminal, and absolute otherwise.
    static func forScreen() -> StatusRenderer {
        let screen = TerminalCapabilities.current()
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        return StatusRenderer(
            columns: screen.columns, style: TextStyle(hasColor: screen.hasColor), now: screen.isOutput ? now : nil)
    }
}
