/// Ranks hashtags and statuses by how many people used or liked them.
package enum TrendRanking {
    /// The maximum number of trending hashtags, and of trending statuses.
    package static let maximum = 40
    /// The number of accounts that must use or like something before it trends.
    package static let minimum = 2

    /// A status with the number of its favourites and boosts.
    package struct Candidate: Sendable, Equatable {
        package var id: Int64
        package var interactions: Int

        package init(id: Int64, interactions: Int) {
            self.id = id
            self.interactions = interactions
        }
    }

    /// Hashtags by the number of their authors, today and yesterday.
    /// - Parameter uses: The uses of each hashtag on these days.
    package static func tags(_ uses: [(tag: String, accounts: Int)]) -> [String] {
        let scores = Dictionary(uses.map { ($0.tag, $0.accounts) }) { one, other in
            let (sum, overflows) = one.addingReportingOverflow(other)
            return overflows ? .max : sum
        }
        return scores.filter { $0.value >= minimum }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    /// Statuses by interactions; of two with the same number, the newer one first.
    package static func statuses(_ candidates: [Candidate]) -> [Int64] {
        candidates.filter { $0.interactions >= minimum }
            .sorted { ($0.interactions, $0.id) > ($1.interactions, $1.id) }
            .prefix(maximum).map(\.id)
    }
}
