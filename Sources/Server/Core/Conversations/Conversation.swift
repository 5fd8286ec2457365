/// A thread of direct statuses, as one of its participants sees it.
package struct Conversation: Sendable, Equatable {
    /// The id of the status with which the account joined the thread.
    package var id: Int64
    package var isUnread: Bool
    /// The other participants of the newest status, or the account itself if there are none.
    package var accounts: [Account]
    /// The newest status; `nil` if the account does not get to see it, for example because it has blocked the author.
    package var lastStatus: Status?

    /// The maximum number of participants that are shown.
    package static let maximumAccounts = 10

    package init(id: Int64, isUnread: Bool, accounts: [Account], lastStatus: Status?) {
        self.id = id
        self.isUnread = isUnread
        self.accounts = accounts
        self.lastStatus = lastStatus
    }

    /// The ids of the participants that are shown beside a status.
    /// - Parameter account: The account that reads the conversation.
    package static func participants(of status: Status, for account: Int64) -> [Int64] {
        var seen: Set<Int64> = [account]
        let others = ([status.account.id] + status.mentions.map(\.id)).filter { seen.insert($0).inserted }
        return others.isEmpty ? [account] : Array(others.prefix(maximumAccounts))
    }
}

/// The conversation that contains a status.
package struct StatusContext: Sendable, Equatable {
    /// From the start of the conversation to the status being replied to.
    package var ancestors: [Status]
    /// All replies; each is followed by the replies to it.
    package var descendants: [Status]
    /// The statuses between them that the viewer may not see, although replies to them are shown.
    package var hidden: Set<Int64>

    package init(ancestors: [Status], descendants: [Status], hidden: Set<Int64> = []) {
        self.ancestors = ancestors
        self.descendants = descendants
        self.hidden = hidden
    }
}
