import AsyncHTTPClient
import FeedAPI
import Foundation
import NIOHTTP1

/// Recognizes a status that was made from a post. Media files are recognized by the ids that the server has given them,
/// because it gives each id only once. Without media, everything is compared, and only an exact match counts: a post
/// that is not found stays in the outbox, but one that is found by mistake would be lost.
struct OutboxMatch {
    /// Servers may store times in seconds.
    private static let second: Int64 = 1000

    private let post: OutboxPost
    /// The ids of all media of the post; `nil` if not all of them are known.
    private let mediaIDs: Set<String>?
    private let since: Int64

    /// - Parameters:
    ///   - mediaIDs: The ids of the uploaded files of the post.
    ///   - since: The time of the first attempt by the clock of the server, in milliseconds since 1970.
    init(_ post: OutboxPost, mediaIDs: [String], since: Int64) {
        self.post = post
        self.mediaIDs = mediaIDs.count == post.files.count ? Set(post.draft.mediaIDs + mediaIDs) : nil
        self.since = since
    }

    /// Whether a status was created after the first attempt.
    func isRecent(_ status: Entity.Status) -> Bool {
        ISO8601.milliseconds(status.created_at).map { $0.addingSaturating(Self.second) > since } ?? false
    }

    func matches(_ status: Entity.Status) -> Bool {
        let draft = post.draft
        if let hasAttachments = hasAttachments(status.media_attachments) {
            return hasAttachments && status.reblog == nil
        }
        guard isRecent(status), status.reblog == nil, status.in_reply_to_id == draft.inReplyToID else { return false }
        guard status.poll?.options.map(\.title) ?? [] == draft.poll?.options ?? [] else { return false }
        guard hasVisibility(status.visibility), status.spoiler_text == draft.spoilerText ?? "" else { return false }
        return Self.words(PlainText.from(html: status.content)) == Self.words(draft.text)
    }

    func matches(_ scheduled: ScheduledEntry) -> Bool {
        let (status, draft) = (scheduled.status, post.draft)
        if let hasAttachments = hasAttachments(status.media_attachments) { return hasAttachments }
        guard let time = post.scheduledAt, let other = ISO8601.milliseconds(status.scheduled_at) else { return false }
        guard (-Self.second...Self.second).contains(other.subtractingSaturating(time)) else { return false }
        let parameters = status.params
        guard parameters.visibility.map(hasVisibility) ?? true else { return false }
        guard parameters.spoiler_text ?? "" == draft.spoilerText ?? "" else { return false }
        return Self.words(parameters.text ?? "") == Self.words(draft.text)
    }

    private func hasVisibility(_ visibility: String) -> Bool { visibility == post.draft.visibility ?? visibility }

    /// Whether these media are those of the post; `nil` if neither has any.
    private func hasAttachments(_ media: [Entity.MediaAttachment]?) -> Bool? {
        let ids = Set((media ?? []).map(\.id))
        return mediaIDs == [] && ids.isEmpty ? nil : mediaIDs == ids
    }

    /// The words of a text. Servers show mentions without the host, and change white space.
    private static func words(_ text: String) -> [Substring] {
        text.split(whereSeparator: \.isWhitespace).map { word in
            let at = UInt8(ascii: "@")
            guard word.utf8.first == at, let host = word.utf8.dropFirst().firstIndex(of: at) else { return word }
            return word[..<host]
        }
    }
}

extension FeedClient {
    private static let maximumPages = 5

    /// Searches the statuses of this account for a post whose outcome is unknown.
    /// - Parameters:
    ///   - mediaIDs: The ids of its uploaded media files.
    ///   - since: The time of the first attempt by the clock of this machine, in milliseconds since 1970.
    ///   - clock: The clock of this machine, to determine how far ahead the server's clock is.
    /// - Returns: `nil` if the status is not found; it may exist nevertheless.
    /// - Throws: ``FeedClientError``, except if the server does not permit the search.
    func postedStatus(
        like post: OutboxPost, mediaIDs: [String], since: Int64, clock: @Sendable () -> Int64
    ) async throws -> ActionResult? {
        do {
            // Connecting and retries may take minutes, which do not mean that the server's clock is ahead.
            var now = clock()
            let response = try await transport.send(request(Paths.verifyCredentials)) { now = clock() }
            let account = try response.decode(Entity.Account.self)
            let date = response.headers.first(name: "Date").flatMap { HTTPDate.seconds($0) }
            // The year has at most four digits.
            let ahead = date.map { ($0 * 1000).subtractingSaturating(now) }
            let match = OutboxMatch(post, mediaIDs: mediaIDs, since: since.addingSaturating(ahead ?? 0))
            if post.scheduledAt != nil, let scheduled = try await scheduledStatuses().first(where: match.matches) {
                return .scheduled(scheduled)
            }
            return try await posted(match, by: account.id).map { .posted($0) }
        } catch let error as FeedClientError where error.isPermanent {
            return nil
        }
    }

    private func posted(_ match: OutboxMatch, by account: String) async throws -> TimelineEntry? {
        var oldest: String?
        for _ in 0..<Self.maximumPages {
            let query = [
                ("limit", String(Self.statusesPerPage)), ("exclude_reblogs", "true"), ("max_id", oldest),
            ]
            let path = Paths.accounts + "/" + Self.percentEncoded(account) + "/statuses"
            let page = try elements(
                of: try await transport.send(request(path, query: query)), as: Entity.Status.self)
            if let found = page.first(where: { $0.value.map(match.matches) ?? false }), let status = found.value {
                return TimelineEntry(status: status, json: found.json)
            }
            guard let last = page.last, let id = last.id, id != oldest, last.value.map(match.isRecent) ?? true else {
                return nil
            }
            oldest = id
        }
        return nil
    }
}
