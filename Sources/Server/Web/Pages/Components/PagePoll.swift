import FeedAPI
import FeedCore

/// The numbers of a poll on a page.
enum PagePoll {
    /// The number of votes; with multiple choice, also of the people who have voted.
    static func summary(of poll: Poll, _ text: any PageText = EnglishText()) -> String {
        poll.isMultiple ? text.votes(poll.votesCount, of: poll.votersCount) : text.votes(poll.votesCount)
    }

    /// The part of the voters who chose an option, from 0 to 100.
    static func percentage(_ votes: Int, of voters: Int) -> Int {
        guard votes > 0, voters > 0 else { return 0 }
        return min(100, Int((Double(votes) / Double(voters) * 100).rounded()))
    }
}

/// The poll of a status on a page.
extension TemplateValues {
    /// - Returns: `nil` if the status has no poll.
    init?(
        pollOf status: Status, _ emoji: EmojiSet, viewer: Account? = nil, in locale: PageLocale = .standard
    ) {
        guard let poll = status.poll else { return nil }
        self.init()
        self[.pollOptions] = .list(poll.options.indices.map { TemplateValues($0, of: poll, emoji, locale.text) })
        set(.pollSummary, PagePoll.summary(of: poll, locale.text))
        set(.pollHidden, !poll.showsTotals)
        set(.pollClosed, poll.isExpired)
        set(.pollEnd, ISO8601.text(milliseconds: poll.expiresAt))
        set(.pollEndText, locale.date(poll.expiresAt))
        if let viewer { setVoting(in: poll, of: status, for: viewer) }
    }

    /// An option. The values that are not set must not have the name of a value of the status.
    private init(_ number: Int, of poll: Poll, _ emoji: EmojiSet, _ text: any PageText) {
        self.init()
        let option = poll.options[number]
        set(.pollNumber, String(number))
        set(.chosen, poll.ownVotes.contains(number))
        self[.pollTitle] = emoji.value(option.title)
        guard poll.showsTotals else { return }
        set(.pollShare, String(PagePoll.percentage(option.votesCount, of: poll.votersCount)))
        set(.pollVotes, text.votes(option.votesCount))
    }
}
