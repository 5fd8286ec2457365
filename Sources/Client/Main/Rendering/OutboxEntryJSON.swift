import FeedAPI
import FeedClientKit

/// A post in the outbox, as `--json` prints it. The members of the status are named as in the Mastodon API.
struct OutboxEntryJSON: Encodable {
    let id: String
    let server: String
    let username: String
    let state: String
    /// Why the server has refused the post.
    let error: String?
    let created_at: String
    let text: String
    let spoiler_text: String?
    let visibility: String?
    let in_reply_to_id: String?
    let scheduled_at: String?
    /// The paths of the files.
    let media: [String]
    let poll_options: [String]?

    init(_ entry: OutboxEntry) {
        let draft = entry.post.draft
        (id, server, username) = (entry.id, entry.account.server, entry.account.username)
        state = entry.state.name
        if case .refused(let message) = entry.state { error = message } else { error = nil }
        created_at = ISO8601.text(milliseconds: entry.createdAt)
        (text, spoiler_text, visibility) = (draft.text, draft.spoilerText, draft.visibility)
        in_reply_to_id = draft.inReplyToID
        scheduled_at = entry.post.scheduledAt.map { ISO8601.text(milliseconds: $0) }
        media = entry.post.files.map(\.path)
        poll_options = draft.poll?.options
    }
}
