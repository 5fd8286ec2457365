import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// The index itself, whatever is stored of the statuses.
@Suite(.hangLimit)
struct SearchIndexTests {
    private static func hits(_ word: String, _ store: TestStore) async throws -> [Int64] {
        let range = SearchRange(isRestricted: false, above: 0, below: .max, limit: 50)
        let expression = SearchExpression(ResolvedSearch(words: word))
        return try await store.database.read { try $0.connection.fullText.hits(of: expression, in: range, in: $0).ids }
    }

    /// A status with another id and text.
    private static func copy(_ status: Status, _ step: Int64, _ text: String) -> Status {
        var copy = status
        (copy.id, copy.text) = (status.id + step, text)
        return copy
    }

    @Test func severalChangesOfOneTransactionAreIndexed() async throws {
        let store = try TestStore()
        let status = try await store.post("zebra", by: try await store.account("author"))
        try await store.database.commits.write { db in
            for step in 1...4 { try StatusIndex.add(Self.copy(status, Int64(step), "zebra"), in: db) }
            try StatusIndex.put(Self.copy(status, 2, "heron"), in: db)
            try StatusIndex.remove([status.id + 3], in: db)
            try StatusIndex.add(Self.copy(status, 5, "zebra heron"), in: db)
        }
        #expect(try await Self.hits("zebra", store) == [5, 4, 1, 0].map { status.id + $0 })
        #expect(try await Self.hits("heron", store) == [5, 2].map { status.id + $0 })
    }

    /// FTS5 gets many statuses at a time.
    @Test func recentStatusesAreIndexedOnce() async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let status = try await store.post("zebra", by: author)
        for page in 0..<7 {
            try await store.database.commits.write { db in
                for step in 1...50 {
                    try StatusIndex.add(
                        Self.copy(status, Int64(50 * page + step), step == 9 ? "heron" : "zebra"), in: db)
                }
                try StatusIndex.put(Self.copy(status, Int64(50 * page + 3), "otter"), in: db)
                try StatusIndex.remove([status.id + Int64(50 * page + 4)], in: db)
            }
        }
        // Of the first page, which is not recent any more.
        try await store.database.commits.write { db in
            try StatusIndex.put(Self.copy(status, 5, "otter"), in: db)
            try StatusIndex.remove([status.id + 9], in: db)
        }
        for _ in 0..<2 {
            #expect(try await Self.hits("heron", store) == (1..<7).reversed().map { status.id + 50 * $0 + 9 })
            let otters = (0..<7).reversed().map { status.id + 50 * $0 + 3 }
            #expect(try await Self.hits("otter", store) == otters.dropLast() + [status.id + 5, status.id + 3])
            #expect(
                try await Self.hits("zebra", store)
                    == Self.newest(50, of: 350) { [3, 4, 9].contains($0 % 50) }
                    .map { status.id + $0 })
            try await SearchIndexing(store.database).merge()
        }
    }

    private static func newest(_ count: Int, of all: Int64, except: (Int64) -> Bool) -> [Int64] {
        Array((1...all).reversed().filter { !except($0) }.prefix(count))
    }

    /// The numbers of their neighbours leave little room.
    @Test func statusesBetweenOthersAreIndexed() async throws {
        let store = try TestStore()
        let status = try await store.post("zebra", by: try await store.account("author"))
        let steps: [Int64] = [600, 900, 1000, 100, 300, 500, 501, 601, 899, 901, 950, 951]
        try await store.database.commits.write { db in
            for step in steps { try StatusIndex.add(Self.copy(status, step, "zebra"), in: db) }
        }
        #expect(try await Self.hits("zebra", store) == ([0] + steps).sorted(by: >).map { status.id + $0 })
    }

    /// Even if they have changed what earlier jobs of the same transaction added.
    @Test func changesOfFailedJobsAreForgotten() async throws {
        let store = try TestStore()
        let status = try await store.post("zebra", by: try await store.account("author"))
        try await Self.transaction(store) { connection in
            let db = Database(connection: connection)
            try connection.inSavepoint(mayFailLater: true) {
                try StatusIndex.add(Self.copy(status, 1, "zebra"), in: db)
            }
            #expect(throws: FeedError.self) {
                try connection.inSavepoint(mayFailLater: true) {
                    try StatusIndex.add(Self.copy(status, 2, "zebra"), in: db)
                    try StatusIndex.put(Self.copy(status, 0, "heron"), in: db)
                    throw FeedError.notFound
                }
            }
        }
        #expect(try await Self.hits("zebra", store) == [1, 0].map { status.id + $0 })
        #expect(try await Self.hits("heron", store) == [])
    }

    /// However many hits there are, and wherever: those of the newest statuses, all of them, or those of a part.
    @Test(.enabled(if: PostgresTests.isEnabled, "needs scripts/with-postgres"), arguments: [2, 7, 100])
    func postgresFindsTheNewestHits(maximumHits: Int) async throws {
        let store = try TestStore()
        let status = try await store.post("zebra", by: try await store.account("author"))
        try await store.database.commits.write { db in
            for step in 1..<60 {
                let heron = step % 5 == 0 ? " heron" : ""
                let stork = step < 2 || step > 56 ? " stork" : ""
                try StatusIndex.add(Self.copy(status, Int64(step), "zebra" + heron + stork), in: db)
            }
        }
        let index = PostgresSearchIndex(maximumHits: maximumHits, sample: 3, frequency: 2)
        for (word, expected) in [
            ("zebra", Array(0..<60)), ("heron", Array(stride(from: 5, to: 60, by: 5))), ("stork", [1, 57, 58, 59]),
            ("otter", []),
        ] {
            let expression = SearchExpression(ResolvedSearch(words: word))
            var (found, below, isDense): ([Int64], Int64?, Bool) = ([], .max, false)
            while let end = below {
                let range = SearchRange(isRestricted: false, above: 0, below: end, limit: 4, isDense: isDense)
                let hits = try await store.database.read { try index.hits(of: expression, in: range, in: $0) }
                #expect(hits.end.map { $0 < end } ?? true)
                found += hits.ids
                below = hits.end
                isDense = isDense || hits.isDense
            }
            // Also those above the range count.
            let isTooMuch = word == "heron" && maximumHits < 11 || word == "stork" && maximumHits < 4
            #expect(isDense == isTooMuch, "\(word)")
            #expect(found.map { $0 - status.id } == expected.reversed().map { Int64($0) }, "\(word)")
        }
    }

    private static func transaction(
        _ store: TestStore, _ body: @escaping @Sendable (any WriterConnection) throws -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { continuation in
            store.database.engine.write { connection in
                continuation.resume(
                    with: Result { try connection.inTransaction(isRepeatable: { false }) { try body(connection) } })
            }
        }
    }
}
