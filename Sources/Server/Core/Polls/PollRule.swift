/// The rules for voting in polls and for editing them.
package enum PollRule {
    /// The maximum number of voters who are notified of the end of a poll, since a single transaction closes it.
    package static let maximumNotified = NotificationRule.maximumRecipients

    /// Checks whether an account may choose options. As in Mastodon, it may choose further options of a poll with
    /// multiple choice later.
    /// - Parameters:
    ///   - choices: The numbers of the options, from 0.
    ///   - poll: The poll as the account sees it.
    ///   - author: The author of the poll.
    ///   - now: Milliseconds since 1970.
    /// - Throws: ``FeedError`` `.invalid`, with the wording of Mastodon.
    package static func check(
        _ choices: [Int], in poll: Poll, of author: Int64, by account: Int64, at now: Int64
    ) throws(FeedError) {
        guard account != author else { throw .invalid("You cannot vote in your own polls") }
        guard !poll.isExpired, now < poll.expiresAt else { throw .invalid("The poll has already ended") }
        guard !choices.isEmpty, choices.allSatisfy(poll.options.indices.contains) else {
            throw .invalid("The chosen vote option does not exist")
        }
        let isRepeated = Set(choices).count < choices.count || !Set(choices).isDisjoint(with: poll.ownVotes)
        let isSecond = !poll.isMultiple && choices.count + poll.ownVotes.count > 1
        guard !isRepeated, !isSecond else { throw .invalid("You have already voted on this poll") }
    }

    /// Whether an edit makes the votes meaningless. A different end does not.
    package static func resetsVotes(of old: Poll, _ new: PollDraft) -> Bool {
        old.titles != new.options || old.isMultiple != new.isMultiple
    }

    /// Whether an edit changes, adds or removes a poll.
    /// - Parameter now: The time of the edit in milliseconds since 1970.
    package static func changes(_ old: Poll?, to new: PollDraft?, at now: Int64) -> Bool {
        guard let old, let new else { return (old == nil) != (new == nil) }
        return resetsVotes(of: old, new) || old.hidesTotals != new.hidesTotals || old.expiresAt != new.end(from: now)
    }
}

/// A poll to be posted with a status.
package struct PollDraft: Sendable, Equatable {
    /// The texts of the options, without surrounding white space; none is empty.
    package let options: [String]
    /// The time in seconds from the publication, or from an edit, to the end; `nil` if it is missing.
    package var seconds: Int64?
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
        guard let seconds else { throw .invalid("Expires at can't be blank") }
        guard seconds >= PollLimits.seconds.lowerBound else { throw .invalid("Expires at is too soon") }
        guard seconds <= PollLimits.seconds.upperBound else { throw .invalid("Expires at is too far into the future") }
    }

    /// The time of the end in milliseconds since 1970. A missing or impossible duration counts as the nearest limit.
    /// - Parameter now: Milliseconds since 1970.
    package func end(from now: Int64) -> Int64 {
        let limits = PollLimits.seconds
        return now + 1000 * min(max(seconds ?? limits.lowerBound, limits.lowerBound), limits.upperBound)
    }
}

/// The limits on polls, those of Mastodon. They are not configurable, because apps rely on them.
package enum PollLimits {
    /// The number of options.
    package static let options = 2...4
    /// The maximum length of an option in grapheme clusters.
    package static let optionCharacters = 50
    /// The time in seconds for which a poll is open: five minutes to a month.
    package static let seconds: ClosedRange<Int64> = 300...2_629_746
}
