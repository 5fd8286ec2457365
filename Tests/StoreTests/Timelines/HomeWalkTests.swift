import FeedCore
import FeedTestSupport
import Foundation
import Testing

@testable import FeedStore

/// Compares both ways of reading a home timeline with a simple model: random accounts that post, reply, boost, follow,
/// block and mute.
@Suite(.timeLimit(.minutes(60)))
struct HomeWalkTests {
    /// The model's state of an account.
    private struct Viewer {
        let id: Int64
        /// The followed accounts, and whether their boosts are shown.
        var follows: [Int64: Bool] = [:]
        var hidden: Set<Int64> = []

        func follows(_ id: Int64) -> Bool { id == self.id || follows[id] != nil && !hidden.contains(id) }
        func takesBoosts(of id: Int64) -> Bool { id == self.id || follows[id] == true && !hidden.contains(id) }
    }

    /// A threshold of 0 reads the newest statuses of all accounts; the other value never does.
    @Test(arguments: [0, 1000], [1, 2, 3])
    func homeTimelineMatchesTheModel(many: Int, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let village = try await Village(size: 9, statuses: 160, random: &random)
        for person in village.people {
            let viewer = village.viewer(person.id)
            let expected = village.entries.reversed().filter { shows($0, to: viewer, of: village) }.map(\.pageID)
            for limit in [1, 6, 40] { try await check(village.store, viewer.id, expected, limit, many) }
        }
    }

    private func shows(_ entry: Status, to viewer: Viewer, of village: Village) -> Bool {
        let author = entry.boost?.account.id ?? entry.account.id
        guard viewer.follows(author) else { return false }
        guard entry.boost != nil else { return author == viewer.id || showsPost(entry, to: viewer) }
        let earlier = village.entries.filter {
            $0.boost != nil && $0.id == entry.id && $0.pageID < entry.pageID
                && viewer.takesBoosts(of: $0.boost?.account.id ?? 0)
        }
        return viewer.takesBoosts(of: author) && !viewer.hidden.contains(entry.account.id) && earlier.isEmpty
    }

    private func showsPost(_ post: Status, to viewer: Viewer) -> Bool {
        let isForViewer = post.visibility != .direct || post.mentions.contains { $0.id == viewer.id }
        return isForViewer && (post.inReplyToAccountID.map { viewer.follows($0) } ?? true)
    }

    private func check(_ store: TestStore, _ viewer: Int64, _ expected: [Int64], _ limit: Int, _ many: Int) async throws
    {
        func read(_ page: Pagination) async throws -> [Int64] {
            let reader = TimelineReader(.home(viewer), for: viewer, now: store.clock.now, manyFollows: many)
            return try await reader.page(page, in: store.database).entries.map(\.pageID)
        }
        #expect(try await read(Pagination(limit: limit)) == Array(expected.prefix(limit)))
        for cut in stride(from: 0, to: expected.count, by: 7) {
            let (older, newer) = (expected[(cut + 1)...], expected[..<cut])
            #expect(try await read(Pagination(limit: limit, maxID: expected[cut])) == Array(older.prefix(limit)))
            #expect(try await read(Pagination(limit: limit, sinceID: expected[cut])) == Array(newer.prefix(limit)))
            #expect(try await read(Pagination(limit: limit, minID: expected[cut])) == Array(newer.suffix(limit)))
        }
    }

    /// Accounts in a real database, and all their statuses.
    private struct Village {
        let store: TestStore
        var people: [Account] = []
        /// Statuses and boosts in chronological order.
        var entries: [Status] = []
        private var viewers: [Int64: Viewer] = [:]

        func viewer(_ id: Int64) -> Viewer { viewers[id] ?? Viewer(id: id) }

        init(size: Int, statuses: Int, random: inout SplitMix64) async throws {
            store = try TestStore()
            for index in 0..<size { people.append(try await store.account("user\(index)")) }
            for person in people { viewers[person.id] = Viewer(id: person.id) }
            try await befriend(&random)
            for number in 0..<statuses { try await act(number, &random) }
            try await quarrel(&random)
        }

        private mutating func befriend(_ random: inout SplitMix64) async throws {
            let follows = FollowStore(store.database)
            for one in people {
                for other in people where other.id != one.id && Int.random(in: 0..<3, using: &random) > 0 {
                    let boosts = Int.random(in: 0..<3, using: &random) > 0
                    try await follows.follow(other.id, by: one.id, FollowUpdate(showsReblogs: boosts))
                    viewers[one.id]?.follows[other.id] = boosts
                }
            }
        }

        private mutating func act(_ number: Int, _ random: inout SplitMix64) async throws {
            store.clock.now += 1000
            let author = people[Int.random(in: people.indices, using: &random)]
            let visible = entries.filter { $0.boost == nil && $0.visibility != .direct && $0.visibility != .followers }
            if Int.random(in: 0..<4, using: &random) == 0, let target = visible.randomElement(using: &random) {
                guard !entries.contains(where: { $0.boost?.account.id == author.id && $0.id == target.id }) else {
                    return
                }
                entries.append(try await store.statuses.boost(target.id, visibility: nil, by: author.id))
                return
            }
            let visibility = Visibility.allCases[Int.random(in: 0..<4, using: &random)]
            let name = visibility == .direct ? "@user\(Int.random(in: 0..<people.count, using: &random)) " : ""
            let target = Int.random(in: 0..<3, using: &random) == 0 ? visible.randomElement(using: &random) : nil
            entries.append(try await store.post("\(name)post \(number)", by: author, visibility, replyTo: target?.id))
        }

        /// Performed last, so that the model need not know what a block prevents.
        private mutating func quarrel(_ random: inout SplitMix64) async throws {
            for _ in 0..<5 {
                let (one, other) = (
                    people[Int.random(in: people.indices, using: &random)].id,
                    people[Int.random(in: people.indices, using: &random)].id
                )
                guard one != other else { continue }
                if Bool.random(using: &random) {
                    try await MuteStore(store.database).mute(other, by: one, Mute())
                    viewers[one]?.hidden.insert(other)
                } else {
                    try await BlockStore(store.database).block(other, by: one)
                    for (a, b) in [(one, other), (other, one)] {
                        viewers[a]?.hidden.insert(b)
                        viewers[a]?.follows[b] = nil
                    }
                }
            }
        }
    }
}
