import AsyncHTTPClient
import FeedAPI
import Foundation
import GRDB
import NIOCore
import NIOHTTP1

/// A list of an account, such as its notifications, as far as it is kept for reading without a network: the newest
/// elements, without a gap.
struct StoredList<Element: Decodable & Sendable>: Sendable {
    private static var maximumItems: Int { 400 }
    private static var maximumBytes: Int { 1_000_000 }

    struct Item: Sendable {
        let id: String
        /// Changes when the element moves to the top or looks different.
        let version: String
        let value: Element
        /// The JSON object that the server sent.
        let json: [UInt8]
    }

    /// The newest first.
    let items: [Item]
    /// Whether the server has older ones.
    let hasMore: Bool

    init(_ items: [Item] = [], hasMore: Bool = true) {
        var bytes = 0
        self.items = Array(
            items.prefix(Self.maximumItems).prefix { item in
                bytes += item.json.count + 1
                return bytes <= Self.maximumBytes
            })
        self.hasMore = hasMore || self.items.count < items.count
    }

    /// The items that were not here before, or have changed.
    func news(in fetched: [Item]) -> [Item] {
        let versions = Set(items.map(\.version))
        return fetched.filter { !versions.contains($0.version) }
    }

    /// The list after its newest pages have been read again. What was kept is added below them if they reach down to it;
    /// otherwise, elements would be missing in between.
    /// - Parameter hasMore: Whether the server has older elements than those.
    func updated(by fetched: [Item], hasMore: Bool) -> StoredList {
        let (ids, versions) = (Set(fetched.map(\.id)), Set(fetched.map(\.version)))
        guard hasMore, let last = items.lastIndex(where: { versions.contains($0.version) }) else {
            return StoredList(fetched, hasMore: hasMore)
        }
        return StoredList(fetched + items[(last + 1)...].filter { !ids.contains($0.id) }, hasMore: self.hasMore)
    }
}

/// The origin of a ``StoredList``.
struct StoredListSource<Element: Decodable & Sendable>: Sendable {
    let path: String
    /// The id and the version of an element.
    let key: @Sendable (Element) -> (id: String, version: String)
}

extension StoredListSource where Element == Entity.Notification {
    static var notifications: Self { Self(path: Paths.notifications) { ($0.id, $0.id) } }
}

extension StoredListSource where Element == Entity.Conversation {
    static var conversations: Self {
        Self(path: Paths.conversations) { ($0.id, "\($0.id) \($0.last_status?.id ?? "") \($0.unread)") }
    }
}

extension FeedClient {
    /// - Returns: `nil` if nothing has been kept, or it cannot be read.
    func storedList<Element>(_ source: StoredListSource<Element>) async -> StoredList<Element>? {
        guard let response = await transport.cache?.list(at: request(source.path).url),
            let items = try? items(of: response, source)
        else { return nil }
        return StoredList(items, hasMore: response.links.next != nil)
    }

    /// Keeps a list instead of the present one.
    func keep<Element>(_ list: StoredList<Element>, _ source: StoredListSource<Element>) async {
        let url = request(source.path).url
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        if list.hasMore { headers.add(name: "Link", value: "<\(url)>; rel=\"next\"") }
        let body = Array("[".utf8) + list.items.map(\.json).joined(separator: ",".utf8) + "]".utf8
        await transport.cache?.storeList(Response(headers: headers, body: ByteBuffer(bytes: body)), at: url)
    }

    /// The elements of a page that can be decoded.
    func items<Element>(
        of response: Response, _ source: StoredListSource<Element>
    ) throws -> [StoredList<Element>.Item] {
        try elements(of: response, as: Element.self).compactMap { element in
            guard let value = element.value else { return nil }
            let (id, version) = source.key(value)
            return StoredList<Element>.Item(id: id, version: version, value: value, json: element.json)
        }
    }
}

extension OfflineSync {
    private static var listPageSize: Int { 40 }
    /// The number of pages that are read to reach what is kept, and at first.
    private static var maximumListPages: Int { 10 }
    private static var firstListPages: Int { 5 }

    /// Reads the newest pages of a list down to what is kept, and keeps them.
    /// - Returns: The new elements; `nil` if the server does not have the list.
    /// - Throws: ``FeedClientError``.
    func updateList<Element>(_ source: StoredListSource<Element>) async throws -> [StoredList<Element>.Item]? {
        let kept = await client.storedList(source)
        let known = kept ?? StoredList()
        var (fetched, hasMore) = ([StoredList<Element>.Item](), true)
        var (before, cursors) = (String?.none, PageCursors())
        for _ in 0..<(kept == nil ? Self.firstListPages : Self.maximumListPages) {
            let query = [("limit", String(Self.listPageSize)), ("max_id", before)]
            guard let response = try await fetch(source.path, query, .useProtocol) else { return nil }
            let page = try client.items(of: response, source)
            fetched += page
            before = response.links.nextMaxID
            hasMore = !page.isEmpty && before.map { cursors.advance(to: $0) } ?? false
            guard hasMore, known.news(in: page).count == page.count else { break }
        }
        await client.keep(known.updated(by: fetched, hasMore: hasMore), source)
        return known.news(in: fetched)
    }
}

extension OfflineStore {
    /// The stored timelines whose newest statuses were fetched, the last fetched first.
    func timelineNames() async throws -> [TimelineName] {
        try await database.read { db in
            let sql = """
                SELECT timeline.name FROM timeline JOIN owner ON owner.id = timeline.owner
                WHERE owner.name = ? AND synced_at > 0 ORDER BY synced_at DESC
                """
            return try String.fetchAll(db, sql: sql, arguments: [owner]).compactMap { TimelineName(storedName: $0) }
        }
    }

    /// Whether the change feed has announced something for a list that has not been fetched, or it was fetched long ago.
    /// - Parameter now: Milliseconds since 1970.
    func hasNews(_ list: NewsTable.List, at now: Int64) async throws -> Bool {
        try await database.read { db in
            let sql = "SELECT \(list.column) FROM owner WHERE name = ?"
            let time = try Int64.fetchOne(db, sql: sql, arguments: [owner]) ?? 0
            return !(0..<TimelineRefresh.longInterval).contains(now.subtractingSaturating(time))
        }
    }

    /// - Parameter time: When the list was fetched, in milliseconds since 1970; 0 if it has to be fetched.
    func setFetched(_ list: NewsTable.List, at time: Int64) async throws {
        try await database.write { db in
            let account = try Self.ownerID(owner, in: db)
            try db.execute(sql: "UPDATE owner SET \(list.column) = ? WHERE id = ?", arguments: [time, account])
        }
    }
}
