import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

/// A random walk: a server on which statuses are posted, edited and deleted, and a store that is filled from it in parts.
@Suite(.hangLimit)
struct TimelineWalkTests {
    /// A timeline at a server.
    private struct Server {
        /// The contents by id.
        var statuses: [Int: String] = [:]
        var lastID = 90
        /// Whether the last page with statuses has a next one.
        let announcesEmptyPages: Bool

        func page(before: Int?, since: Int?, limit: Int) throws -> (ids: [Int], next: Int?) {
            let all = statuses.keys.filter { $0 < before ?? .max && $0 > since ?? 0 }.sorted(by: >)
            let ids = Array(all.prefix(limit))
            return (ids, announcesEmptyPages || all.count > limit ? ids.last : nil)
        }
    }

    private static func change(_ server: inout Server, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                server.lastID += Int.random(in: 1...40, using: &random)
                server.statuses[server.lastID] = "a"
            }
        case 2:
            guard let id = server.statuses.keys.sorted().randomElement(using: &random) else { return }
            server.statuses[id]? += "b"
        default:
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                guard let id = server.statuses.keys.sorted().randomElement(using: &random) else { return }
                server.statuses[id] = nil
            }
        }
    }

    /// Fetches pages as ``FeedClient`` does, and is interrupted after some of them.
    /// - Returns: The range that was fetched, if any.
    private static func fetch(
        _ server: Server, into store: OfflineStore, before: Int?, since: Int?, pages: Int, now: Int64,
        _ random: inout SplitMix64
    ) async throws -> ClosedRange<Int>? {
        var (cursor, upper, lowest) = (before, before, before ?? server.lastID)
        for _ in 0..<pages {
            let page = try server.page(before: cursor, since: since, limit: Int.random(in: 1...9, using: &random))
            let segment = TimelineSegment(
                entries: try page.ids.map { try StoreFixture.entry($0, server.statuses[$0] ?? "") },
                range: TimelineRange(before: upper.map(String.init), since: since.map(String.init)),
                next: page.next.map(String.init))
            try await store.save(segment, of: .public, now: now)
            lowest = page.next ?? (since ?? 0) + 1
            upper = page.ids.last ?? upper
            guard let next = page.next else { break }
            cursor = next
        }
        let highest = before.map { $0 - 1 } ?? server.lastID
        return lowest <= highest ? lowest...highest : nil
    }

    private static func stored(_ store: OfflineStore) async throws -> [(id: Int, content: String, hasGap: Bool)] {
        try await store.statuses(of: .public, count: 100_000)?.entries.map {
            (Int($0.entry.status.id) ?? 0, $0.entry.status.content, $0.hasGap)
        } ?? []
    }

    /// No status is missing where there is no gap.
    private static func check(_ store: OfflineStore, _ server: Server, _ fetched: ClosedRange<Int>?, _ note: Comment)
        async throws
    {
        let entries = try await stored(store)
        let ids = entries.map(\.id)
        #expect(ids == ids.sorted(by: >), note)
        for (index, entry) in entries.enumerated() where !entry.hasGap {
            let older = index + 1 < ids.count ? ids[index + 1] : 0
            let missing = server.statuses.keys.filter { $0 < entry.id && $0 > older }
            #expect(missing.isEmpty, "\(missing) below \(entry.id): \(note)")
        }
        guard let fetched else { return }
        let found = entries.filter { fetched.contains($0.id) }.map { "\($0.id)\($0.content)" }
        let live = server.statuses.filter { fetched.contains($0.key) }.sorted { $0.key > $1.key }
        #expect(found == live.map { "\($0.key)\($0.value)" }, note)
    }

    @Test(arguments: 0..<Soak.rounds(20, soaking: 2000)) func nothingIsMissingOutsideOfGaps(round: Int) async throws {
        let seed = Soak.seed &+ UInt64(round)
        var random = SplitMix64(seed: seed)
        var server = Server(announcesEmptyPages: Bool.random(using: &random))
        let isSmall = round % 4 == 3
        let store = try StoreFixture().open { if isSmall { $0.statuses = 25 } }
        for step in 0..<60 {
            let note = Comment(rawValue: "seed \(seed), step \(step)")
            if Bool.random(using: &random) {
                Self.change(&server, &random)
                continue
            }
            let (before, since) = try await Self.bounds(store, server, &random)
            let fetched = try await Self.fetch(
                server, into: store, before: before, since: since, pages: Int.random(in: 1...4, using: &random),
                now: Int64(step), &random)
            // A status of the range may have given way to others.
            try await Self.check(store, server, isSmall ? nil : fetched, note)
        }
        guard !isSmall else { return }
        try await Self.fill(store, server, &random)
        #expect(try await Self.stored(store).map(\.id) == server.statuses.keys.sorted(by: >), "seed \(seed)")
    }

    /// Mostly the newest statuses, or those below a gap.
    private static func bounds(
        _ store: OfflineStore, _ server: Server, _ random: inout SplitMix64
    ) async throws -> (before: Int?, since: Int?) {
        let entries = try await stored(store)
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2: return (nil, nil)
        case 3, 4: return (entries.filter(\.hasGap).randomElement(using: &random)?.id, nil)
        case 5: return (Int.random(in: 1...server.lastID + 50, using: &random), nil)
        case 6: return (nil, entries.first?.id)
        default:
            let since = Int.random(in: 1...server.lastID, using: &random)
            return (since + Int.random(in: 1...100, using: &random), since)
        }
    }

    /// Reads the newest statuses, fills all gaps, and reads everything again because of the deletions.
    private static func fill(_ store: OfflineStore, _ server: Server, _ random: inout SplitMix64) async throws {
        _ = try await fetch(server, into: store, before: nil, since: nil, pages: 1, now: 100, &random)
        for _ in 0..<10_000 {
            guard let gap = try await stored(store).first(where: \.hasGap) else { break }
            _ = try await fetch(server, into: store, before: gap.id, since: nil, pages: 1, now: 100, &random)
        }
        let entries = try await stored(store)
        #expect(!entries.contains { $0.hasGap })
        #expect(Set(server.statuses.keys).isSubset(of: entries.map(\.id)))
        _ = try await fetch(server, into: store, before: nil, since: nil, pages: 10_000, now: 101, &random)
    }
}
