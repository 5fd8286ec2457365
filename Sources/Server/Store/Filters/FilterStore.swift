package import FeedCore

/// Stores the filters of accounts in the database. Every change is logged in the change log with the account.
package struct FilterStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// The filters of an account, oldest first, also those that have expired.
    package func filters(of account: Int64) async throws -> [Filter] {
        try await database.read { try FilterRow.read(of: account, in: $0) }
    }

    /// The filters of several accounts, read together; accounts without filters are left out. The caller bounds their
    /// number.
    package func filters(of accounts: [Int64]) async throws -> [Int64: [Filter]] {
        try await database.read { try FilterRow.read(of: accounts, in: $0) }
    }

    /// - Throws: ``FeedError`` `.notFound` for a filter of another account, and so on for all functions.
    package func filter(_ id: Int64, of account: Int64) async throws -> Filter {
        try await database.read { try Self.find(id, of: account, in: $0) }
    }

    /// - Throws: ``FeedError`` `.invalid` if the draft breaks a ``FilterRule``.
    package func create(_ draft: FilterDraft, by account: Int64) async throws -> Filter {
        let now = database.clock.now()
        return try await database.commits.write { db in
            try db.requireActiveAccount(account)
            var filter = try FilterRule.apply(draft, to: nil)
            filter.id = try db.nextID(now: now)
            try FilterRow.insert(filter, of: account, at: now, in: db)
            try Self.change(draft.keywords, of: filter, account, at: now, in: db)
            return try Self.finish(filter.id, of: account, before: nil, at: now, in: db)
        }
    }

    /// Changes a filter and its keywords in one transaction.
    /// - Parameter hasOnly: A keyword that must be the filter's only one if anything but a keyword changes; `nil` to
    ///   change it anyway.
    /// - Throws: ``FeedError`` `.invalid` if the draft breaks a ``FilterRule``.
    package func update(
        _ id: Int64, of account: Int64, _ draft: FilterDraft, hasOnly keyword: Int64? = nil
    ) async throws -> Filter {
        let now = database.clock.now()
        return try await database.commits.write { db in
            let before = try Self.find(id, of: account, in: db)
            let wanted = try FilterRule.apply(draft, to: before)
            if wanted != before {
                guard keyword == nil || before.keywords.map(\.id) == [keyword] else {
                    throw FeedError.invalid(
                        "These parameters cannot be changed from this application because they apply to more than one "
                            + "filter keyword. Use a more recent application or the web interface.")
                }
                try FilterRow.update(wanted, at: now, in: db)
            }
            try Self.change(draft.keywords, of: before, account, at: now, in: db)
            return try Self.finish(id, of: account, before: before, at: now, in: db)
        }
    }

    package func delete(_ id: Int64, of account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            _ = try Self.find(id, of: account, in: db)
            try Self.remove(id, of: account, at: now, in: db)
        }
    }

    /// Logs the expiry of filters, at most 500 per call.
    /// - Returns: Their number.
    package func logExpired() async throws -> Int {
        let now = database.clock.now()
        let due: SQL = "SELECT id, account_id FROM custom_filter WHERE expired = 0 AND expires_at <= \(now)"
        guard try await database.read({ try $0.fetchOne("\(due) LIMIT 1") != nil }) else { return 0 }
        return try await database.commits.write { db in
            let rows = try db.fetchAll("\(due) ORDER BY expires_at LIMIT 500")
            for row in rows {
                let id: Int64 = try row[0]
                try db.execute("UPDATE custom_filter SET expired = 1 WHERE id = \(id)")
                try db.log(.filterChanged, subject: id, account: row[1], at: now)
            }
            return rows.count
        }
    }
}

extension FilterStore {
    static func find(_ id: Int64, of account: Int64, in db: Database) throws -> Filter {
        guard let filter = try FilterRow.read(of: account, id: id, in: db).first else { throw FeedError.notFound }
        return filter
    }

    /// Checks the limits and logs the change, if there is one.
    /// - Parameter before: The filter before the change; `nil` for a new one.
    /// - Returns: The stored filter.
    @discardableResult
    static func finish(
        _ id: Int64, of account: Int64, before: Filter?, at now: Int64, in db: Database
    ) throws -> Filter {
        let filters = try FilterRow.read(of: account, in: db)
        let keywords = filters.flatMap(\.keywords)
        try FilterRule.check(
            filters: filters.count, keywords: keywords.count, bytes: keywords.reduce(0) { $0 + $1.text.utf8.count },
            statuses: filters.reduce(0) { $0 + $1.statuses.count })
        guard let filter = filters.first(where: { $0.id == id }) else { throw FeedError.notFound }
        if filter != before { try db.log(.filterChanged, subject: id, account: account, at: now) }
        return filter
    }

    static func remove(_ id: Int64, of account: Int64, at now: Int64, in db: Database) throws {
        try db.execute("DELETE FROM custom_filter WHERE id = \(id)")
        try db.log(.filterChanged, subject: id, account: account, at: now)
    }

