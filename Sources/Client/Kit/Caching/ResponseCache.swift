import AsyncHTTPClient
import Foundation
import GRDB
import NIOCore
import NIOHTTP1

/// Responses of a server on the disk, for one account: what has not changed is not sent again, and what was read before
/// can be read without a network.
///
/// Responses are stored even if the server asks not to, because the account's own timelines are stored in the same way; such
/// a response is only used without the server's confirmation if the policy says so. Only the first page of a
/// list is stored. Several processes may use a cache at once, and the file may be deleted at any time.
///
/// ```swift
/// let cache = ResponseCache(folder: ClientFolders().state, owner: "\(address) ada")
/// let client = FeedClient(server: address, credential: credential, cache: cache)
/// let offline = FeedClient(server: address, credential: credential, cache: cache, policy: .cacheOnly)
/// ```
public struct ResponseCache: Sendable {
    /// A larger response is not stored, in bytes.
    private static let maximumBody = 1 << 20
    private static let busyTimeout = Double(Timeout.seconds(10))

    private let database: ReplaceableDatabase
    private let owner: String
    private let limit: Int64
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - folder: The folder of the file, which is created when something is stored.
    ///   - owner: The server and the account whose responses these are; several may share a folder.
    ///   - limit: The maximum size of all bodies together, in bytes. The oldest ones are removed first.
    ///   - now: Milliseconds since 1970; `nil` for the system clock.
    public init(folder: String, owner: String, limit: Int64 = 32 << 20, now: (@Sendable () -> Int64)? = nil) {
        (self.owner, self.limit) = (owner, limit)
        self.now = now ?? { Milliseconds.now }
        database = ReplaceableDatabase(
            folder: folder, name: "responses.sqlite", busyTimeout: Self.busyTimeout, isCheckedWhenOpened: false,
            prepare: ResponseTable.prepare)
    }

    // MARK: Requests

    /// The response to a request, from here or from the server. A cache that cannot be used is left out.
    /// - Parameter load: Sends the request.
    /// - Throws: The errors of `load`; ``FeedClientError`` `.unreachable` if the policy permits no request.
    func response(
        to request: HTTPClientRequest, _ policy: CachePolicy, load: (HTTPClientRequest) async throws -> Response
    ) async throws -> Response {
        guard request.method == .GET, let address = CachedAddress(request.url) else {
            guard policy != .cacheOnly else { throw request.method == .GET ? Self.missing : Self.offline }
            let response = try await load(request)
            if CachedAddress.isEdit(request) { await recordEdit() }
            return response
        }
        let stored = policy == .reload ? nil : await find(address, acceptsOtherLimit: policy == .cacheOnly)
        if let stored, stored.isUsable(policy, at: now()) { return stored.response }
        guard policy != .cacheOnly else { throw Self.missing }
        let response = try await load(stored?.conditional(request) ?? request)
        guard response.isNotModified, let stored else {
            await store(response, at: address)
            return response
        }
        await confirm(address, response.headers)
        return stored.response
    }

    private static let offline = FeedClientError(
        .unreachable, "This needs a network", hint: "Try again without --offline.")
    private static let missing = FeedClientError(
        .unreachable, "This has not been stored yet", hint: "Read it once without --offline, or run feedclient sync.",
        cause: MissingResponse())

    // MARK: Content

    /// Whether the server can confirm a stored response with a validator.
    func canConfirm(_ url: String) async -> Bool {
        guard let address = CachedAddress(url) else { return false }
        return await find(address, acceptsOtherLimit: false)?.validators.isEmpty == false
    }

    /// The time of the last request of this account that may have changed more than one status, in milliseconds since
    /// 1970; 0 if there was none.
    func lastEdit() async -> Int64 {
        let time = try? await database.perform { queue in
            try await queue.read { [owner] db in try ResponseTable(db: db, owner: owner).lastEdit() }
        }
        return time ?? 0
    }

    /// The time at which the server sent or confirmed a stored response, in milliseconds since 1970.
    func confirmedAt(_ url: String) async -> Int64? {
        guard let address = CachedAddress(url) else { return nil }
        return await find(address, acceptsOtherLimit: false)?.confirmedAt
    }

