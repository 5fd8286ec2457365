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