    /// - Parameter filter: The filter before the changes.
    private static func change(
        _ drafts: [FilterDraft.Keyword], of filter: Filter, _ account: Int64, at now: Int64, in db: Database
    ) throws {
        for draft in drafts {
            if let id = draft.id {
                guard let keyword = filter.keywords.first(where: { $0.id == id }) else { throw FeedError.notFound }
                if draft.isRemoved {
                    try removeKeyword(id, in: db)
                } else {
                    try FilterRow.update(try FilterRule.apply(draft, to: keyword), in: db)
                }
            } else if !draft.isRemoved {
                var keyword = try FilterRule.apply(draft, to: nil)
                keyword.id = try db.nextID(now: now)
                try FilterRow.insert(keyword, to: filter.id, of: account, in: db)
            }
        }
    }

    private static func removeKeyword(_ id: Int64, in db: Database) throws {
        try db.execute("DELETE FROM filter_keyword WHERE id = \(id)")
    }
}

extension FilterStore {
    /// The filter that contains a keyword, and the keyword.
    package func keyword(
        _ id: Int64, of account: Int64
    ) async throws -> (filter: Filter, keyword: Filter.Keyword) {
        try await database.read { try Self.keyword(id, of: account, in: $0) }
    }

    package func add(
        _ draft: FilterDraft.Keyword, to filter: Int64, of account: Int64
    ) async throws -> Filter.Keyword {
        let now = database.clock.now()
        return try await database.commits.write { db in
            let before = try Self.find(filter, of: account, in: db)
            var keyword = try FilterRule.apply(draft, to: nil)
            keyword.id = try db.nextID(now: now)
            try FilterRow.insert(keyword, to: filter, of: account, in: db)
            try Self.finish(filter, of: account, before: before, at: now, in: db)
            return keyword
        }
    }

    /// - Parameter endsFilter: Whether to delete the filter, too, if nothing is left in it.
    package func deleteKeyword(_ id: Int64, of account: Int64, endsFilter: Bool = false) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            let filter = try Self.keyword(id, of: account, in: db).filter
            guard !endsFilter || filter.keywords.count > 1 || !filter.statuses.isEmpty else {
                return try Self.remove(filter.id, of: account, at: now, in: db)
            }
            try Self.removeKeyword(id, in: db)
            try db.log(.filterChanged, subject: filter.id, account: account, at: now)
        }
    }

    /// The entry for a status.
    package func status(_ id: Int64, of account: Int64) async throws -> Filter.MatchedStatus {
        try await database.read { try Self.status(id, of: account, in: $0).entry }
    }

    /// Adds a status that the account may see.
    /// - Throws: ``FeedError`` `.invalid` for any other status, and for one that the filter contains.
    package func add(
        status: Int64, to filter: Int64, of account: Int64
    ) async throws -> Filter.MatchedStatus {
        let now = database.clock.now()
        return try await database.commits.write { db in
            let before = try Self.find(filter, of: account, in: db)
            guard try StatusStore.find(db, id: status, for: account) != nil else {
                throw FeedError.invalid("Status must exist")
            }
            guard !before.statuses.contains(where: { $0.statusID == status }) else {
                throw FeedError.invalid("Status has already been taken")
            }
            let entry = Filter.MatchedStatus(id: try db.nextID(now: now), statusID: status)
            try db.execute(
                """
                INSERT INTO filter_status (id, account_id, filter_id, status_id)
                VALUES (\(entry.id), \(account), \(filter), \(status))
                """)
            try Self.finish(filter, of: account, before: before, at: now, in: db)
            return entry
        }
    }

    package func deleteStatus(_ id: Int64, of account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            let filter = try Self.status(id, of: account, in: db).filter
            try db.execute("DELETE FROM filter_status WHERE id = \(id)")
            try db.log(.filterChanged, subject: filter, account: account, at: now)
        }
    }
}

extension FilterStore {
    private static func keyword(
        _ id: Int64, of account: Int64, in db: Database
    ) throws -> (filter: Filter, keyword: Filter.Keyword) {
        let query: SQL = "SELECT filter_id FROM filter_keyword WHERE id = \(id) AND account_id = \(account)"
        guard let filter = try db.fetchOne(query, as: Int64.self) else { throw FeedError.notFound }
        let parent = try find(filter, of: account, in: db)
        guard let keyword = parent.keywords.first(where: { $0.id == id }) else { throw FeedError.notFound }
        return (parent, keyword)
    }

    private static func status(
        _ id: Int64, of account: Int64, in db: Database
    ) throws -> (filter: Int64, entry: Filter.MatchedStatus) {
        let query: SQL = "SELECT filter_id, status_id FROM filter_status WHERE id = \(id) AND account_id = \(account)"
        guard let row = try db.fetchOne(query) else { throw FeedError.notFound }
        return try (row[0], Filter.MatchedStatus(id: id, statusID: row[1]))
    }
}
