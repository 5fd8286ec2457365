import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit, .onSQLite)
struct ReactionCostTests {
    /// A page reads an index in its own order, so its cost does not depend on the total number.
    @Test func reactionListsAreReadInIndexOrder() async throws {
        let store = try TestStore()
        let pages = [
            Pagination(limit: 40), Pagination(limit: 40, maxID: 9), Pagination(limit: 40, minID: 9),
            Pagination(limit: 40, sinceID: 9),
        ]
        for (relation, index) in [(ReactionKind.boosted, "status_boost"), (.favourited, "favourite_status")] {
            for viewer: Int64? in [nil, 1] {
                for page in pages {
                    let query = StatusStore.reactions(relation, of: 7, page, for: viewer, now: 0)
                    let plan = try await store.database.read { db in
                        try db.fetchAll("EXPLAIN QUERY PLAN \(query)").map { try $0[3] as String }
                    }
                    #expect(plan.contains { $0.hasPrefix("SEARCH x USING") && $0.contains(index) }, "\(plan)")
                    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN x") }, "\(plan)")
                }
            }
        }
    }
}
