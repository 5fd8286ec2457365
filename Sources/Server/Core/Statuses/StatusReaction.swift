/// A public reaction to a status.
package enum ReactionKind: Sendable { case favourited, boosted }

/// An account that favourited or boosted a status.
package struct StatusReaction: Sendable, Equatable {
    /// The id used for paging: the id of the account for favourites, of the boost for boosts.
    package let pageID: Int64
    package let account: Account

    package init(pageID: Int64, account: Account) {
        self.pageID = pageID
        self.account = account
    }
}
