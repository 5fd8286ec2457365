import FeedAPI
import FeedCore

/// Indexes the statuses that are not indexed yet while the feed is served: those of an older version, of an import or
/// of a copied feed, or all of them when the tokens have changed. The page of the newest comes first; within a page, the
/// oldest do, which SQLite stores in half of the space. It can be stopped anywhere and continues later.
package struct SearchIndexing: Sendable {
    /// The setting that exists while statuses may be missing. It contains the bound below which they are; empty, if the
    /// build has not begun.
    static let mark = "search_build"
    /// The setting that contains the version of the tokens that are indexed, or that the requested build makes.
    static let version = "search_version"
    /// The setting that contains the time of the last merge.
    static let merged = "search_merged_at"

    /// The number of statuses of a page.
    static let pageSize = 2_000

    private let database: FeedDatabase
    private let page: Int
    private let batch: Int
    private let pause: Duration
    /// The time between two merges in milliseconds.
    private static let mergeInterval: Int64 = 20 * 3_600_000

    /// - Parameters:
    ///   - page: The number of statuses that are read per query.
    ///   - batch: The number of statuses that are indexed per transaction.
    ///   - pause: The time after each transaction in which others may write.
    package init(_ database: FeedDatabase, page: Int = Self.pageSize, batch: Int = 50, pause: Duration = .zero) {
        (self.database, self.page, self.batch, self.pause) = (database, page, batch, pause)
    }

    /// Lets the next ``run()`` look for statuses that are not indexed.
    static func request(in db: Database) throws { try FeedDatabase.setMeta(mark, "", in: db) }

    /// Lets the build look again for statuses that are not indexed, from this id downwards.
    static func request(upTo id: Int64, in db: Database) throws {
        let position = try mark(in: db).map { Int64($0) } ?? Int64.min
        // A build that has read its next page has to notice.
        if let position { try FeedDatabase.setMeta(mark, String(max(position, id) + 1), in: db) }
    }

    /// Removes everything that is indexed, for an index that may come from somebody else.
    static func restart(in db: Database) throws {
        try db.connection.fullText.removeAll(in: db)
        try db.execute("DELETE FROM search_move")
        try request(in: db)
    }

    /// Indexes what is missing, and moves statuses of accounts that have changed.
    package func run() async throws {
        try await begin()
        while try await step() { try Task.checkCancellation() }
        while try await isMoving() {
            try Task.checkCancellation()
            _ = try await database.commits.write { try StatusIndex.continueMoving(in: $0) }
            try await Task.sleep(for: pause)
        }
    }

    /// Requests a build if any tokens are indexed that are not known to be those of this version.
    private func begin() async throws {
        let current = String(SearchTokenizer.version)
        guard try await database.meta(Self.version) != current else { return }
        try await database.commits.write { db in
            let isIndexed = try db.fetchOne("SELECT 1 FROM status_search LIMIT 1", as: Int.self) != nil
            if isIndexed { try Self.request(in: db) }
            try FeedDatabase.setMeta(Self.version, current, in: db)
        }
    }

    private func isMoving() async throws -> Bool {
        try await database.read { try $0.fetchOne("SELECT 1 FROM search_move LIMIT 1", as: Int.self) != nil }
    }

    /// Indexes the statuses of one page.
    /// - Returns: Whether there was anything left to do.
    func step() async throws -> Bool {
        guard let start = try await position() else { return false }
        let (missing, end) = try await database.read { [page] in try Self.missing(below: start, page: page, in: $0) }
        for some in missing.chunks(of: batch) {
            guard try await index(Array(some), at: start) else { return true }
            try await Task.sleep(for: pause)
        }
        try await finish(end, at: start)
        return true
    }

    /// Statuses below this id may be missing; `nil` if the index is complete.
    private func position() async throws -> Int64? {
        guard let stored = try await database.meta(Self.mark) else { return nil }
        if let position = Int64(stored) { return position }
        return try await database.commits.write { db in
            let newest = try db.fetchOne("SELECT max(id) FROM status", as: Int64.self) ?? 0
            try FeedDatabase.setMeta(Self.mark, String(newest + 1), in: db)
            return newest + 1
        }
    }

    /// - Parameter start: The position at which the build has to be, unless another one has been requested.
    /// - Returns: Whether it was there.
    private func index(_ ids: [Int64], at start: Int64) async throws -> Bool {
        try await database.commits.write { db in
            guard try Self.mark(in: db) == String(start) else { return false }
            try StatusIndex.refresh(ids, in: db)
            return true
        }
    }

    /// Continues with the next page, or ends the build.
    private func finish(_ end: Int64?, at start: Int64) async throws {
        try await database.commits.write { db in
            guard try Self.mark(in: db) == String(start) else { return }
            if let end { return try FeedDatabase.setMeta(Self.mark, String(end), in: db) }
            try db.execute("DELETE FROM meta WHERE key = \(Self.mark)")
        }
    }

    private static func mark(in db: Database) throws -> String? {
        try db.fetchOne("SELECT value FROM meta WHERE key = \(mark)", as: String.self)
    }

    /// - Returns: The statuses of a page that are not indexed, oldest first, and the bound below which the next page is;
    ///   `nil` if this is the last one.
    private static func missing(
        below start: Int64, page: Int, in db: Database
    ) throws -> (ids: [Int64], end: Int64?) {
        let end = try db.fetchOne(
            "SELECT s.id FROM status s WHERE s.id < \(start) ORDER BY s.id DESC LIMIT 1 OFFSET \(page - 1)",
            as: Int64.self)
        let ids = try db.fetchAll(
            """
            SELECT s.id FROM status s WHERE s.id < \(start) AND s.id >= \(end ?? .min) AND s.boost_of_id IS NULL
            AND \(StatusVisibility.published("s")) AND NOT EXISTS (SELECT 1 FROM status_search x
                WHERE x.is_restricted IN (0, 1) AND x.status_id = s.id AND x.version = \(SearchTokenizer.version))
            ORDER BY s.id
            """, as: Int64.self)
        return (ids, end)
    }
}

extension SearchIndexing {
    /// The part of the feed's time that is indexed, in percent; `nil` if everything is.
    package func progress() async throws -> Int? {
        try await database.read { db in
            guard let stored = try Self.mark(in: db) else { return nil }
            let ends = try db.fetchOne("SELECT min(id), max(id) FROM status")
            guard let position = Int64(stored), let first = try ends?[0] as Int64?, let last = try ends?[1] as Int64?,
                first < last
            else { return 0 }
            return Int(100 * (Double(last) - Double(position)) / (Double(last) - Double(first)))
        }
    }

    /// Whether statuses may be missing.
    static func isIncomplete(in db: Database) throws -> Bool { try mark(in: db) != nil }

    /// Merges the parts of the index, once a day. Then nothing is left in the file of words that were deleted before.
    package func mergeIfDue() async throws {
        let now = database.clock.now()
        let last = try await database.meta(Self.merged).flatMap { Int64($0) }
        guard last.map({ now < $0 || now - $0 >= Self.mergeInterval }) ?? true else { return }
        try await merge()
        try await database.setMeta(Self.merged, String(now))
    }

    package func merge() async throws {
        try await database.commits.write { try $0.connection.fullText.beginMerge(in: $0) }
        while try await database.commits.write({ try $0.connection.fullText.continueMerge(in: $0) }) {
            try Task.checkCancellation()
            try await Task.sleep(for: pause)
        }
    }
}
