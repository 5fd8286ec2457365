import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// The cost of a home timeline of 5,000 followed accounts, at any depth. It does not depend on the number of statuses.
@Suite(.hangLimit, .onSQLite)
struct HomeCostTests {
    private static let follows = 5000
    private static let statuses = 30_000
    /// The additional cost per followed account if the newest statuses of all accounts do not fill a page.
    private static let boundPerAccount = 80

    /// A viewer who follows 5,000 of 6,000 accounts.
    private struct City {
        let store: TestStore
        let viewer: Int64
        /// The ids of the statuses of followed accounts, ascending.
        let wanted: [Int64]

        /// - Parameter interval: One of so many statuses is by a followed account.
        init(oneOf interval: Int) async throws {
            let store = try TestStore()
            let viewer = try await store.account("viewer").id
            wanted = try await store.database.commits.write { db in
                let people = try (0..<follows + 1000).map { index in
                    try AccountStore.insert(NewAccount(username: "user\(index)"), createdAt: 1, importID: 0, into: db)
                }
                for id in people.prefix(follows) {
                    try db.cachedStatement(
                        sql: "INSERT INTO follow (follower_id, followee_id, created_at) VALUES (?, ?, 1)"
                    ).execute(arguments: [viewer, id])
                }
                try db.execute(
                    sql: "UPDATE account SET following_count = ? WHERE id = ?", arguments: [follows, viewer])
                return try Self.post(people, oneOf: interval, in: db)
            }
            (self.store, self.viewer) = (store, viewer)
        }

        private static func post(_ people: [Int64], oneOf interval: Int, in db: Database) throws -> [Int64] {
            var random = SplitMix64(seed: 1)
            var wanted: [Int64] = []
            for number in 1...statuses {
                let (id, isWanted) = (Int64(number) * 1000, number % interval == 0)
                let author =
                    isWanted
                    ? Int.random(in: 0..<follows, using: &random) : follows + Int.random(in: 0..<1000, using: &random)
                try db.cachedStatement(
                    sql: """
                        INSERT INTO status (id, account_id, created_at, visibility, text, content)
                        VALUES (?, ?, 0, 0, 'x', '<p>x</p>')
                        """
                ).execute(arguments: [id, people[author]])
                if isWanted { wanted.append(id) }
            }
            return wanted
        }

        /// The ids that a page shows, nearest first.
        func expected(_ page: Pagination) -> [Int64] {
            let inside = wanted.filter { $0 < page.maxID ?? .max && $0 > page.floor ?? -1 }
            return Array((page.isAscending ? inside : inside.reversed()).prefix(page.limit))
        }
    }

    private static let pages: [Pagination] = {
        let newest = Int64(statuses) * 1000
        return [
            Pagination(limit: 41), Pagination(limit: 41, maxID: newest / 2), Pagination(limit: 41, maxID: newest / 4),
            Pagination(limit: 41, sinceID: newest / 2), Pagination(limit: 41, sinceID: newest - 400_000),
            Pagination(limit: 41, maxID: newest / 2, sinceID: newest / 4), Pagination(limit: 41, minID: newest / 2),
            Pagination(limit: 41, minID: newest - 400_000), Pagination(limit: 41, minID: 0),
        ]
    }()

    @Test func pagesAreOneBoundedQueryIfFollowedAccountsPostMuch() async throws {
        let city = try await City(oneOf: 2)
        for page in Self.pages { try await Self.check(page, of: city, bound: PageCost.bound) }
    }

    @Test func pagesCostOneSeekPerFollowedAccountIfTheyPostLittle() async throws {
        let city = try await City(oneOf: 100)
        let bound = PageCost.bound + Self.follows * Self.boundPerAccount
        for page in Self.pages { try await Self.check(page, of: city, bound: bound) }
    }

    private static func check(_ page: Pagination, of city: City, bound: Int) async throws {
        let reader = TimelineReader(.home(city.viewer), for: city.viewer, now: city.store.clock.now)
        let (steps, found) = try await city.store.database.read { db in
            var found: [Int64] = []
            let steps = try db.steps { found = try reader.step(page, isFirst: true, in: db).statuses.map(\.id) }
            return (steps, found)
        }
        #expect(steps < bound, "\(page): \(steps)")
        #expect(found == city.expected(page), "\(page)")
    }
}
