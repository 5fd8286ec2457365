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

/// The limits on polls, those of Mastodon. They are not configurable, because apps rely on them.
package enum PollLimits {
    /// The number of options.
    package static let options = 2...4
    /// The maximum length of an option in grapheme clusters.
    package static let optionCharacters = 50
    /// The time in seconds for which a poll is open: five minutes to a month.
    package static let seconds: ClosedRange<Int64> = 300...2_629_746
}
