import FeedAPI
import FeedClientKit
import FeedTerminal

/// Renders a conversation as lines of text: the people, the newest status, and its id.
struct ConversationRenderer {
    private static let indent = "  "
    private static let maximumLines = 2

    /// The width of a line; `Int.max` for whole lines.
    let columns: Int
    let style: TextStyle
    /// The current time in milliseconds since 1970; `nil` for absolute times.
    let now: Int64?
    /// Whether the id of the status is shown, for commands.
    var showsID = true

    private var width: Int { columns == .max ? .max : min(columns, StatusRenderer.maximumWidth) }
    private var textWidth: Int { width == .max ? .max : max(1, width - Self.indent.count) }

    /// The last line is empty.
    func lines(_ conversation: Entity.Conversation) -> [String] {
        let mark = style.encoded(conversation.unread ? "● " : "  ")
        let people = TextWrap.lines(people(conversation), columns: textWidth)
        let title = people.enumerated().map { ($0 == 0 ? mark : Self.indent) + style.bold($1) }
        return title + (conversation.last_status.map(newest) ?? []).map { Self.indent + $0 } + [""]
    }

    private func people(_ conversation: Entity.Conversation) -> String {
        let handles = conversation.accounts.map { "@" + style.line($0.acct) }
        return handles.isEmpty ? "only you" : handles.joined(separator: ", ")
    }

    /// Text behind a content warning stays hidden, as in timelines.
    private func newest(_ status: Entity.Status) -> [String] {
        let isHidden = !status.spoiler_text.isEmpty
        let text =
            isHidden
            ? style.encoded("⚠ ") + style.line(status.spoiler_text)
            : style.line(PlainText.from(html: status.content))
        let all = TextWrap.lines("@" + style.line(status.account.acct) + ": " + text, columns: textWidth)
        let id = showsID ? [style.line(status.id)] : []
        let footer = style.joined([time(status.created_at)] + id, columns: textWidth)
        return all.prefix(Self.maximumLines) + footer.map(style.dim)
    }

    private func time(_ text: String) -> String {
        guard let now, let time = ISO8601.milliseconds(text) else { return style.encoded(LocalTime.full(iso: text)) }
        return RelativeTime.text(time, now: now)
    }
}

extension ConversationRenderer {
    /// A renderer for the current terminal. Times are relative on a terminal, and absolute otherwise.
    static func forScreen() -> ConversationRenderer {
        let screen = TerminalCapabilities.current()
        return ConversationRenderer(
            columns: screen.wrapColumns, style: TextStyle(screen), now: screen.isOutput ? Milliseconds.now : nil)
    }
}
