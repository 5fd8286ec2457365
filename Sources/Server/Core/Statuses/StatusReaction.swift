/// What accounts can have done with a status, for everybody to see.
package enum StatusRelation: Sendable { case favourited, boosted }

/// Somebody who did something with a status.
package struct StatusReaction: Sendable, Equatable {
    /// By what the list is paged: the account's id, or that of the boost.
    package let pageID: Int64
    package let account: Account

    package init(pageID: Int64, account: Account) {
        self.pageID = pageID
        self.account = account
    }
}
