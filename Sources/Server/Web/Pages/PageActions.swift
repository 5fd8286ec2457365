import FeedCore

/// What a member can do with a status on a page, and has done.
extension TemplateValues {
    mutating func setActions(on status: Status, for viewer: Account) {
        let isOwn = status.account.id == viewer.id
        set(.actions, true)
        set(.favourited, status.marks.contains(.favourite))
        set(.bookmarked, status.marks.contains(.bookmark))
        set(.boosted, status.isBoostedByViewer)
        set(.boostable, status.isBoostedByViewer || status.isBoostable(by: viewer.id))
        set(.own, isOwn)
        set(.pinned, status.marks.contains(.pin))
        set(.pinnable, isOwn && status.visibility != .direct)
    }

    /// Shows a poll as a form as long as the viewer may vote, and what they have chosen afterwards.
    mutating func setVoting(in poll: Poll, of status: Status, for viewer: Account) {
        set(.voting, status.account.id != viewer.id && !poll.isExpired && poll.ownVotes.isEmpty)
        set(.multiple, poll.isMultiple)
    }
}

extension Status {
    fileprivate func isBoostable(by account: Int64) -> Bool {
        (try? BoostRule.visibility(of: self, wanted: nil, by: account)) != nil
    }
}
