/// A list of accounts, whose statuses its owner reads in a timeline of their own.
package struct AccountList: Sendable, Equatable {
    /// The replies to other accounts that the timeline of a list contains. The raw values are stored and used in JSON.
    package enum RepliesPolicy: String, Sendable, CaseIterable {
        /// None.
        case none
        /// Those to members of the list.
        case list
        /// Those to all accounts that the owner follows.
        case followed
    }

    package var id: Int64
    /// The account whose list this is.
    package var ownerID: Int64
    package var title: String
    package var repliesPolicy: RepliesPolicy
    /// Whether the home timeline leaves out the members.
    package var isExclusive: Bool

    package init(id: Int64, ownerID: Int64, title: String, repliesPolicy: RepliesPolicy, isExclusive: Bool) {
        self.id = id
        self.ownerID = ownerID
        self.title = title
        self.repliesPolicy = repliesPolicy
        self.isExclusive = isExclusive
    }
}

/// The requested properties of a list; `nil` keeps a property, or its default if the list is new.
package struct ListDraft: Sendable, Equatable {
    package var title: String?
    package var repliesPolicy: AccountList.RepliesPolicy?
    package var isExclusive: Bool?

    package init(title: String? = nil, repliesPolicy: AccountList.RepliesPolicy? = nil, isExclusive: Bool? = nil) {
        self.title = title
        self.repliesPolicy = repliesPolicy
        self.isExclusive = isExclusive
    }

    /// The list with the requested properties.
    package func applied(to list: AccountList) -> AccountList {
        var list = list
        list.title = title ?? list.title
        list.repliesPolicy = repliesPolicy ?? list.repliesPolicy
        list.isExclusive = isExclusive ?? list.isExclusive
        return list
    }
}
