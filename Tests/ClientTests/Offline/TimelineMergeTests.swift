import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

/// The stored timeline after a part of it has been fetched, case by case.
@Suite(.hangLimit)
struct TimelineMergeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The parts that are fetched first, each with the end of its range.
        let stored: [(ids: [Int], before: Int?, since: Int?, next: Int?)]
        let expected: [String]

        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "the first page", stored: [([9, 8], nil, nil, 8)], expected: ["9", "8|"]),
        Row(name: "the whole timeline", stored: [([9, 8], nil, nil, nil)], expected: ["9", "8"]),
        Row(
            name: "an overlap", stored: [([5, 4], nil, nil, 4), ([7, 6, 5], nil, nil, 5)],
            expected: ["7", "6", "5", "4|"]),
        Row(
            name: "a gap", stored: [([5, 4], nil, nil, 4), ([9, 8], nil, nil, 8)], expected: ["9", "8|", "5", "4|"]),
        Row(
            name: "a gap that is filled in part",
            stored: [([2, 1], nil, nil, nil), ([9, 8], nil, nil, 8), ([7, 6], 8, nil, 6)],
            expected: ["9", "8", "7", "6|", "2", "1"]),
        Row(
            name: "a gap that is filled",
            stored: [([2, 1], nil, nil, nil), ([9, 8], nil, nil, 8), ([7, 6, 2], 8, nil, 2)],
            expected: ["9", "8", "7", "6", "2", "1"]),
        Row(
            name: "a gap that holds nothing",
            stored: [([2, 1], nil, nil, nil), ([9, 8], nil, nil, 8), ([2, 1], 8, nil, nil)],
            expected: ["9", "8", "2", "1"]),
        Row(
            name: "a gap that begins above an older part",
            stored: [([2, 1], nil, nil, nil), ([6, 5], 7, nil, 5), ([9, 8], nil, nil, 8)],
            expected: ["9", "8|", "6", "5|", "2", "1"]),
        Row(
            name: "a range above what is stored, down to it",
            stored: [([2, 1], nil, nil, nil), ([4, 3], nil, 2, nil)], expected: ["4", "3", "2", "1"]),
        Row(
            name: "a range above what is stored, not down to it",
            stored: [([2, 1], nil, nil, nil), ([6, 5], nil, 4, nil)], expected: ["6", "5|", "2", "1"]),
        Row(
            name: "deletions at the top, inside and at the end",
            stored: [([9, 8, 7, 6, 5], nil, nil, nil), ([8, 6], nil, nil, nil)], expected: ["8", "6"]),
        Row(
            name: "what lies below the fetched part stays",
            stored: [([9, 8, 7, 6, 5], nil, nil, nil), ([8, 7], nil, nil, 7)], expected: ["8", "7", "6", "5"]),
        Row(
            name: "everything was deleted", stored: [([9, 8], nil, nil, nil), ([], nil, nil, nil)], expected: []),
        Row(
            name: "a part that ends below its last status",
            stored: [([9, 8], nil, nil, nil), ([9], nil, nil, 5)], expected: ["9|"]),
        Row(
            name: "ids of different lengths",
            stored: [([9, 8], nil, nil, 8), ([101, 100, 9], nil, nil, 9)], expected: ["101", "100", "9", "8|"]),
        Row(
            name: "a server that ignores the bounds",
            stored: [([9, 8], nil, nil, 8), ([99, 98], 8, nil, 98), ([9, 8], nil, 10, nil)], expected: ["9", "8|"]),
        Row(
            name: "a server that does not say where the next page begins",
            stored: [([9, 8], nil, nil, nil), ([], nil, nil, 20)], expected: ["9", "8"]),
    ]

    @Test(arguments: rows) func partsAreMerged(_ row: Row) async throws {
        let store = try StoreFixture().open()
        for part in row.stored {
            let segment = try StoreFixture.segment(part.ids, before: part.before, since: part.since, next: part.next)
            try await store.save(segment, of: .public, now: 1)
        }
        #expect(try await store.contents() == row.expected)
    }

    /// Mastodon keeps only the newest statuses of a home timeline.
    @Test func endOfAHomeTimelineDeletesNothing() async throws {
        let store = try StoreFixture().open()
        try await store.save(try StoreFixture.segment([5, 4, 3]), of: .home, now: 1)
        try await store.save(try StoreFixture.segment([7, 6, 5]), of: .home, now: 1)
        #expect(try await store.contents(.home) == ["7", "6", "5", "4", "3"])
        try await store.save(try StoreFixture.segment([]), of: .home, now: 1)
        try await store.save(try StoreFixture.segment([], before: 5), of: .home, now: 1)
        #expect(try await store.contents(.home) == ["7", "6", "5", "4", "3"])
        try await store.save(try StoreFixture.segment([7, 5]), of: .home, now: 1)
        #expect(try await store.contents(.home) == ["7", "5", "4", "3"])
    }

    /// Favourites are sorted by when they were added.
    @Test func unsortedTimelineIsReplaced() async throws {
        let store = try StoreFixture().open()
        try await store.save(try StoreFixture.segment([3, 9, 5], next: 77), of: .favourites, now: 1)
        #expect(try await store.contents(.favourites) == ["3", "9", "5|"])
        try await store.save(try StoreFixture.segment([1, 3]), of: .favourites, now: 1)
        #expect(try await store.contents(.favourites) == ["1", "3"])
    }

    @Test func rangeOfAStoredTimeline() async throws {
        let store = try StoreFixture().open()
        try await store.save(try StoreFixture.segment([2, 1]), of: .public, now: 1)
        try await store.save(try StoreFixture.segment([9, 8], next: 8), of: .public, now: 1)
        #expect(try await store.contents(in: TimelineRange(before: "9")) == ["8|", "2", "1"])
        #expect(try await store.contents(in: TimelineRange(before: "8")) == ["|", "2", "1"])
        #expect(try await store.contents(in: TimelineRange(before: "5", since: "1")) == ["|", "2"])
        #expect(try await store.contents(in: TimelineRange(since: "8")) == ["9"])
        #expect(try await store.statuses(of: .public, count: 1)?.entries.count == 1)
        #expect(try await store.statuses(of: .local, count: 1) == nil)
    }
}
