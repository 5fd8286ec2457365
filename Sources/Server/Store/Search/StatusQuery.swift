import FeedAPI

/// A search for statuses: a ``SearchQuery`` whose accounts have been looked up, and the page of the result.
struct StatusQuery: Sendable, Equatable {
    typealias Term = SearchQuery.Term

    /// A status must match all of them.
    var terms: [Term] = []
    /// A status must have all of them. That of a language includes its dialects.
    var facts: [SearchFact] = []
    /// A status must have none of them.
    var excludedFacts: [SearchFact] = []
    /// Only statuses created before this time, in milliseconds since 1970.
    var before: Int64?
    /// Only statuses created at this time or later, in milliseconds since 1970.
    var after: Int64?
    /// Only statuses with a lower id.
    var maxID: Int64?
    /// Only statuses with a higher id.
    var minID: Int64?
    /// Only statuses of this account.
    var accountID: Int64?
    /// Only statuses of accounts that the viewer follows.
    var following = false
    var limit = 20
    /// The number of the newest matches that are left out.
    var offset = 0
}
