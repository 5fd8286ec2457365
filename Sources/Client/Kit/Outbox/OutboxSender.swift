import FeedAPI
import Foundation

/// Performs what ``OutboxDelivery`` decides.
///
/// The state `sending` is durable before the request is sent, and the file is removed after the response. An error that
/// does not prove that the server has not processed the request leaves its outcome unknown.
struct OutboxSender {
    private let file: OutboxFile
    private let client: FeedClient
    private let clock: @Sendable () -> Int64
    private let progress: @Sendable (Int, Int64) -> Void
    private var delivery: OutboxDelivery

    init(
        _ file: OutboxFile, _ client: FeedClient, _ trigger: OutboxTrigger, clock: @escaping @Sendable () -> Int64,
        progress: @escaping @Sendable (Int, Int64) -> Void
    ) {
        (self.file, self.client, self.clock, self.progress) = (file, client, clock, progress)
        delivery = OutboxDelivery(file.entry.state, trigger, isRepeatable: file.entry.post.action != nil)
    }

    mutating func run() async throws -> OutboxResult {
        var action = delivery.firstAction
        var posted: ActionResult?
        while true {
            do {
                switch action {
                case .identifyServer:
                    action = delivery.identified(honorsKeys: try await client.honorsIdempotencyKeys(), now: clock())
                case .search(let since):
                    posted = try await client.postedStatus(
                        like: file.entry.post, mediaIDs: delivery.state.uploadedMediaIDs, since: since, clock: clock)
                    action = delivery.searched(found: posted != nil)
                case .send: return try await send()
                case .finish:
                    if delivery.isDelivered, let posted { return await delivered(posted) }
                    return try await kept(nil)
                }
            } catch let error as FeedClientError where error.code != .disk {
                return .kept(file.entry, error)
            }
        }
    }

    private mutating func send() async throws -> OutboxResult {
        let entry = file.entry
        let mediaIDs: [String]
        do {
            if let earlier = delivery.mediaIDs {
                mediaIDs = earlier
            } else {
                mediaIDs = try await client.uploadAll(entry.post.files, progress: progress)
            }
        } catch {
            delivery.end(.init(ofUpload: error))
            return try await kept(error)
        }
        delivery.begin(mediaIDs: mediaIDs, now: clock())
        try await store()
        do {
            let sent = try await client.send(entry, mediaIDs, now: clock())
            delivery.end(.delivered)
            return await delivered(sent)
        } catch {
            delivery.end(.init(ofRequest: error))
            // As long as the disk says that the request is under way, they are needed for the next one.
            let result = try await kept(error)
            // After an unknown outcome, they may be attached, or are needed again.
            if delivery.mediaIDs == nil { await client.discardMedia(mediaIDs) }
            return result
        }
    }

    /// An entry that cannot be removed is recognized as delivered the next time.
    private func delivered(_ result: ActionResult) async -> OutboxResult {
        let entry = file.entry
        try? await DiskThreads.run { [file] in try file.remove() }
        return .delivered(entry, result)
    }

    private func kept(_ error: (any Error)?) async throws -> OutboxResult {
        try await store()
        return .kept(file.entry, error)
    }

    private func store() async throws {
        guard delivery.state != file.entry.state else { return }
        try await DiskThreads.run { [file, state = delivery.state] in try file.store(state) }
    }
}

extension FeedClient {
    /// - Parameters:
    ///   - entry: The entry as it was before this attempt.
    ///   - now: Milliseconds since 1970.
    fileprivate func send(_ entry: OutboxEntry, _ mediaIDs: [String], now: Int64) async throws -> ActionResult {
        var draft = entry.post.draft
        if let action = entry.post.action {
            let attempt = OutboxAttempt(
                username: entry.account.username, age: max(0, now.subtractingSaturating(entry.createdAt)),
                isRepeated: entry.state.since != nil)
            return try await perform(action, draft, attempt)
        }
        draft.mediaIDs += mediaIDs
        return try await send(draft, at: entry.post.scheduledAt, idempotencyKey: entry.idempotencyKey)
    }
}

/// A post of the outbox that this process has locked, so that no other sends it. The lock ends with ``release()``
/// or with this object.
public final class OutboxClaim: Sendable {
    private let file: OutboxFile
    private let drafts: DraftStore
    private let clock: @Sendable () -> Int64

    init(_ file: OutboxFile, _ drafts: DraftStore, _ clock: @escaping @Sendable () -> Int64) {
        (self.file, self.drafts, self.clock) = (file, drafts, clock)
    }

    /// The post, and how far it has come.
    public var entry: OutboxEntry { file.entry }

    /// Sends the post, unless that could make it appear twice. A refused post becomes a draft.
    /// - Parameters:
    ///   - client: A client with the credential of the account.
    ///   - trigger: Why the post is sent.
    ///   - progress: Called with the index of a media file and the number of its bytes that have been sent.
    /// - Throws: ``FeedClientError`` `.disk` if the state cannot be stored. Then either no request has been sent, or the
    ///   entry still says that its outcome is unknown.
    public func send(
        with client: FeedClient, _ trigger: OutboxTrigger = .flush,
        progress: @escaping @Sendable (_ file: Int, _ done: Int64) -> Void = { _, _ in }
    ) async throws -> OutboxResult {
        var sender = OutboxSender(file, client, trigger, clock: clock, progress: progress)
        let result = try await sender.run()
        guard case .kept(let entry, let error) = result, entry.state.isRefused, await becomesDraft() else {
            return result
        }
        return .refused(entry, error)
    }

    /// The draft is durable before the entry is removed; after a crash between the two, the next flush completes it. Of an
    /// action without a text, nothing is kept.
    /// - Returns: Whether it is no longer in the outbox.
    private func becomesDraft() async -> Bool {
        guard case .refused(let message) = entry.state else { return false }
        let draft = entry.post.content.map {
            StoredDraft(
                $0, by: entry.account, editing: entry.post.action?.editedID, reason: message, id: entry.id)
        }
        do {
            try await DiskThreads.run { [file, drafts] in
                if let draft { try drafts.save(draft) }
                try file.remove()
            }
            return true
        } catch {
            return false
        }
    }

    /// Removes the post from the outbox.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func remove() async throws {
        try await DiskThreads.run { [file] in try file.remove() }
    }

    /// Lets others send the post. Afterwards this object must not be used.
    public func release() { file.unlock() }
}

/// The result of sending a post from the outbox.
public enum OutboxResult: Sendable {
    /// The server has the status, from this attempt or an earlier one. The entry has been removed.
    case delivered(OutboxEntry, ActionResult)
    /// The server has refused the post, which is a draft with the same id now if it has a text; the error is `nil` if it
    /// did so earlier.
    case refused(OutboxEntry, (any Error)?)
    /// The entry is still in the outbox, in the state that it holds; the error is `nil` if there was nothing to do.
    case kept(OutboxEntry, (any Error)?)

    public var entry: OutboxEntry {
        switch self {
        case .delivered(let entry, _), .refused(let entry, _), .kept(let entry, _): entry
        }
    }

    /// Whether the entry will be sent again.
    var isWaiting: Bool { if case .kept(let entry, _) = self { entry.state.isPending(.automatic) } else { false } }
}
