import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedStore

/// Compares both ways of reading a home timeline, and the timelines of lists, with a simple model: random accounts that
/// post, reply, boost, follow accounts and hashtags, make lists, block and mute.
@Suite(.hangLimit)
struct HomeWalkTests {
    /// The model's state of a list.
    private struct List {
        let list: AccountList
        var members: Set<Int64>
    }

    /// The model's state of an account.
    private struct Viewer {
        let id: Int64
        /// The followed accounts, and whether their boosts are shown.
        var follows: [Int64: Bool] = [:]
        var tags: Set<String> = []
        var lists: [List] = []
        var hidden: Set<Int64> = []

        func follows(_ id: Int64) -> Bool { id == self.id || follows[id] != nil && !hidden.contains(id) }
        func takesBoosts(of id: Int64) -> Bool { id == self.id || follows[id] == true && !hidden.contains(id) }

        /// Whether the home timeline may contain statuses of an account.
        func includes(_ id: Int64) -> Bool {
            id == self.id || !lists.contains { $0.list.isExclusive && $0.members.contains(id) }
        }

        /// Whether the hashtags of a status bring it to the home timeline.
        func findsByTag(_ post: Status) -> Bool {
            let hides = [post.account.id, post.inReplyToAccountID].contains { $0.map(hidden.contains) ?? false }
            return post.visibility == .public && !hides && post.tags.contains { tags.contains($0.lowercased()) }
        }

        /// Ends a follow, which removes the account from all lists.
        mutating func unfollow(_ id: Int64) {
            follows[id] = nil
            for index in lists.indices { lists[index].members.remove(id) }
        }
    }

    /// A threshold of 0 reads the newest statuses of all accounts; the other value never does.
    @Test(arguments: [0, 1000], Array(1...UInt64(Soak.rounds(2, soaking: 20))))
    func timelinesMatchTheModel(many: Int, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let village = try await Village(size: 9, statuses: 160, random: &random)
        for person in village.people {
            let viewer = village.viewer(person.id)
            let expected = village.entries.reversed().filter { shows($0, to: viewer, of: village) }.map(\.pageID)
            for limit in [1, 6, 40] {
                try await check(.home(person.id), village.store, viewer.id, expected, limit, many)
            }
            for list in viewer.lists { try await check(list, viewer, village, many) }
        }
    }

    /// A stream finds all recipients of a status with one query.
    @Test(arguments: [4, 5, 6] as [UInt64])
    func streamsReachThoseWhoseTimelinesShowTheStatus(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let village = try await Village(size: 9, statuses: 160, random: &random)
        let viewers = village.people.map { village.viewer($0.id) }
        var readers = SubscribedAccounts()
        readers.home = Set(viewers.map(\.id))
        for viewer in viewers { for list in viewer.lists { readers.lists[list.list.id] = viewer.id } }
        let rows = try await village.store.changes.changes(after: 0, limit: 10_000)
            .filter { $0.kind == .statusCreated || $0.kind == .boosted }
        #expect(rows.map(\.subject) == village.entries.map(\.pageID))
        let found = try await village.store.streams.recipients(of: rows, among: readers)
        for (entry, recipients) in zip(village.entries, found) {
            let home = viewers.filter { shows(entry, to: $0, of: village) }.map(\.id)
            #expect(recipients.home == Set(home), "seed \(seed): \(entry.pageID)")
            let lists = viewers.flatMap { viewer in
                viewer.lists.filter { shows(entry, in: $0, to: viewer, of: village) }.map(\.list.id)
            }
            #expect(recipients.lists == Set(lists), "seed \(seed): \(entry.pageID)")
        }
    }

    private func check(_ list: List, _ viewer: Viewer, _ village: Village, _ many: Int) async throws {
        #expect(try await village.store.lists.memberIDs(of: list.list.id) == list.members)
        let expected = village.entries.reversed().filter { shows($0, in: list, to: viewer, of: village) }.map(\.pageID)
        for limit in [1, 6, 40] {
            try await check(.list(list.list), village.store, viewer.id, expected, limit, many)
        }
    }

    private func shows(_ entry: Status, to viewer: Viewer, of village: Village) -> Bool {
        let author = entry.boost?.account.id ?? entry.account.id
        guard viewer.includes(author) else { return false }
        if entry.boost != nil {
            return viewer.follows(author) && showsBoost(entry, to: viewer, of: village) { viewer.includes($0) }
                && !repeats(entry, for: viewer, of: village)
        }
        return author == viewer.id || viewer.follows(author) && showsPost(entry, to: viewer)
            || viewer.findsByTag(entry)
    }

    private func showsPost(_ post: Status, to viewer: Viewer) -> Bool {
        let isForViewer = post.visibility != .direct || post.mentions.contains { $0.id == viewer.id }
        return isForViewer && (post.inReplyToAccountID.map { viewer.follows($0) } ?? true)
    }

    private func showsBoost(
        _ entry: Status, to viewer: Viewer, of village: Village, among isBooster: (Int64) -> Bool
    ) -> Bool {
        let boosters = village.entries.filter { $0.boost != nil && $0.id == entry.id && $0.pageID < entry.pageID }
            .compactMap { $0.boost?.account.id }
        let isFirst = !boosters.contains { viewer.takesBoosts(of: $0) && isBooster($0) }
        return viewer.takesBoosts(of: entry.boost?.account.id ?? 0) && !viewer.hidden.contains(entry.account.id)
            && isFirst
    }

