import FeedAPI
import FeedClientKit

/// A post in the outbox or a draft, as `--json` prints it. The members of the status are named as in the Mastodon API.
struct StoredPostJSON: Encodable {
    let id: String
    let server: String
    let username: String
    /// The state of a post in the outbox.
    let state: String?
    /// Why the server has refused the post.
    let error: String?
    let created_at: String
    let text: String
    let spoiler_text: String?
    let visibility: String?
    let in_reply_to_id: String?
    /// The status whose new text a draft is.
    let edited_id: String?
    let scheduled_at: String?
    /// The paths of the files.
    let media: [String]
    let poll_options: [String]?

    init(_ entry: OutboxEntry) {
        let error: String? = if case .refused(let message) = entry.state { message } else { nil }
        self.init(entry.post, entry.account, id: entry.id, entry.createdAt, state: entry.state.name, error: error)
    }

    init(_ draft: KeptDraft) {
        self.init(
            draft.post, draft.account, id: draft.id, draft.createdAt, error: draft.reason, editedID: draft.editedID)
    }

    private init(
        _ post: OutboxPost, _ account: OutboxAccount, id: String, _ createdAt: Int64, state: String? = nil,
        error: String?, editedID: String? = nil
    ) {
        (self.id, self.state, self.error, edited_id) = (id, state, error, editedID)
        (server, username) = (account.server, account.username)
        created_at = ISO8601.text(milliseconds: createdAt)
        (text, spoiler_text, visibility) = (post.draft.text, post.draft.spoilerText, post.draft.visibility)
        in_reply_to_id = post.draft.inReplyToID
        scheduled_at = post.scheduledAt.map { ISO8601.text(milliseconds: $0) }
        media = post.files.map(\.path)
        poll_options = post.draft.poll?.options
    }
}
