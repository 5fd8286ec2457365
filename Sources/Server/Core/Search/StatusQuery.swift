package import FeedAPI

/// A search for statuses.
package struct StatusQuery: Sendable, Equatable {
    package typealias Term = SearchQuery.Term

    /// A property of a status other than its text.
    package struct Fact: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case from(accountID: Int64)
            case has(SearchQuery.Attachment)
            case `is`(SearchQuery.Property)
            /// The language tag in lowercase. Statuses of its dialects match, too.
            case language(String)
        }

        package var kind: Kind
        /// Whether statuses with this property are excluded.
        package var isExcluded: Bool

        package init(_ kind: Kind, isExcluded: Bool = false) {
            self.kind = kind
            self.isExcluded = isExcluded
        }
    }

    /// A status must match all of them.
    package var terms: [Term] = []
    package var facts: [Fact] = []
    /// Only statuses created before this time, in milliseconds since 1970.
    package var before: Int64?
    /// Only statuses created at this time or later, in milliseconds since 1970.
    package var after: Int64?
    /// Only statuses with a lower id.
    package var maxID: Int64?
    /// Only statuses with a higher id.
    package var minID: Int64?
    /// Only statuses of this account.
    package var accountID: Int64?
    /// Only statuses of accounts that the viewer follows.
    package var following = false
    package var limit = 20
    /// The number of the newest matches that are left out.
    package var offset = 0

    package init() {}
}
