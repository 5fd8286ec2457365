import FeedCore
import Testing

struct TrendRankingTests {
    @Test func hashtagsAreRankedByTheirAuthorsOfTwoDays() {
        let uses = [("a", 2), ("b", 3), ("c", 1), ("d", 1), ("a", 2), ("c", 1)]
        #expect(TrendRanking.tags(uses.map { (tag: $0.0, accounts: $0.1) }) == ["a", "b", "c"])
        // Numbers in a database may be wrong.
        #expect(TrendRanking.tags([(tag: "a", accounts: .max), (tag: "a", accounts: 1)]) == ["a"])
        #expect(TrendRanking.tags([(tag: "b", accounts: 2), (tag: "a", accounts: 2)]) == ["a", "b"])
    }

    @Test func statusesAreRankedByInteractions() {
        let candidates = [(1, 5), (2, 1), (3, 5), (4, 9), (5, 2)].map {
            TrendRanking.Candidate(id: $0.0, interactions: $0.1)
        }
        #expect(TrendRanking.statuses(candidates) == [4, 3, 1, 5])
        let many = (1...100).map { TrendRanking.Candidate(id: Int64($0), interactions: 2) }
        #expect(TrendRanking.statuses(many) == (61...100).reversed().map(Int64.init))
    }
}
