import FeedAPI
import Foundation

/// Recognizes a status that was made from a post. Only an exact match counts: a post that is not found
/// stays in the outbox, but one that is found by mistake would be lost. Pure.
struct PostedStatusMatch {
    /// Servers may store times in seconds.
    private static let second: Int64 = 1000

    private let post: OutboxPost
    private let since: Int64

    /// - Parameter since: The time of the first attempt by the clock of the server, in milliseconds since 1970.
    init(_ post: OutboxPost, since: Int64) {
        self.post = post
        self.since = since
    }

    /// Whether a status was created after the first attempt.
    func isRecent(_ status: Entity.Status) -> Bool {
        ISO8601.milliseconds(status.created_at).map { $0.addingSaturating(Self.second) > since } ?? false
    }

    func matches(_ status: Entity.Status) -> Bool {
        let draft = post.draft
        guard isRecent(status), status.reblog == nil, status.in_reply_to_id == draft.inReplyToID else { return false }
        let options = status.poll?.options.map(\.title) ?? []
        guard options == draft.poll?.options ?? [], hasAttachments(status.media_attachments) else { return false }
        guard hasVisibility(status.visibility), status.spoiler_text == draft.spoilerText ?? "" else { return false }
        return Self.words(PlainText.from(html: status.content)) == Self.words(draft.text)
    }

    func matches(_ scheduled: ScheduledEntry) -> Bool {
        let (status, draft) = (scheduled.status, post.draft)
        guard let time = post.scheduledAt, let other = ISO8601.milliseconds(status.scheduled_at) else { return false }
        guard (-Self.second...Self.second).contains(other.subtractingSaturating(time)) else { return false }
        let parameters = status.params
        guard parameters.visibility.map(hasVisibility) ?? true, hasAttachments(status.media_attachments) else {
            return false
        }
        guard parameters.spoiler_text ?? "" == draft.spoilerText ?? "" else { return false }
        return Self.words(parameters.text ?? "") == Self.words(draft.text)
    }

    private func hasVisibility(_ visibility: String) -> Bool { visibility == post.draft.visibility ?? visibility }

    /// Whether media may be the files of the post. Without any words, a post is never recognized: another one could be
    /// taken for it, and it would be lost.
    private func hasAttachments(_ media: [Entity.MediaAttachment]?) -> Bool {
        let media = media ?? []
        guard media.count == post.draft.mediaIDs.count + post.files.count else { return false }
        guard !post.files.isEmpty else { return true }
        let descriptions = post.files.map { $0.description ?? "" }
        let hasWords = !Self.words(post.draft.text).isEmpty || descriptions.contains { !$0.isEmpty }
        return hasWords && media.suffix(descriptions.count).map { $0.description ?? "" } == descriptions
    }

    /// The words of a text. Servers show mentions without the host, and change white space.
    private static func words(_ text: String) -> [Substring] {
        text.split(whereSeparator: \.isWhitespace).map { word in
            guard word.hasPrefix("@"), let host = word.dropFirst().firstIndex(of: "@") else { return word }
            return word[..<host]
        }
    }
}
