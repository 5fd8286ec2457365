import FeedCore

/// A button on a page, which is a form of its own.
struct PageButton: Sendable {
    /// The path to which the form is sent.
    let path: String
    let label: String
    /// The subject of the button, for people who do not see what it stands beside.
    var subject: String?
    /// The page that follows; `nil` for the one that the path implies.
    var next: String?
    /// The id that the form contains.
    var id: Int64?
    /// Whether it is what people mostly want.
    var isMain = false
    /// The action that takes it back, for scripts that send the form without loading the page.
    var opposite: (path: String, label: String)?
    /// The label on a profile as long as the viewer follows the account.
    var state: String?
}

extension PageButton {
    /// A button that becomes another one when it is pressed.
    init(
        _ action: (path: String, label: String), or opposite: (path: String, label: String), subject: String,
        next: String? = nil, isMain: Bool = false, state: String? = nil
    ) {
        self.init(path: action.path, label: action.label, subject: subject, next: next, isMain: isMain)
        (self.opposite, self.state) = (opposite, state)
    }
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
        set(.buttonOtherPath, button.opposite?.path)
        set(.buttonOtherLabel, button.opposite?.label)
        set(.buttonState, button.state)
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
