import FeedClientKit
import FeedTerminal
import Foundation

/// Renders a post in the outbox or a draft as one line: id, time, state or purpose, login, what is unusual about it, and
/// its beginning; the reason for which it was refused follows on the next line.
enum StoredPostLine {
    private static let maximumWidth = 60

    static func print(_ text: String) {
        for line in ScreenOutput().encoded([text]) { Swift.print(line) }
    }

    /// - Parameter now: Milliseconds since 1970.
    static func text(_ entry: OutboxEntry, now: Int64) -> String {
        let reason: String? = if case .refused(let message) = entry.state { message } else { nil }
        return text(
            [entry.id, RelativeTime.text(entry.createdAt, now: now), entry.state.name], entry.account, entry.post,
            reason)
    }

    /// - Parameter now: Milliseconds since 1970.
    static func text(_ draft: KeptDraft, now: Int64) -> String {
        let purpose =
            draft.editedID.map { "edit of " + $0 } ?? draft.post.draft.inReplyToID.map { "reply to " + $0 } ?? "post"
        return text(
            [draft.id, RelativeTime.text(draft.createdAt, now: now), SafeText.line(purpose)], draft.account, draft.post,
            draft.reason)
    }

    private static func text(
        _ words: [String], _ account: OutboxAccount, _ post: OutboxPost, _ reason: String?
    ) -> String {
        let notes = notes(post)
        let content = (notes.isEmpty ? "" : "[\(notes.joined(separator: ", "))] ") + SafeText.line(post.draft.text)
        let login = SafeText.line("@\(account.username)@\(account.host)")
        let line = (words + [login, DisplayWidth.truncated(content, to: maximumWidth)]).joined(separator: "  ")
        return line + (reason.map { "\n        " + SafeText.line($0) } ?? "")
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

extension OutboxAccount {
    /// The server without its scheme.
    var host: String { server.components(separatedBy: "://").last ?? server }
}
