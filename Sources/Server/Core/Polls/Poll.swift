/// The poll of a status. Times are milliseconds since 1970, UTC.
package struct Poll: Sendable, Equatable {
    /// An answer to choose.
    package struct Option: Sendable, Equatable {
        package var title: String
        package var votesCount: Int

        package init(title: String, votesCount: Int = 0) {
            self.title = title
            self.votesCount = votesCount
        }
    }

    /// The id of the status: a status has at most one poll.
    package var id: Int64
    package var options: [Option]
    /// Whether a voter may choose several options.
    package var isMultiple: Bool
    /// Whether the votes for each option stay hidden until the poll has been closed.
    package var hidesTotals: Bool
    /// The time from which votes are refused.
    package var expiresAt: Int64
    /// Whether the poll has been closed, which happens shortly after ``expiresAt``.
    package var isExpired: Bool
    package var votersCount: Int
    /// The numbers of the options that the viewer has chosen, from 0, ascending.
    package var ownVotes: [Int]

    package init(
        id: Int64, options: [Option], isMultiple: Bool = false, hidesTotals: Bool = false, expiresAt: Int64,
        isExpired: Bool = false, votersCount: Int = 0, ownVotes: [Int] = []
    ) {
        self.id = id
        self.options = options
        self.isMultiple = isMultiple
        self.hidesTotals = hidesTotals
        self.expiresAt = expiresAt
        self.isExpired = isExpired
        self.votersCount = votersCount
        self.ownVotes = ownVotes
    }

    /// A stored number of votes, limited so that the numbers of all options can be added.
    package static func plausible(_ votes: Int) -> Int { min(max(0, votes), 1 << 48) }

    package var votesCount: Int { options.reduce(0) { $0 + $1.votesCount } }

    /// Whether the votes for each option may be shown. Not even the author sees hidden ones, as in Mastodon.
    package var showsTotals: Bool { isExpired || !hidesTotals }

    package var titles: [String] { options.map(\.title) }
}
