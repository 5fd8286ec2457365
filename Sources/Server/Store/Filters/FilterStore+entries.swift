package import FeedCore

extension FilterStore {
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
            let present = try Self.find(filter, of: account, in: db)
            var keyword = try FilterRule.apply(draft, to: nil)
            keyword.id = try db.nextID(now: now)
            try FilterRow.insert(keyword, to: filter, of: account, in: db)
            try Self.finish(filter, of: account, before: present, at: now, in: db)
            return keyword
        }
    }

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

    package func status(_ id: Int64, of account: Int64) async throws -> Filter.MatchedStatus {
        try await database.read { try Self.status(id, of: account, in: $0).entry }
    }

    package func add(
        status: Int64, to filter: Int64, of account: Int64
    ) async throws -> Filter.MatchedStatus {
        let now = database.clock.now()
        return try await database.commits.write { db in
            let present = try Self.find(filter, of: account, in: db)
            guard try StatusStore.find(db, id: status, for: account) != nil else {
                throw FeedError.invalid("Status must exist")
            }
            guard !present.statuses.contains(where: { $0.statusID == status }) else {
                throw FeedError.invalid("Status has already been taken")
            }
            let entry = Filter.MatchedStatus(id: try db.nextID(now: now), statusID: status)
            try db.cachedStatement(
                sql: "INSERT INTO filter_status (id, account_id, filter_id, status_id) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [entry.id, account, filter, status])
            try Self.finish(filter, of: account, before: present, at: now, in: db)
            return entry
        }
    }

    package func deleteStatus(_ id: Int64, of account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            let filter = try Self.status(id, of: account, in: db).filter
            try db.cachedStatement(sql: "DELETE FROM filter_status WHERE id = ?").execute(arguments: [id])
            try db.log(.filterChanged, subject: filter, account: account, at: now)
        }
    }
}

extension FilterStore {
    private static func keyword(
        _ id: Int64, of account: Int64, in db: Database
    ) throws -> (filter: Filter, keyword: Filter.Keyword) {
        let query: SQL = "SELECT filter_id FROM filter_keyword WHERE id = \(id) AND account_id = \(account)"
        guard let filter = try Int64.fetchOne(db, query) else { throw FeedError.notFound }
        let found = try find(filter, of: account, in: db)
        guard let keyword = found.keywords.first(where: { $0.id == id }) else { throw FeedError.notFound }
        return (found, keyword)
    }

    private static func status(
        _ id: Int64, of account: Int64, in db: Database
    ) throws -> (filter: Int64, entry: Filter.MatchedStatus) {
        let query: SQL = "SELECT filter_id, status_id FROM filter_status WHERE id = \(id) AND account_id = \(account)"
        guard let row = try db.fetchOne(query) else { throw FeedError.notFound }
        return (row[0], Filter.MatchedStatus(id: id, statusID: row[1]))
    }
}