    /// Whether a boost follows a status of followed accounts within 40 entries, or is the viewer's own.
    private func repeats(_ entry: Status, for viewer: Viewer, of village: Village) -> Bool {
        guard let original = village.entries.first(where: { $0.boost == nil && $0.id == entry.id }),
            let booster = entry.boost?.account.id, viewer.includes(original.account.id),
            original.account.id == viewer.id || viewer.follows(original.account.id) && showsPost(original, to: viewer)
        else { return false }
        let between = village.entries.filter { $0.pageID > original.id && $0.pageID < entry.pageID }
        return booster == viewer.id || between.count { isCounted($0, for: viewer) } < 40
    }

    private func isCounted(_ entry: Status, for viewer: Viewer) -> Bool {
        let author = entry.boost?.account.id ?? entry.account.id
        let target = entry.boost == nil ? entry.inReplyToAccountID : nil
        return (author == viewer.id || viewer.follows[author] != nil)
            && (entry.boost?.visibility ?? entry.visibility) != .direct
            && (target.map { [author, viewer.id].contains($0) } ?? true)
    }

    private func shows(_ entry: Status, in list: List, to viewer: Viewer, of village: Village) -> Bool {
        let author = entry.boost?.account.id ?? entry.account.id
        guard list.members.contains(author), !viewer.hidden.contains(author) else { return false }
        if entry.boost != nil {
            return showsBoost(entry, to: viewer, of: village) { list.members.contains($0) }
        }
        guard entry.visibility != .direct else { return false }
        guard let target = entry.inReplyToAccountID, target != author, target != viewer.id else { return true }
        return switch list.list.repliesPolicy {
        case .none: false
        case .list: list.members.contains(target) && !viewer.hidden.contains(target)
        case .followed: viewer.follows(target)
        }
    }

    private func check(
        _ timeline: Timeline, _ store: TestStore, _ viewer: Int64, _ expected: [Int64], _ limit: Int, _ many: Int
    ) async throws {
        func read(_ page: Pagination) async throws -> [Int64] {
            let reader = TimelineReader(timeline, for: viewer, now: store.clock.now, manyFollows: many)
            return try await reader.page(page, in: store.database).entries.map(\.pageID)
        }
        #expect(try await read(Pagination(limit: limit)) == Array(expected.prefix(limit)), "\(timeline)")
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
            for person in people { try await follow(tagsBy: person, &random) }
            for person in people { try await makeLists(of: person, &random) }
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

        /// Some accounts follow no hashtag.
        private mutating func follow(tagsBy person: Account, _ random: inout SplitMix64) async throws {
            for tag in ["one", "two", "three"] where Int.random(in: 0..<3, using: &random) == 0 {
                try await store.tagFollows.follow(tag: tag, by: person.id)
                viewers[person.id]?.tags.insert(tag)
            }
        }

        /// Up to two lists of followed accounts and the account itself. Some accounts have no list.
        private mutating func makeLists(of person: Account, _ random: inout SplitMix64) async throws {
            for number in 0..<Int.random(in: 0..<3, using: &random) {
                var members: [Account] = []
                for other in people where other.id == person.id || viewer(person.id).follows[other.id] != nil {
                    if Int.random(in: 0..<3, using: &random) == 0 { members.append(other) }
                }
                let list = try await store.list(
                    "list \(number)", of: person, members,
                    replies: AccountList.RepliesPolicy.allCases.randomElement(using: &random),
                    isExclusive: Bool.random(using: &random))
                viewers[person.id]?.lists.append(List(list: list, members: Set(members.map(\.id))))
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
                entries.append(try await store.boosts.boost(target.id, visibility: nil, by: author.id))
                return
            }
            let visibility = Visibility.allCases[Int.random(in: 0..<4, using: &random)]
            let name = visibility == .direct ? "@user\(Int.random(in: 0..<people.count, using: &random)) " : ""
            let target = Int.random(in: 0..<3, using: &random) == 0 ? visible.randomElement(using: &random) : nil
            let tags = ["", " #one", " #TWO #one", " #three"][Int.random(in: 0..<4, using: &random)]
            entries.append(
                try await store.post("\(name)post \(number)\(tags)", by: author, visibility, replyTo: target?.id))
        }

        /// Performed last, so that the model need not know what a block prevents.
        private mutating func quarrel(_ random: inout SplitMix64) async throws {
            for _ in 0..<8 {
                let (one, other) = (
                    people[Int.random(in: people.indices, using: &random)].id,
                    people[Int.random(in: people.indices, using: &random)].id
                )
                guard one != other else { continue }
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    try await store.mutes.mute(other, by: one, Mute())
                    viewers[one]?.hidden.insert(other)
                case 1:
                    try await store.follows.unfollow(other, by: one)
                    viewers[one]?.unfollow(other)
                default:
                    try await store.blocks.block(other, by: one)
                    for (a, b) in [(one, other), (other, one)] {
                        viewers[a]?.hidden.insert(b)
                        viewers[a]?.unfollow(b)
                    }
                }
            }
        }
    }
}
