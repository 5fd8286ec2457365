import FeedCore

/// A button on a page, which is a form of its own.
struct PageButton: Sendable {
    /// The path to which the form is sent.
    let path: String
    let label: String
    /// What the button is about, for people who do not see what it stands beside.
    var subject: String?
    /// The page that follows; `nil` for the one that the path implies.
    var next: String?
    /// The id that the form contains.
    var id: Int64?
    /// Whether it is what people mostly want.
    var isMain = false
}

extension PageContext {
    /// Shows links and buttons below the heading.
    mutating func setTools(_ links: [PageNavigation.Link] = [], buttons: [PageButton] = []) {
        var tools = TemplateValues()
        tools[.toolLinks] = .list(
            links.map { link in
                var values = TemplateValues()
                values.set(.toolURL, link.path)
                values.set(.toolText, link.label)
                return values
            })
        tools[.buttons] = .list(buttons.map { TemplateValues($0) })
        set(.pageTools, .object(tools))
    }
}

extension TemplateValues {
    init(_ button: PageButton) {
        self.init()
        set(.buttonPath, button.path)
        set(.buttonLabel, button.label)
        set(.buttonOf, button.subject)
        set(.buttonNext, button.next)
        set(.buttonID, button.id.map { String($0) })
        set(.buttonMain, button.isMain)
    }

    /// An account in a list.
    init(_ account: Account, _ emoji: EmojiSet, buttons: [PageButton] = []) {
        self.init()
        self[.name] = emoji.value(account.displayNameOrUsername)
        set(.handle, "@" + account.username)
        set(.accountURL, "/@" + account.username)
        set(.avatar, account.avatarPath)
        set(.hasButtons, !buttons.isEmpty)
        self[.buttons] = .list(buttons.map { TemplateValues($0) })
    }
}

extension PageContext {
    /// Shows accounts in a list.
    /// - Parameter notes: What the page says about some of them, by their ids.
    mutating func show(
        _ people: [Account], notes: [Int64: String] = [:], buttons: (Account) -> [PageButton] = { _ in [] }
    ) {
        let rows = people.map { account in
            var values = TemplateValues(account, emoji, buttons: buttons(account))
            values.set(.personNote, notes[account.id])
            return values
        }
        set(.personRows, .list(rows))
        set(.hasPeople, !people.isEmpty)
    }
}

extension TemplateValues {
    /// The viewer's relationship to an account, and what the viewer can do about it.
    init(_ relationship: Relationship, to account: Account, in locale: PageLocale) {
        self.init()
        let buttons = RelationshipButtons(relationship: relationship, account: account, text: locale.text)
        self[.states] = .texts(relationship.states(in: locale))
        self[.buttons] = .list(buttons.main.map { TemplateValues($0) })
        self[.moreButtons] = .list(buttons.more.map { TemplateValues($0) })
        set(.muteForm, relationship.mute == nil)
        set(.privateNote, relationship.note.nonEmpty)
    }
}

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
        if relationship.following != nil { return request + [button("unfollow", text.unfollow)] + options }
        if relationship.requested != nil { return request + [button("unfollow", text.withdrawRequest)] }
        return request + [button("follow", account.isLocked ? text.askToFollow : text.follow, isMain: true)]
    }

    private var options: [PageButton] {
        guard let options = relationship.following else { return [] }
        return [
            options.notifies
                ? button("unnotify", text.stopNotifying) : button("notify", text.notify),
            options.showsReblogs
                ? button("hide_boosts", text.hideBoosts) : button("show_boosts", text.showBoosts),
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
        PageButton(
            path: "/@\(account.username)/\(action)", label: label, subject: "@" + account.username, isMain: isMain)
    }
}

extension Relationship {
    /// What the viewer should know, in sentences.
    fileprivate func states(in locale: PageLocale) -> [String] {
        let text = locale.text
        return [
            following == nil ? nil : text.youFollow,
            following == nil && requested != nil ? text.youAsked : nil,
            isFollowed ? text.followsYou : nil, isRequested ? text.asksToFollowYou : nil,
            isBlocking ? text.youBlock : nil, isBlocked ? text.blocksYou : nil,
            mute.map { text.youMute(until: $0.expiresAt.map(locale.date), hidesNotifications: $0.hidesNotifications) },
        ].compactMap(\.self)
    }
}
