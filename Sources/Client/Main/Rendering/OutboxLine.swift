import FeedClientKit
import FeedTerminal
import Foundation

/// Renders a post in the outbox as one line: id, age, state, login, what is unusual about it, and its beginning.
enum OutboxLine {
    private static let maximumWidth = 60

    static func print(_ entry: OutboxEntry) {
        let line = text(entry, now: Milliseconds.now)
        for line in ScreenOutput().encoded([line]) { Swift.print(line) }
    }

    /// - Parameter now: Milliseconds since 1970.
    static func text(_ entry: OutboxEntry, now: Int64) -> String {
        let notes = notes(entry.post)
        let content =
            (notes.isEmpty ? "" : "[\(notes.joined(separator: ", "))] ") + SafeText.line(entry.post.draft.text)
        let host = entry.account.server.components(separatedBy: "://").last ?? entry.account.server
        var line = [
            entry.id, RelativeTime.text(entry.createdAt, now: now), entry.state.name,
            SafeText.line("@\(entry.account.username)@\(host)"), DisplayWidth.truncated(content, to: maximumWidth),
        ].joined(separator: "  ")
        if case .refused(let message) = entry.state { line += "\n        " + SafeText.line(message) }
        return line
    }

    private static func notes(_ post: OutboxPost) -> [String] {
        var notes: [String] = []
        if let visibility = post.draft.visibility, visibility != "public" { notes.append(SafeText.line(visibility)) }
        if let warning = post.draft.spoilerText, !warning.isEmpty { notes.append("⚠ " + SafeText.line(warning)) }
        if !post.files.isEmpty { notes.append("▣ \(post.files.count)") }
        if post.draft.poll != nil { notes.append("poll") }
        if post.scheduledAt != nil { notes.append("scheduled") }
        return notes
    }
}
