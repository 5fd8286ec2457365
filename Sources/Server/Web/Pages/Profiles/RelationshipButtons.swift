import FeedCore

/// The buttons of a profile, which follow from the viewer's relationship to the account.
struct RelationshipButtons: Sendable {
    let relationship: Relationship
    let account: Account
    let text: any PageText

    /// Following, and what the account waits for.
    var main: [PageButton] {
        guard !relationship.isBlocking else { return [button("unblock", text.unblock, isMain: true)] }
        let request =
            relationship.isRequested
            ? [button("accept", text.acceptRequest, isMain: true), button("reject", text.rejectRequest)] : []
        let isRequest = relationship.following == nil && (relationship.requested != nil || account.isLocked)
        let follow = ("follow", account.isLocked ? text.askToFollow : text.follow)
        let unfollow = ("unfollow", isRequest ? text.withdrawRequest : text.unfollow)
        let state = isRequest ? text.youAsked : text.youFollow
        if relationship.following != nil {
            return request + [button(unfollow, or: follow, state: state)] + options
        }
        if relationship.requested != nil { return request + [button(unfollow, or: follow, state: state)] }
        return request + [button(follow, or: unfollow, isMain: true, state: state)]
    }

    private var options: [PageButton] {
        guard let options = relationship.following else { return [] }
        let notify = [("unnotify", text.stopNotifying), ("notify", text.notify)]
        let boosts = [("hide_boosts", text.hideBoosts), ("show_boosts", text.showBoosts)]
        return [
            options.notifies ? button(notify[0], or: notify[1]) : button(notify[1], or: notify[0]),
            options.showsReblogs ? button(boosts[0], or: boosts[1]) : button(boosts[1], or: boosts[0]),
        ]
    }

    var more: [PageButton] {
        [
            relationship.mute == nil ? nil : button("unmute", text.unmute),
            relationship.isBlocking ? nil : button("block", text.block),
            relationship.isFollowed ? button("remove_follower", text.removeFollower) : nil,
        ].compactMap(\.self)
    }

    private func button(_ action: String, _ label: String, isMain: Bool = false) -> PageButton {
        PageButton(path: path(action), label: label, subject: "@" + account.username, isMain: isMain)
    }

    private func button(
        _ action: (name: String, label: String), or opposite: (name: String, label: String), isMain: Bool = false,
        state: String? = nil
    ) -> PageButton {
        PageButton(
            (path(action.name), action.label), or: (path(opposite.name), opposite.label),
            subject: "@" + account.username, isMain: isMain, state: state)
    }

    private func path(_ action: String) -> String { "/@\(account.username)/\(action)" }
}

extension Relationship {
    /// Whether the viewer follows the account, or has asked for it.
    fileprivate func followState(_ text: any PageText) -> String? {
        if following != nil { return text.youFollow }
        return requested == nil ? nil : text.youAsked
    }

    /// Further facts for the viewer, in sentences.
    fileprivate func states(in locale: PageLocale) -> [String] {
        let text = locale.text
        return [
            isFollowed ? text.followsYou : nil, isRequested ? text.asksToFollowYou : nil,
            isBlocking ? text.youBlock : nil, isBlocked ? text.blocksYou : nil,
            mute.map { text.youMute(until: $0.expiresAt.map(locale.date), hidesNotifications: $0.hidesNotifications) },
        ].compactMap(\.self)
    }
}

extension TemplateValues {
    /// The viewer's relationship to an account, and what the viewer can do about it.
    init(_ relationship: Relationship, to account: Account, in locale: PageLocale) {
        self.init()
        let buttons = RelationshipButtons(relationship: relationship, account: account, text: locale.text)
        set(.followState, relationship.followState(locale.text))
        self[.states] = .texts(relationship.states(in: locale))
        self[.buttons] = .list(buttons.main.map { TemplateValues($0) })
        self[.moreButtons] = .list(buttons.more.map { TemplateValues($0) })
        set(.muteForm, relationship.mute == nil)
        set(.privateNote, relationship.note.nonEmpty)
    }
}
