import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Describes a poll in lines of text. All text from the server is filtered by ``SafeText``.
struct PollRenderer {
    /// The maximum width of a bar in columns.
    private static let maximumBar = 30

    /// The width of a line in columns.
    let width: Int
    let style: TextStyle
    /// The current time in milliseconds since 1970; `nil` for absolute times.
    let now: Int64?

    /// The options with their numbers, from 1, and results, and the state of the poll.
    func lines(_ poll: Entity.Poll) -> [String] {
        let voters = poll.voters_count ?? poll.votes_count ?? 0
        let own = Set(poll.own_votes ?? [])
        return poll.options.enumerated().flatMap { index, option in
            title(option, number: index + 1, isOwn: own.contains(index)) + result(option, of: voters)
        } + [style.dim(style.encoded(TextWidth.truncated(state(poll), to: width)))]
    }

    private func title(_ option: Entity.Poll.Option, number: Int, isOwn: Bool) -> [String] {
        let lead = "[\(number)] "
        let text = style.line(option.title) + (isOwn ? style.encoded(" ✓") : "")
        guard lead.count <= width / 2 else { return TextWrap.lines(lead + text, columns: width) }
        let blank = String(repeating: " ", count: lead.count)
        return TextWrap.lines(text, columns: width == .max ? .max : width - lead.count).enumerated().map {
            index, line in
            (index == 0 ? lead : blank) + line
        }
    }

    /// A bar, if the server shows the votes.
    private func result(_ option: Entity.Poll.Option, of voters: Int) -> [String] {
        guard let votes = option.votes_count else { return [] }
        let share = votes > 0 && voters > 0 ? min(1, Double(votes) / Double(voters)) : 0
        let numbers = " \(Int((share * 100).rounded()))% (\(votes))"
        let room = max(0, min(Self.maximumBar, width - 4 - numbers.count))
        let filled = Int((share * Double(room)).rounded())
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
        return [TextWidth.truncated("    " + style.encoded(bar) + numbers, to: width)]
    }

    private func state(_ poll: Entity.Poll) -> String {
        let votes = poll.votes_count ?? 0
        var parts = [Plural.text(votes, "vote")]
        if poll.multiple == true { parts.append("several choices") }
        if poll.expired == true {
            parts.append("closed")
        } else {
            parts.append(poll.expires_at.map { "open, ends " + end($0) } ?? "open")
        }
        return style.encoded(parts.joined(separator: " · "))
    }

    private func end(_ text: String) -> String {
        guard let now, let time = ISO8601.milliseconds(text), time > now else {
            return style.encoded(LocalTime.full(iso: text))
        }
        return RelativeTime.text(until: time, now: now)
    }
}

extension PollRenderer {
    /// A renderer for the current terminal. Times are relative on a terminal, and absolute otherwise.
    static func forScreen() -> PollRenderer {
        let screen = TerminalCapabilities.current()
        let now = Milliseconds.now
        return PollRenderer(
            width: screen.wrapColumns, style: TextStyle(screen), now: screen.isOutput ? now : nil)
    }
}
