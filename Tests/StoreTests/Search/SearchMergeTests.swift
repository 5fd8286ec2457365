import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedStore

/// Merges of the full-text indexes of SQLite.
@Suite(.hangLimit, .onSQLite)
struct SearchMergeTests {
    private static func copy(_ status: Status, _ step: Int64, _ text: String) -> Status {
        var copy = status
        (copy.id, copy.text) = (status.id + step, text)
        return copy
    }

    /// FTS5 could merge the changes of others, too, after each step.
    @Test func mergesEndWhileOthersWrite() async throws {
        let store = try TestStore()
        let status = try await store.post("zebra", by: try await store.account("author"))
        try await store.database.commits.write { db in
            for step in 1...2000 as ClosedRange<Int64> {
                let words = (1...5).map { "heron\(step)stork\($0)" }.joined(separator: " ")
                try StatusIndex.add(Self.copy(status, step, step % 5 == 0 ? "zqxjkv\(step)" : words), in: db)
            }
        }
        let index = SQLiteSearchIndex(mergePages: 8)
        try await store.database.commits.write { db in
            try StatusIndex.remove((1...400).map { status.id + 5 * $0 }, in: db)
        }
        try await store.database.commits.write { try index.beginMerge(in: $0) }
        var steps = 1
        while try await store.database.commits.write({ try index.continueMerge(in: $0) }) {
            steps += 1
            try #require(steps < 100)
            let changed = Self.copy(status, 1, "otter\(steps)")
            try await store.database.commits.write { try StatusIndex.put(changed, in: $0) }
        }
        #expect(steps > 1)
        try store.database.close()
        let file = try Data(contentsOf: URL(filePath: store.folder.path + "/data/" + SQLiteDatabase.fileName))
        #expect(file.range(of: Data("heron1999stork5".utf8)) != nil)
        #expect(file.range(of: Data("zqxjkv".utf8)) == nil)
    }

    /// FTS5 takes an index of too many levels for a damaged one.
    @Test func levelsAreBounded() async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let index = SQLiteSearchIndex(maximumLevels: 10)
        var ids: [Int64] = []
        for number in 0..<40 {
            let visibility: Visibility = number % 2 == 0 ? .public : .followers
            ids.insert(try await store.post("zebra", by: author, visibility).id, at: 0)
            try await store.database.commits.write { try index.beginMerge(in: $0) }
            while try await store.database.commits.write({ try index.continueMerge(in: $0) }) {}
            for table in SQLiteSearchIndex.tables {
                let levels = try await store.database.read { try SQLiteSearchIndex.levels(of: table, in: $0) }
                #expect(levels < 15, "\(number)")
            }
            try await SearchIndexing(store.database).run()
        }
        #expect(try await store.found(ResolvedSearch(words: "zebra").limited(to: 100), by: author) == ids)
    }
}
