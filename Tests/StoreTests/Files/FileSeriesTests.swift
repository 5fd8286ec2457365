import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct FileSeriesTests {
    private static func file(_ name: String) -> StoredFile {
        StoredFile(
            name: name, ownerID: nil, blob: Blob(hash: .starting("", "0"), size: 1), type: "image/png",
            modifiedAt: 1)
    }

    private static func add(_ name: String, to store: TestStore) async throws -> String {
        try await store.files.add([file(name)], quota: nil)[0].name
    }

    @Test func namesAreShortAndSequential() async throws {
        let store = try TestStore()
        var names: [String] = []
        for _ in 0..<200 { names.append(try await Self.add("pic.jpg", to: store)) }
        #expect(names == ["pic.jpg"] + (2...200).map { "pic-\($0).jpg" })
        // A form that contains the same name many times.
        let many = try await store.files.add((0..<100).map { _ in Self.file("pic.jpg") }, quota: nil)
        #expect(many.map(\.name) == (201...300).map { "pic-\($0).jpg" })
    }

    /// Files with chosen names, or from a version that left gaps, are never replaced.
    @Test func takenNumbersAreSkipped() async throws {
        let store = try TestStore()
        for name in ["a.txt", "a-2.txt", "a-4.txt"] {
            _ = try await store.files.put(Self.file(name), quota: nil) { _ in }
        }
        let names = [try await Self.add("a.txt", to: store), try await Self.add("a.txt", to: store)]
        #expect(names == ["a-3.txt", "a-5.txt"])
        for number in 6..<200 { _ = try await store.files.put(Self.file("a-\(number).txt"), quota: nil) { _ in } }
        let name = try await Self.add("a.txt", to: store)
        #expect(name.wholeMatch(of: /a-[a-z0-9]{9}\.txt/) != nil, "\(name)")
        #expect(try await Self.add("a.txt", to: store) != name)
    }

    /// Names truncated to fit share a series, and a number at its end never overflows.
    @Test func longNamesAndLargestNumbersWork() async throws {
        let store = try TestStore()
        let stem = String(repeating: "x", count: 254)
        var names: Set<String> = []
        for end in ["a", "b", "a", "b", "a"] { names.insert(try await Self.add(stem + end, to: store)) }
        #expect(names.count == 5)
        for last in [FileNameSeries.maximumNumber, .max, .max - 1, .min] {
            try await store.database.commits.write { db in
                try db.execute("UPDATE file SET number = \(last) WHERE series IS NOT NULL")
            }
            #expect(names.insert(try await Self.add(stem + "a", to: store)).inserted)
        }
    }

    @Test func costDoesNotDependOnTheNumberOfFiles() async throws {
        let store = try TestStore()
        _ = try await Self.add("pic.jpg", to: store)
        let tenth = try await store.database.read { db in
            try db.steps { _ = try FileStore.freeName(in: FileNameSeries("pic.jpg"), db) }
        }
        try await store.database.commits.write { db in
            try db.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
                INSERT INTO file (name, blob, size, type, modified_at, series, number)
                SELECT 'pic-' || i || '.jpg', '', 0, '', 0, 'pic.jpg', i FROM n
                """)
        }
        let later = try await store.database.read { db in
            try db.steps {
                let free = try FileStore.freeName(in: FileNameSeries("pic.jpg"), db)
                #expect(free.name == "pic-100001.jpg")
            }
        }
        #expect(later <= tenth + 20, "\(tenth) and \(later) steps")
        #expect(try await Self.add("pic.jpg", to: store) == "pic-100001.jpg")
    }
}
