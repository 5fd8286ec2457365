import FeedAPI
import FeedCore

/// The poll of a status on a page.
extension TemplateValues {
    /// - Returns: `nil` if the status has no poll.
    init?(pollOf status: Status, _ emoji: EmojiSet, viewer: Account? = nil) {
        guard let poll = status.poll else { return nil }
        self.init()
        self[.pollOptions] = .list(poll.options.indices.map { TemplateValues($0, of: poll, emoji) })
        set(.pollSummary, PollText.summary(of: poll))
        set(.pollHidden, !poll.showsTotals)
        set(.pollClosed, poll.isExpired)
        set(.pollEnd, ISO8601.text(milliseconds: poll.expiresAt))
        set(.pollEndText, PageDate.full(poll.expiresAt, in: PageTimeZone(of: viewer)))
        if let viewer { setVoting(in: poll, of: status, for: viewer) }
    }

    /// An option. The values that are not set must not have the name of a value of the status.
    private init(_ number: Int, of poll: Poll, _ emoji: EmojiSet) {
        self.init()
        let option = poll.options[number]
        set(.pollNumber, String(number))
        set(.chosen, poll.ownVotes.contains(number))
        self[.pollTitle] = emoji.value(option.title)
        guard poll.showsTotals else { return }
        set(.pollShare, String(PollText.percentage(option.votesCount, of: poll.votersCount)))
        set(.pollVotes, PollText.votes(option.votesCount))
    }
}

/// Texts about polls.
enum PollText {
    /// The number of votes; with multiple choice, also of the people who have voted.
    static func summary(of poll: Poll) -> String {
        guard poll.isMultiple else { return votes(poll.votesCount) }
        let people = poll.votersCount == 1 ? "1 person" : "\(poll.votersCount) people"
        return votes(poll.votesCount) + " by " + people + ", several choices allowed"
    }

    static func votes(_ count: Int) -> String { count == 1 ? "1 vote" : "\(count) votes" }

    /// The part of the voters who chose an option, from 0 to 100.
    static func percentage(_ votes: Int, of voters: Int) -> Int {
        guard votes > 0, voters > 0 else { return 0 }
        return min(100, Int((Double(votes) / Double(voters) * 100).rounded()))
    }
}
