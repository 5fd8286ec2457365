import FeedAPI
package import FeedCore

/// Searches accounts, hashtags and statuses in the database.
package struct SearchStore: Sendable {
    /// The maximum number of matches read per search by each kind of name.
    private static let maximumMatches = 150
    /// The maximum number of followed accounts that are compared, and that match.
    private static let maximumFollows = 300
    private static let maximumFollowed = 100
    /// The maximum number of hashtags read per page, and of the newest public uses read per hashtag to find an author
    /// who is neither suspended nor silenced.
    private static let maximumTags = 500
    private static let maximumUses = 5

    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Accounts whose username starts with `text`, or whose display name contains it: first the account with that
    /// username, then those that the viewer follows, then other usernames and display names; within these, the most
    /// followed ones first.
    /// - Parameters:
    ///   - follower: If not `nil`, only accounts followed by this account are returned.
    ///   - viewer: The viewer, who finds silenced accounts that they do not follow only by their exact username.
    package func accounts(
        matching text: String, limit: Int, offset: Int, followedBy follower: Int64?, for viewer: Int64? = nil
    ) async throws -> [Account] {
        let key = Username.key(text)
        return try await database.read { db in
            let followed =
                try (viewer ?? follower).map { try db.fetchAll(Self.followedQuery(key, by: $0), as: Int64.self) } ?? []
            let query = Self.query(
                key, followed: followed, limit: limit, offset: offset, followedBy: follower, for: viewer)
            return try db.fetchAll(query).map { try AccountRow.decode($0) }
        }
    }

    /// The keys of hashtags of public statuses that start with that of `text`, in alphabetical order.
    package func tags(beginningWith text: String, limit: Int, offset: Int) async throws -> [String] {
        let prefix = Hashtag.key(text)
        return try await database.read { db in
            var tags: [String] = []
            var last = prefix
            var condition = ">="
            for _ in 0..<Self.maximumTags where tags.count < limit + offset {
                guard let tag = try Self.tag(condition, last, beginningWith: prefix, in: db) else { break }
                if try Self.isPublic(tag, in: db) { tags.append(tag) }
                (last, condition) = (tag, ">")
            }
            return Array(tags.dropFirst(offset))
        }
    }
}

extension SearchStore {
    /// Matching accounts among the newest ones that an account follows, without the one whose username is `key`.
    static func followedQuery(_ key: String, by viewer: Int64) -> SQL {
        let name = NameSuffixes.key(key)
        return """
            SELECT n.id FROM (SELECT f.followee_id FROM follow f
                WHERE f.follower_id = \(viewer) AND \(StatusVisibility.published("f"))
                ORDER BY f.followee_id DESC LIMIT \(maximumFollows)) followed
            CROSS JOIN account n ON n.id = followed.followee_id
            WHERE n.username_key <> \(key) AND ((n.username_key >= \(key) AND n.username_key < \(end(of: key)))
                OR EXISTS (SELECT 1 FROM account_name x
                    WHERE x.account_id = n.id AND x.ending >= \(name) AND x.ending < \(end(of: name))))
            ORDER BY n.followers_count DESC, n.id LIMIT \(maximumFollowed)
            """
    }

    /// - Parameters:
    ///   - key: The text in lowercase.
    ///   - followed: The result of ``followedQuery(_:by:)``.
    static func query(
        _ key: String, followed: [Int64] = [], limit: Int, offset: Int, followedBy follower: Int64?,
        for viewer: Int64? = nil
    ) -> SQL {
        let isFollowed = follower.map { StatusVisibility.follows($0, "a.id") } ?? "1 = 1"
        return """
            WITH hit AS MATERIALIZED (\(hits(key, followed)))
            SELECT \(sql: AccountRow.columns) FROM hit CROSS JOIN account a ON a.id = hit.id
            WHERE \(sql: AccountRow.visible) AND \(isFollowed)
            AND (hit.rank = 0 OR \(StatusVisibility.isListed("a", viewer: viewer)))
            ORDER BY hit.rank, a.followers_count DESC, a.id LIMIT \(limit) OFFSET \(offset)
            """
    }

