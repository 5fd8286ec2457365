package import FeedAPI
package import FeedCore

/// A search for statuses as it was requested: a query that names accounts, and the page of the result.
package struct StatusSearchRequest: Sendable {
    package var query: SearchQuery
    package var maxID: Int64?
    package var minID: Int64?
    /// Only statuses of this account.
    package var accountID: Int64?
    /// Only statuses of accounts that the viewer follows. Anonymous visitors follow nobody, and find the same without.
    package var following: Bool
    package var offset: Int

    package init(
        query: SearchQuery, maxID: Int64? = nil, minID: Int64? = nil, accountID: Int64? = nil,
        following: Bool = false, offset: Int = 0
    ) {
        self.query = query
        (self.maxID, self.minID, self.accountID) = (maxID, minID, accountID)
        (self.following, self.offset) = (following, offset)
    }

    /// The query without its facts.
    fileprivate func resolved(limit: Int, viewer: Int64?) -> ResolvedSearch {
        ResolvedSearch(
            terms: query.terms, before: query.before, after: query.after, maxID: maxID, minID: minID,
            accountID: accountID, following: following && viewer != nil, limit: limit, offset: offset)
    }
}

/// A page of the statuses that a search finds, newest first.
package struct FoundStatuses: Sendable {
    package var statuses: [Status]
    /// The id below which the next page begins; `nil` if this is the last one.
    package var older: Int64?
    /// Whether there may be statuses that were not found: the index is being built, or too many hits were passed over.
    package var isIncomplete = false

    package init(_ statuses: [Status] = []) { self.statuses = statuses }
}

extension SearchStore {
    /// Finds statuses.
    /// - Parameter host: The host of this server, which handles in the query may contain.
    package func statuses(
        _ request: StatusSearchRequest, on host: String, limit: Int, viewer: Int64?
    ) async throws -> FoundStatuses {
        var query = request.resolved(limit: limit, viewer: viewer)
        guard !request.query.isEmpty, try await add(request.query.facts, to: &query, on: host, viewer: viewer) else {
            return FoundStatuses()
        }
        return try await statuses(query, viewer: viewer)
    }

    /// Looks up the accounts that facts name, and adds the facts to a query.
    /// - Returns: Whether a status can have all of them; `false` if there is no such account.
    private func add(
        _ facts: [SearchQuery.Fact], to query: inout ResolvedSearch, on host: String, viewer: Int64?
    ) async throws -> Bool {
        for fact in facts {
            guard let stored = try await stored(fact.kind, on: host, viewer: viewer) else {
                guard fact.isExcluded else { return false }
                continue
            }
            if fact.isExcluded { query.excludedFacts.append(stored) } else { query.facts.append(stored) }
        }
        return true
    }

    /// The fact as the index contains it; `nil` if no status has it.
    private func stored(
        _ kind: SearchQuery.Fact.Kind, on host: String, viewer: Int64?
    ) async throws -> SearchFact? {
        switch kind {
        case .fromMe: return viewer.map { .author($0) }
        case .from(let handle):
            guard handle.isLocal(to: host) else { return nil }
            return try await AccountStore(database).account(named: handle.name).map { .author($0.id) }
        case .has(let attachment): return .has(attachment)
        case .is(let property): return .is(property)
        case .language(let tag): return .language(tag)
        }
    }
}

/// A search for statuses: a ``SearchQuery`` whose accounts have been looked up, and the page of the result.
struct ResolvedSearch: Sendable, Equatable {
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
