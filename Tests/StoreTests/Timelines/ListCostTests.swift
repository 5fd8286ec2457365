import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// The cost of the timeline of the largest list, and of a home timeline with as many followed hashtags as allowed, at any
/// depth. It does not depend on the number of statuses.
@Suite(.hangLimit, .onSQLite)
struct ListCostTests {
    private static let members = ListRule.maximumMembers
    private static let tags = TagRule.maximum
    private static let statuses = 30_000
    /// The additional cost per member of a list.
    private static let boundPerMember = 80
    /// The additional cost per followed hashtag, whose statuses often have another one, too.
    private static let boundPerTag = 500

    /// A viewer who follows 500 of 1,500 accounts.
    private struct City {
        let store: TestStore
        let viewer: Account
        let people: [Int64]

        init() async throws {
            let store = try TestStore()
            let viewer = try await store.account("viewer")
            people = try await store.database.commits.write { db in
                let people = try (0..<members + 1000).map { index in
                    try AccountStore.insert(NewAccount(username: "user\(index)"), createdAt: 1, importID: 0, into: db)
                }
                for id in people.prefix(members) {
                    try db.execute(
                        """
                        INSERT INTO follow (follower_id, followee_id, created_at) VALUES (\(viewer.id), \(id), 1)
                        """)
                }
                try db.execute("UPDATE account SET following_count = \(members) WHERE id = \(viewer.id)")
                return people
            }
            (self.store, self.viewer) = (store, viewer)
        }

        /// Posts all statuses.
        /// - Parameter describe: The index of the author, and the hashtags of a status with a number.
        func post(_ describe: @escaping @Sendable (Int, inout SplitMix64) -> (author: Int, tags: Set<String>))
            async throws
        {
            try await store.database.commits.write { db in
                var random = SplitMix64(seed: 1)
                for number in 1...statuses {
                    let (author, tags) = describe(number, &random)
                    let id = Int64(number) * 1000
                    try db.execute(
                        """
                        INSERT INTO status (id, account_id, created_at, visibility, text, content)
                        VALUES (\(id), \(people[author]), 0, 0, 'x', '<p>x</p>')
                        """)
                    for tag in tags {
                        try db.execute(
                            """
                            INSERT INTO status_tag (status_id, tag, account_id, visibility)
                            VALUES (\(id), \(tag), \(people[author]), 0)
                            """)
                    }
                }
            }
        }

        /// Reads the first rows of a page and compares them with those expected.
        /// - Parameter wanted: The ids of all statuses of the timeline, ascending.
        func check(_ timeline: Timeline, _ page: Pagination, _ wanted: [Int64], bound: Int) async throws {
            let reader = TimelineReader(timeline, for: viewer.id, now: store.clock.now)
            let (steps, found, end) = try await store.database.read { db in
                var step: TimelineReader<Status>.Step?
                let steps = try db.steps { step = try reader.step(page, isFirst: true, in: db) }
                return (steps, step?.statuses.map(\.id) ?? [], step?.end)
            }
            let inside = wanted.filter { $0 < page.maxID ?? .max && $0 > page.floor ?? -1 }
            let expected = (page.isAscending ? inside : inside.reversed()).prefix(page.limit)
            #expect(steps < bound, "\(page): \(steps)")
            #expect(found == Array(expected.prefix(found.count)), "\(page)")
            #expect(found.count == expected.count || end != nil && found.count > 20, "\(page)")
        }
    }

    private static let pages: [Pagination] = {
        let newest = Int64(statuses) * 1000
        return [
            Pagination(limit: 41), Pagination(limit: 41, maxID: newest / 2), Pagination(limit: 41, sinceID: newest / 2),
            Pagination(limit: 41, minID: newest / 2), Pagination(limit: 21, minID: 0),
        ]
    }()

    @Test(arguments: [2, 100])
    func listCostsOneSeekPerMember(interval: Int) async throws {
        let city = try await City()
        let list = try await city.store.lists.create(ListDraft(title: "all"), by: city.viewer.id)
        for start in stride(from: 0, to: Self.members, by: 100) {
            let some = Array(city.people[start..<start + 100])
            try await city.store.lists.add(some, to: list.id, of: city.viewer.id)
        }
        try await city.post { number, random in
            number % interval == 0
                ? (Int.random(in: 0..<Self.members, using: &random), [])
                : (Self.members + Int.random(in: 0..<1000, using: &random), [])
        }
        let wanted = (1...Self.statuses).filter { $0 % interval == 0 }.map { Int64($0) * 1000 }
        let bound = PageCost.bound + Self.members * Self.boundPerMember
        for page in Self.pages { try await city.check(.list(list), page, wanted, bound: bound) }
        // All of them are members of a list that is not exclusive, which costs the home timeline nothing.
        let limit = interval == 2 ? PageCost.bound : bound
        for page in Self.pages { try await city.check(.home(city.viewer.id), page, wanted, bound: limit) }
    }

    /// Few statuses have a followed hashtag, so the newest ones do not fill a page.
    @Test func hashtagsAtHomeCostAFewRowsEach() async throws {
        let city = try await City()
        try await city.store.database.commits.write { db in
            try db.execute("DELETE FROM follow")
            try db.execute("UPDATE account SET following_count = 0")
        }
        for number in 0..<Self.tags { try await city.store.tagFollows.follow(tag: "t\(number)", by: city.viewer.id) }
        try await city.post { number, random in
            let tags = (0..<2).map { _ in "t\(Int.random(in: 0..<Self.tags, using: &random))" }
            return (Int.random(in: 0..<1000, using: &random), number % 50 == 0 ? Set(tags) : ["other"])
        }
        let wanted = (1...Self.statuses).filter { $0 % 50 == 0 }.map { Int64($0) * 1000 }
        let bound = PageCost.bound + Self.tags * Self.boundPerTag
        for page in Self.pages { try await city.check(.home(city.viewer.id), page, wanted, bound: bound) }
    }

    /// Accounts without lists and hashtags pay only for finding that out.
    @Test func findingNeitherListsNorHashtagsCostsLittle() async throws {
        let city = try await City()
        let viewer = city.viewer.id
        let (steps, content) = try await city.store.database.read { db in
            // The first statement of a connection reads the schema.
            var content: HomeContent? = try HomeContent(of: viewer, in: db)
            let steps = try db.steps { content = try HomeContent(of: viewer, in: db) }
            return (steps, content)
        }
        #expect(steps < 100, "\(steps)")
        #expect(content?.follows == Self.members && content?.hasTags == false && content?.hasExclusiveLists == false)
    }
}