    /// Matches with their rank: 0 for the name itself, 1 for followed accounts, 2 for other names, 3 for other
    /// display names.
    private static func hits(_ key: String, _ followed: [Int64]) -> SQL {
        let name = NameSuffixes.key(key)
        let begins: SQL = "username_key >= \(key) AND username_key < \(end(of: key))"
        return """
            SELECT id, CASE WHEN username_key = \(key) THEN 0 ELSE 2 END AS rank FROM (
                SELECT id, username_key FROM account WHERE \(begins) ORDER BY username_key LIMIT \(maximumMatches)) named
            WHERE id NOT IN (\(ids: followed))
            UNION ALL
            SELECT id, 3 FROM account WHERE id IN (SELECT account_id FROM (
                SELECT account_id FROM account_name WHERE ending >= \(name) AND ending < \(end(of: name))
                ORDER BY ending LIMIT \(maximumMatches)) endings)
            AND NOT (\(begins)) AND id NOT IN (\(ids: followed))
            UNION ALL
            SELECT value, 1 FROM (\(ids: followed)) followed
            """
    }

    /// The next hashtag in alphabetical order. Takes one index seek, regardless of the number of uses.
    private static func tag(
        _ condition: String, _ last: String, beginningWith prefix: String, in db: Database
    ) throws -> String? {
        let query: SQL = """
            SELECT tag FROM status_tag WHERE visibility = 0 AND tag \(sql: condition) \(last)
            AND tag < \(end(of: prefix)) ORDER BY tag LIMIT 1
            """
        return try db.fetchOne(query, as: String.self)
    }

    static func isPublic(_ tag: String, in db: Database) throws -> Bool {
        let query: SQL = """
            SELECT 1 FROM (SELECT status_id FROM status_tag WHERE tag = \(tag) AND visibility = 0
                ORDER BY status_id DESC LIMIT \(maximumUses)) t
            CROSS JOIN status s ON s.id = t.status_id CROSS JOIN account a ON a.id = s.account_id
            WHERE \(StatusVisibility.rule("s", author: "a", viewer: nil))
            AND \(StatusVisibility.isListed("a", viewer: nil)) LIMIT 1
            """
        return try db.fetchOne(query, as: Int.self) != nil
    }

    /// A bound above every text that begins with `prefix`.
    static func end(of prefix: String) -> String { prefix + "\u{10FFFF}" }
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

    /// Finds statuses, newest first.
    func statuses(_ query: ResolvedSearch, viewer: Int64?) async throws -> FoundStatuses {
        let now = database.clock.now()
        var search = try await database.read { db in
            try StatusSearch(query, viewer: viewer, now: now, in: db).continued(in: db)
        }
        for _ in 1..<StatusSearch.maximumReads where search.needsMore {
            search = try await database.read { [search] in try search.continued(in: $0) }
        }
        return try await page(of: search, viewer: viewer)
    }

    /// Reads the statuses that a search has found, apart from those that have been deleted since.
    func page(of search: StatusSearch, viewer: Int64?) async throws -> FoundStatuses {
        let (ids, older) = search.page
        var page = FoundStatuses()
        if !ids.isEmpty { page.statuses = try await StatusStore(database).statuses(ids: ids, for: viewer) }
        (page.older, page.isIncomplete) = (older, search.isIncomplete || search.needsMore)
        return page
    }

    /// Looks up the accounts that facts name, and adds the facts to a query.
    /// - Returns: Whether a status can have all of them; `false` if there is no such account.
    private func add(
        _ facts: [SearchOperator], to query: inout ResolvedSearch, on host: String, viewer: Int64?
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
        _ kind: SearchOperator.Kind, on host: String, viewer: Int64?
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
