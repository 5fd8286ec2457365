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

/// A poll to be posted with a status.
package struct PollDraft: Sendable, Equatable {
    /// The texts of the options, without surrounding white space; none is empty.
    package let options: [String]
    /// The time in seconds from the publication, or from an edit, to the end; `nil` if it is missing.
    package var seconds: Int64?
    /// The end that an edit keeps, whatever ``seconds`` is; in milliseconds since 1970.
    package var keptEnd: Int64?
    /// Whether a voter may choose several options.
    package var isMultiple: Bool
    /// Whether the votes for each option stay hidden until the poll has ended.
    package var hidesTotals: Bool

    /// Drops surrounding white space and empty options, as Mastodon does.
    package init(options: [String], seconds: Int64?, isMultiple: Bool = false, hidesTotals: Bool = false) {
        self.options = options.map(Self.trimmed).filter { !$0.isEmpty }
        self.seconds = seconds
        self.isMultiple = isMultiple
        self.hidesTotals = hidesTotals
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// The size of all options in bytes.
    package var bytes: Int { options.reduce(0) { $0 + $1.utf8.count } }

    /// - Throws: ``FeedError`` `.invalid`, with the wording of Mastodon.
    package func check() throws(FeedError) {
        guard options.count >= PollLimits.options.lowerBound else {
            throw .invalid("Options must have more than one item")
        }
        guard options.count <= PollLimits.options.upperBound else {
            throw .invalid("Options can't contain more than \(PollLimits.options.upperBound) items")
        }
        guard options.allSatisfy({ $0.count <= PollLimits.optionCharacters }) else {
            throw .invalid("Options cannot be longer than \(PollLimits.optionCharacters) characters each")
        }
        guard Set(options).count == options.count else { throw .invalid("Options contain duplicate items") }
        guard keptEnd == nil else { return }
        guard let seconds else { throw .invalid("Expires at can't be blank") }
        guard seconds >= PollLimits.seconds.lowerBound else { throw .invalid("Expires at is too soon") }
        guard seconds <= PollLimits.seconds.upperBound else { throw .invalid("Expires at is too far into the future") }
    }

    /// The time of the end in milliseconds since 1970. A missing or impossible duration counts as the nearest limit.
    /// - Parameter now: Milliseconds since 1970.
    package func end(from now: Int64) -> Int64 {
        if let keptEnd { return keptEnd }
        let limits = PollLimits.seconds
        return now + 1000 * min(max(seconds ?? limits.lowerBound, limits.lowerBound), limits.upperBound)
    }
}