    /// A list that was put together from several pages.
    /// - Parameter url: The URL of the list, without parameters.
    func list(at url: String) async -> Response? {
        guard let address = CachedAddress(url + Self.listMark) else { return nil }
        return await find(address, acceptsOtherLimit: false)?.response
    }

    func storeList(_ response: Response, at url: String) async {
        if let address = CachedAddress(url + Self.listMark) { await store(response, at: address) }
    }

    /// Removes the responses whose URLs begin with a text, because the account has emptied what they show.
    func remove(startingWith url: String) async { await write { try $0.remove(startingWith: url) } }

    /// No request has such a URL.
    private static let listMark = "#list"

    /// Removes everything that is stored for the owner.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func removeAll() async throws {
        do {
            try await database.perform { queue in
                try await queue.write { [owner] db in try ResponseTable(db: db, owner: owner).removeAll() }
                try await queue.vacuum()
            }
        } catch let error as DatabaseError { throw OfflineDatabase.failure("write", database.path, error) }
    }

    private func find(_ address: CachedAddress, acceptsOtherLimit: Bool) async -> CachedResponse? {
        try? await database.perform { queue in
            try await queue.read { [owner] db in
                try ResponseTable(db: db, owner: owner).find(address, acceptsOtherLimit: acceptsOtherLimit)
            }
        }
    }

    private func store(_ response: Response, at address: CachedAddress) async {
        guard !response.isNotModified, response.body.readableBytes <= Self.maximumBody else { return }
        let entry = CachedResponse(response, now: now())
        await write { try $0.store(entry, at: address, limit: limit) }
    }

    private func confirm(_ address: CachedAddress, _ headers: HTTPHeaders) async {
        let now = now()
        let freshUntil = Freshness(headers, now: now, standard: 0).freshUntil
        await write { try $0.confirm(address, at: now, freshUntil: freshUntil) }
    }

    private func recordEdit() async {
        let now = now()
        await write { try $0.recordEdit(at: now) }
    }

    private func write(_ work: @Sendable (ResponseTable) throws -> Void) async {
        try? await database.perform { queue in
            try await queue.write { [owner] db in try work(ResponseTable(db: db, owner: owner)) }
        }
    }
}

/// The way in which a request uses the responses that a ``ResponseCache`` holds.
public enum CachePolicy: Sendable, Equatable {
    /// As HTTP defines it: a fresh response is used without a request, and an older one once the server has confirmed it.
    case useProtocol
    /// The server is asked, and its response replaces the stored one.
    case reload
    /// A stored response is used, whatever its age; without one, the server is asked.
    case cacheElseLoad
    /// Nothing is sent. Without a stored response, and for everything but reading, the request fails with
    /// ``FeedClientError`` `.unreachable`.
    case cacheOnly
    /// A stored response is used up to this age; otherwise, the server is asked.
    case maximumAge(Duration)
}

/// The cause of an error: the policy permits only a stored response, and there is none.
package struct MissingResponse: Error {}

/// The address of a response that is worth storing.
struct CachedAddress: Sendable, Equatable {
    /// Parameters of requests for something else than the first page, which is not asked for in the same way again.
    private static let positions: Set<String> = [
        "max_id", "min_id", "since_id", "since", "offset", "wait", "access_token",
    ]
    /// Requests that write without changing how anything else looks, or whose changes come with the change feed.
    private static let quietPaths = [Paths.markers, Paths.statuses, "/api/v1/media", "/api/v2/media"]

    let url: String
    /// The URL without the maximum number of results.
    let unlimited: String

    /// - Returns: `nil` if the response is not worth storing.
    init?(_ url: String) {
        guard var parts = URLComponents(string: url), parts.path != Paths.health else { return nil }
        let items = parts.queryItems ?? []
        guard !items.contains(where: { Self.positions.contains($0.name) }) else { return nil }
        self.url = url
        let others = items.filter { $0.name != "limit" }
        parts.queryItems = others.isEmpty ? nil : others
        unlimited = parts.string ?? url
    }

    /// Whether a request changes what timelines show, such as a follow.
    static func isEdit(_ request: HTTPClientRequest) -> Bool {
        guard request.method != .GET, request.method != .HEAD else { return false }
        let path = URLComponents(string: request.url)?.path ?? ""
        return !quietPaths.contains(path)
    }
}
