import AsyncHTTPClient
import Foundation
import GRDB
import NIOCore
import NIOHTTP1

/// A response of a ``ResponseCache``.
struct CachedResponse: Sendable {
    /// The header fields that are stored.
    private static let kept = ["Content-Type", "ETag", "Last-Modified", "Link", "Search-Incomplete"]

    let response: Response
    /// The time at which the server sent or confirmed it, in milliseconds since 1970.
    let confirmedAt: Int64
    /// The end of its freshness lifetime in milliseconds since 1970.
    let freshUntil: Int64
    /// Whether the account has changed something since.
    var isOutdated = false

    /// - Parameter now: Milliseconds since 1970.
    init(_ response: Response, now: Int64) {
        let freshness = Freshness(response.headers, now: now, standard: 0)
        let headers = Self.kept.flatMap { name in response.headers[name].map { (name, $0) } }
        self.response = Response(headers: HTTPHeaders(headers), body: response.body)
        (confirmedAt, freshUntil) = (now, freshness.isStorable ? freshness.freshUntil : now)
    }

    /// - Returns: `nil` if the row is damaged.
    fileprivate init?(_ row: Row) {
        guard let headers = String.fromDatabaseValue(row[0]), let confirmedAt = Int64.fromDatabaseValue(row[1]),
            let freshUntil = Int64.fromDatabaseValue(row[2]), let body = Data.fromDatabaseValue(row[3]),
            let fields = try? JSONDecoder().decode([[String]].self, from: Data(headers.utf8))
        else { return nil }
        let pairs = fields.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
        response = Response(headers: HTTPHeaders(pairs), body: ByteBuffer(bytes: body))
        (self.confirmedAt, self.freshUntil) = (confirmedAt, freshUntil)
        isOutdated = Int64.fromDatabaseValue(row[4]) != 0
    }

    /// The fields of a request that let the server confirm the response.
    var validators: [(name: String, value: String)] {
        [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")].compactMap { field, condition in
            response.headers.first(name: field).map { (condition, $0) }
        }
    }

    func conditional(_ request: HTTPClientRequest) -> HTTPClientRequest {
        var request = request
        for field in validators { request.headers.replaceOrAdd(name: field.name, value: field.value) }
        return request
    }

    /// Whether the response can be used without asking the server. One from the future is not fresh: the clock was
    /// wrong.
    func isUsable(_ policy: CachePolicy, at now: Int64) -> Bool {
        switch policy {
        case .useProtocol: !isOutdated && (confirmedAt..<max(freshUntil, confirmedAt)).contains(now)
        case .reload: false
        case .cacheElseLoad, .cacheOnly: true
        case .maximumAge(let age):
            !isOutdated && now >= confirmedAt
                && Duration.milliseconds(now.subtractingSaturating(confirmedAt)) <= age
        }
    }
}

/// The stored responses of an account. A value is valid only within one database access.
struct ResponseTable {
    /// The version of the schema; tables of another version are replaced.
    private static let version = 1

    let db: Database
    let owner: String

    static func prepare(_ queue: DatabaseQueue) throws {
        guard try queue.read(present) != version else { return }
        try queue.inTransaction(.immediate) { db in
            // Another process may have created them meanwhile.
            if try present(db) != version { try create(db) }
            return .commit
        }
    }

    private static func present(_ db: Database) throws -> Int? { try Int.fetchOne(db, sql: "PRAGMA user_version") }

    /// Times are milliseconds since 1970; `headers` is a JSON list of names and values.
    private static func create(_ db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS response;
                DROP TABLE IF EXISTS edit;
                CREATE TABLE response (
                    owner TEXT NOT NULL,
                    url TEXT NOT NULL,
                    unlimited TEXT NOT NULL,
                    headers TEXT NOT NULL,
                    confirmed_at INTEGER NOT NULL,
                    fresh_until INTEGER NOT NULL,
                    size INTEGER NOT NULL,
                    body BLOB NOT NULL,
                    PRIMARY KEY (owner, url)
                ) STRICT;
                CREATE INDEX response_unlimited ON response (owner, unlimited);
                CREATE INDEX response_confirmed_at ON response (confirmed_at, size);
                CREATE TABLE edit (owner TEXT PRIMARY KEY, time INTEGER NOT NULL) STRICT;
                PRAGMA user_version = \(version);
                """)
    }

    /// - Parameter acceptsOtherLimit: Whether the maximum number of results may be another one; the newest is returned.
    func find(_ address: CachedAddress, acceptsOtherLimit: Bool) throws -> CachedResponse? {
        let columns = """
            SELECT headers, confirmed_at, fresh_until, body,
            confirmed_at <= coalesce((SELECT time FROM edit WHERE edit.owner = response.owner), 0)
            FROM response WHERE owner = ? AND\u{20}
            """
        let row =
            try acceptsOtherLimit
            ? Row.fetchOne(
                db, sql: columns + "unlimited = ? ORDER BY confirmed_at DESC, size DESC LIMIT 1",
                arguments: [owner, address.unlimited])
            : Row.fetchOne(db, sql: columns + "url = ?", arguments: [owner, address.url])
        return row.flatMap(CachedResponse.init)
    }

    /// Stores a response, and removes the oldest ones if all are larger than the limit.
    func store(_ entry: CachedResponse, at address: CachedAddress, limit: Int64) throws {
        let fields = try JSONEncoder().encode(entry.response.headers.map { [$0.name, $0.value] })
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO response
                (owner, url, unlimited, headers, confirmed_at, fresh_until, size, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                owner, address.url, address.unlimited, String(decoding: fields, as: UTF8.self), entry.confirmedAt,
                entry.freshUntil, entry.response.body.readableBytes, Data(entry.response.bytes),
            ])
        while try Int64.fetchOne(db, sql: "SELECT sum(size) FROM response") ?? 0 > limit {
            let oldest = "(SELECT rowid FROM response ORDER BY confirmed_at, rowid LIMIT 1)"
            try db.execute(sql: "DELETE FROM response WHERE rowid = \(oldest)")
        }
    }

    func confirm(_ address: CachedAddress, at now: Int64, freshUntil: Int64) throws {
        try db.execute(
            sql: "UPDATE response SET confirmed_at = ?, fresh_until = ? WHERE owner = ? AND url = ?",
            arguments: [now, freshUntil, owner, address.url])
    }

    // MARK: Edits

    func lastEdit() throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT time FROM edit WHERE owner = ?", arguments: [owner])
    }

    /// A response stored before is only used if the server confirms it.
    func recordEdit(at now: Int64) throws {
        try db.execute(sql: "INSERT OR REPLACE INTO edit (owner, time) VALUES (?, ?)", arguments: [owner, now])
    }

    func remove(startingWith url: String) throws {
        let sql = "DELETE FROM response WHERE owner = ?1 AND substr(url, 1, length(?2)) = ?2"
        try db.execute(sql: sql, arguments: [owner, url])
    }

    func removeAll() throws {
        for table in ["response", "edit"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE owner = ?", arguments: [owner])
        }
    }
}
