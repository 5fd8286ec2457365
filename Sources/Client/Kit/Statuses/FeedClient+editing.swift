import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOHTTP1

extension FeedClient {
    /// The text of a status as its author wrote it.
    private struct Source: Decodable {
        var text: String?
        var spoiler_text: String?
    }

    /// A draft with everything that a status of this account contains. An edit replaces the whole status: modify the
    /// draft and pass it to ``edit(_:to:)``.
    /// - Throws: ``FeedClientError``; `.failed` if the status has a poll that has ended, which an edit would open again.
    public func draft(editing id: String) async throws -> Draft {
        let status = try await status(id).status
        let path = Paths.statuses + "/" + Self.percentEncoded(id) + "/source"
        let source = try await transport.send(request(path)).decode(Source.self)
        var draft = try Draft(editing: status)
        draft.text = source.text ?? ""
        draft.spoilerText = source.spoiler_text.flatMap { $0.isEmpty ? nil : $0 }
        return draft
    }

    /// Replaces the content of a status of this account: text, content warning, media and poll. The visibility and the
    /// status that it replies to stay as they are.
    /// - Parameter draft: The new content, usually from ``draft(editing:)``.
    /// - Throws: ``FeedClientError``; `.notFound` if this account has no such status.
    public func edit(_ id: String, to draft: Draft) async throws -> TimelineEntry {
        var request = formRequest(
            Paths.statuses + "/" + Self.percentEncoded(id),
            [
                ("status", draft.text), ("spoiler_text", draft.spoilerText ?? ""), ("language", draft.language),
                ("sensitive", draft.isSensitive.map(String.init)),
            ] + draft.mediaIDs.map { ("media_ids[]", $0) } + (draft.poll?.fields ?? []))
        request.method = .PUT
        return try Self.entry(try await transport.send(request))
    }
}

extension Draft {
    /// A draft with everything that a status contains; its text is without links and mentions of other servers.
    /// - Throws: ``FeedClientError`` `.failed` if the status has a poll that has ended, which an edit would open again.
    public init(editing status: Entity.Status) throws(FeedClientError) {
        self.init(text: PlainText.from(html: status.content))
        spoilerText = status.spoiler_text.isEmpty ? nil : status.spoiler_text
        (isSensitive, language) = (status.sensitive, status.language)
        mediaIDs = (status.media_attachments ?? []).map(\.id)
        guard let poll = status.poll else { return }
        self.poll = try PollDraft(keeping: poll, now: Milliseconds.now)
    }
}

extension PollDraft {
    /// The shortest time in seconds that this server and Mastodon accept.
    private static let minimumSeconds: Int64 = 300
    /// The time of a poll without an end, which only some servers have: 30 days.
    private static let longSeconds: Int64 = 2_592_000

    /// A draft that keeps the options of a poll, and therefore its votes, and its end if that is at least five minutes
    /// away.
    /// - Parameter now: Milliseconds since 1970.
    /// - Throws: ``FeedClientError`` `.failed` if the poll has ended.
    init(keeping poll: Entity.Poll, now: Int64) throws(FeedClientError) {
        let end = poll.expires_at.flatMap { ISO8601.milliseconds($0) }
        guard poll.expired != true, end.map({ $0 > now }) ?? true else {
            throw FeedClientError(
                .failed, "The poll of this status has ended, and an edit would reopen it",
                hint: "Reply to the status instead.")
        }
        let rest = end.map { ($0 - now) / 1000 } ?? Self.longSeconds
        self.init(options: poll.options.map(\.title), seconds: Int(max(Self.minimumSeconds, rest)))
        isMultiple = poll.multiple ?? false
        // A poll that is open shows no counts only if they are hidden.
        hidesTotals = !poll.options.isEmpty && poll.options.allSatisfy { $0.votes_count == nil }
    }
}
