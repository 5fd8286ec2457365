import AsyncHTTPClient
import FeedAPI
public import Foundation

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

extension FeedClient {
    /// Uploads the files of a post and posts or schedules it, without an outbox. After a lost response, nothing is known
    /// about it; ``Outbox/add(_:for:)`` prevents that.
    ///
    /// Files that have been uploaded are deleted again if the status cannot be sent, as in
    /// ``post(_:attaching:idempotencyKey:progress:)``.
    /// - Parameters:
    ///   - idempotencyKey: Prevents a second status when the same request is repeated, if the server supports it.
    ///   - progress: Called with the index of a file and the number of its bytes that have been sent.
    /// - Throws: ``FeedClientError``; `.notFound`, before anything is sent, if a file does not exist.
    public func send(
        _ post: OutboxPost, idempotencyKey: String = UUID().uuidString,
        progress: @escaping @Sendable (_ file: Int, _ done: Int64) -> Void = { _, _ in }
    ) async throws -> ActionResult {
        if let action = post.action { return try await perform(action, post.draft) }
        return try await attaching(post.files, to: post.draft, progress: progress) { draft in
            try await send(draft, at: post.scheduledAt, idempotencyKey: idempotencyKey)
        }
    }

    /// Posts a status now, or lets the server post it later.
    /// - Parameter time: Milliseconds since 1970; `nil` for now.
    func send(_ draft: Draft, at time: Int64?, idempotencyKey: String) async throws -> ActionResult {
        guard let time else { return .posted(try await post(draft, idempotencyKey: idempotencyKey)) }
        return try await schedule(draft, at: time, idempotencyKey: idempotencyKey)
    }
}

/// Knows which servers honor idempotency keys.
enum IdempotencySupport {
    /// The versions of Mastodon in use; GoToSocial, which ignores keys, has lower ones.
    private static let versions = 2..<100

    /// - Parameter version: The version that the server states: `4.3.0` for Mastodon, and
    ///   `4.3.0 (compatible; feedserver 1.0.0)` for servers with its API.
    static func isKnown(version: String) -> Bool {
        if let name = version.firstMatch(of: /\(compatible; ([^ )]+)/) { return name.1 == "feedserver" }
        let mastodon =
            /([0-9]{1,4})\.[0-9]+\.[0-9]+(?:-(?:alpha|beta|rc|nightly)[0-9a-z.\-]*)?(?:\+(?:glitch|hometown)[0-9a-z.\-]*)?/
        return version.wholeMatch(of: mastodon).flatMap { Int($0.1) }.map(versions.contains) ?? false
    }
}

extension FeedClient {
    /// Whether the server is known to honor idempotency keys for an hour.
    /// - Throws: ``FeedClientError``, except if the server does not say what it is.
    func honorsIdempotencyKeys() async throws -> Bool {
        do {
            let instance = try await transport.send(request(Paths.instance)).decode(Entity.Instance.self)
            return IdempotencySupport.isKnown(version: instance.version)
        } catch let error as FeedClientError where error.isPermanent {
            return false
        }
    }
}
