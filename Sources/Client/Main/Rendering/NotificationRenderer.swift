import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Renders a notification as lines of text. All text from the server is filtered by ``SafeText``.
struct NotificationRenderer {
    private static let maximumWidth = 100
    private static let indent = "  "

    /// The width of a line; `Int.max` for whole lines.
    let columns: Int
    let style: TextStyle
    /// The current time in milliseconds since 1970; `nil` for absolute times.
    let now: Int64?
    /// The username of the viewer, whose own statuses are not filtered; `nil` for a visitor.
    var viewer: String?
    /// The number by which the next commands can refer to a status; `nil` for none.
    var number: (Entity.Status) -> Int? = { _ in nil }
    /// Whether the id of the status is shown, for commands.
    var showsID = true

    private var width: Int { columns == .max ? .max : min(columns, Self.maximumWidth) }

    /// The event, the status that it is about, and an empty line; no lines if a filter hides that status.
    func lines(_ entry: NotificationEntry) -> [String] {
        let isHidden = entry.status.map { FilterEffect(on: $0, in: .notifications, for: viewer) == .hide } ?? false
        return isHidden ? [] : title(entry) + detail(entry) + [""]
    }

    /// The event without its time, and without the account if that is the only one and is named elsewhere.
    func summary(_ entry: NotificationEntry) -> String {
        let (mark, action) = words(entry.type)
        return entry.count > 1 ? "\(mark) \(people(entry)) \(action)" : "\(mark) \(action)"
    }

    /// The time is on the right. A line that is too long is wrapped, because handles must remain complete.
    private func title(_ entry: NotificationEntry) -> [String] {
        let (mark, action) = words(entry.type)
        let time = timeText(entry.createdAt)
        let text = "\(mark) \(people(entry)) \(action)"
        guard width != .max else { return [style.bold(text) + (time.isEmpty ? "" : "  " + style.dim(time))] }
        let used = time.isEmpty ? 0 : TextWidth.columns(of: time) + 1
        let lines = WordWrap.lines(text, columns: max(1, width - used))
        guard let first = lines.first, !time.isEmpty else { return lines.map(style.bold) }
        let gap = String(
            repeating: " ", count: max(1, width - TextWidth.columns(of: first) - TextWidth.columns(of: time)))
        return [style.bold(first) + gap + style.dim(time)] + lines.dropFirst().map { Self.indent + style.bold($0) }
    }

    /// `Ada (@ada)`, `Ada (@ada) and Bob (@bob)`, or `Ada (@ada) and 7 others`.
    private func people(_ entry: NotificationEntry) -> String {
        let names = entry.accounts.map { account in
            let handle = "@" + style.line(account.acct)
            let name = style.line(account.display_name)
            return name.isEmpty ? handle : "\(name) (\(handle))"
        }
        guard let first = names.first else { return entry.count > 1 ? "\(entry.count) accounts" : "somebody" }
        switch entry.count {
        case ...1: return first
        case 2 where names.count == 2: return first + " and " + names[1]
        case 2: return first + " and another"
        default: return first + " and \(entry.count - 1) others"
        }
    }

    private func detail(_ entry: NotificationEntry) -> [String] {
        if let report = entry.report {
            let target = report.target_account.map { "@" + style.line($0.acct) } ?? "an account"
            return reported(target, comment: style.line(report.comment ?? ""))
        }
        guard let status = entry.status else { return [] }
        return indented(
            text(of: status), maximumLines: Self.isAddressed(entry.type) ? 6 : 1, linking: status.linkTargets)
            + (showsID ? [Self.indent + id(of: status)] : [])
    }

    private func id(of status: Entity.Status) -> String {
        let number = number(status).map { style.bold("\($0)") + style.dim(style.encoded(" · ")) } ?? ""
        return number + style.dim(style.line(status.id))
    }

    /// The handle has a line of its own unless everything fits on one, because it must remain complete.
    private func reported(_ target: String, comment: String) -> [String] {
        guard !comment.isEmpty else { return [Self.indent + target] }
        let line = target + ": " + comment
        guard TextWidth.columns(of: line) > textWidth else { return [Self.indent + line] }
        return [Self.indent + target + ":"] + indented(comment, maximumLines: 2)
    }

    /// Text behind a content warning and filtered text stay hidden, as in timelines.
    private func text(of status: Entity.Status) -> String {
        if case .warn(let title) = FilterEffect(on: status, in: .notifications, for: viewer) {
            return "(filtered: \(style.line(title)))"
        }
        guard status.spoiler_text.isEmpty else { return style.encoded("⚠ ") + style.line(status.spoiler_text) }
        let text = style.block(PlainText.from(html: status.content))
        let media = status.media_attachments?.count ?? 0
        return text.isEmpty && media > 0 ? "(\(Plural.text(media, "file")))" : text
    }

    /// - Parameter targets: Where mentions and hashtags lead. The last line may be shortened, so it has no links.
    private func indented(
        _ text: String, maximumLines: Int, linking targets: [String: String] = [:]
    ) -> [String] {
        let all = TextWrap.lines(text, columns: textWidth).filter { !$0.isEmpty }
        var lines = Array(all.prefix(maximumLines))
        let last = all.count > lines.count ? lines.popLast().map { [shortened($0)] } : nil
        return (lines.map { style.linked($0, targets) } + (last ?? [])).map { Self.indent + $0 }
    }

    private var textWidth: Int { width == .max ? .max : max(1, width - Self.indent.count) }

    /// The last line of a text that continues.
    private func shortened(_ line: String) -> String {
        let mark = style.encoded("…")
        guard TextWidth.columns(of: line) + 1 + TextWidth.columns(of: mark) > textWidth else {
            return line + " " + mark
        }
        return TextWidth.truncated(line, to: max(1, textWidth - TextWidth.columns(of: mark)), mark: "") + " "
            + mark
    }

    private func timeText(_ time: String?) -> String {
        guard let time else { return "" }
        guard let now, let milliseconds = ISO8601.milliseconds(time) else {
            return style.encoded(LocalTime.full(iso: time))
        }
        return RelativeTime.text(milliseconds, now: now)
    }

    /// Whether the status was written to or for the reader, who therefore wants to read it.
    private static func isAddressed(_ type: String) -> Bool { ["mention", "status", "poll", "update"].contains(type) }

    private func words(_ type: String) -> (mark: String, action: String) {
        let (mark, action) = Self.words(type)
        return (style.encoded(mark), action ?? "(\(style.line(type)))")
    }

    /// - Returns: No action for an unknown type.
    private static func words(_ type: String) -> (mark: String, action: String?) {
        switch type {
        case "mention": ("↪", "mentioned you")
        case "favourite": ("★", "favourited your status")
        case "reblog": ("⟳", "boosted your status")
        case "follow": ("+", "followed you")
        case "follow_request": ("?", "asked to follow you")
        case "status": ("✎", "posted")
        case "update": ("✎", "edited a status that you boosted")
        case "poll": ("▤", "ran a poll that has ended")
        case "admin.sign_up": ("+", "signed up")
        case "admin.report": ("⚑", "reported an account")
        default: ("·", nil)
        }
    }
}

extension NotificationRenderer {
    /// A renderer for the current terminal. Times are relative on a terminal, and absolute otherwise.
    static func forScreen(viewer: String?) -> NotificationRenderer {
        let screen = TerminalCapabilities.current()
        let now = Milliseconds.now
        return NotificationRenderer(
            columns: screen.wrapColumns, style: TextStyle(screen), now: screen.isOutput ? now : nil, viewer: viewer)
    }
}
