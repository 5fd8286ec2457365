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

    /// - Parameters:
    ///   - facts: The facts of the query.
    ///   - viewer: The viewer, if any.
    fileprivate func statusQuery(_ facts: [StatusQuery.Fact], limit: Int, viewer: Int64?) -> StatusQuery {
        var result = StatusQuery()
        (result.terms, result.facts) = (query.terms, facts)
        (result.before, result.after) = (query.before, query.after)
        (result.maxID, result.minID, result.accountID) = (maxID, minID, accountID)
        (result.following, result.limit, result.offset) = (following && viewer != nil, limit, offset)
        return result
    }
}

/// A page of the statuses that a search finds, newest first.
package struct FoundStatuses: Sendable {
    package var statuses: [Status]
    /// Whether a page with older statuses follows.
    package var hasOlder = false
    /// Whether there may be statuses that were not found.
    package var isIncomplete = false

    package init(_ statuses: [Status] = []) { self.statuses = statuses }
}

extension SearchStore {
    /// Finds statuses.
    /// - Parameter host: The host of this server, which handles in the query may contain.
    package func statuses(
        _ request: StatusSearchRequest, on host: String, limit: Int, viewer: Int64?
    ) async throws -> FoundStatuses {
        guard !request.query.isEmpty, let facts = try await facts(request.query.facts, on: host, viewer: viewer) else {
            return FoundStatuses()
        }
        let query = request.statusQuery(facts, limit: limit + 1, viewer: viewer)
        let (statuses, isIncomplete) = try await statuses(query, viewer: viewer)
        var found = FoundStatuses(Array(statuses.prefix(limit)))
        (found.hasOlder, found.isIncomplete) = (statuses.count > limit, isIncomplete)
        return found
    }

    /// The facts with the ids of the accounts that they name.
    /// - Returns: `nil` if no status can have all of them, because there is no such account.
    private func facts(
        _ facts: [SearchQuery.Fact], on host: String, viewer: Int64?
    ) async throws -> [StatusQuery.Fact]? {
        var found: [StatusQuery.Fact] = []
        for fact in facts {
            if let kind = try await kind(fact.kind, on: host, viewer: viewer) {
                found.append(StatusQuery.Fact(kind, isExcluded: fact.isExcluded))
            } else if !fact.isExcluded {
                return nil
            }
        }
        return found
    }

    private func kind(
        _ kind: SearchQuery.Fact.Kind, on host: String, viewer: Int64?
    ) async throws -> StatusQuery.Fact.Kind? {
        switch kind {
        case .fromMe: return viewer.map { .from(accountID: $0) }
        case .from(let handle):
            guard handle.isLocal(to: host) else { return nil }
            return try await AccountStore(database).account(named: handle.name).map { .from(accountID: $0.id) }
        case .has(let attachment): return .has(attachment)
        case .is(let property): return .is(property)
        case .language(let tag): return .language(tag)
        }
    }
}
