package import FeedCore

extension TagStore {
    /// The number of an account's newest statuses from which hashtags are suggested, and of suggestions.
    private static let recentStatuses = 200
    private static let maximumSuggestions = 10

    /// The hashtags that an account features, in the order in which it chose them.
    package func featured(by account: Int64) async throws -> [FeaturedTag] {
        let rows = try await database.read { db in
            let query: SQL = "SELECT id, name, tag FROM featured_tag WHERE account_id = \(account) ORDER BY id"
            return try db.fetchAll(query)
        }
        var tags: [FeaturedTag] = []
        // A read each, so that ten hashtags with many statuses do not delay other readers.
        for row in rows {
            let uses = try await uses(of: row[2], by: account)
            tags.append(try FeaturedTag(id: row[0], name: row[1], statusesCount: uses.count, lastStatusAt: uses.last))
        }
        return tags
    }

    /// Features a hashtag, or returns the one that is featured already.
    /// - Parameter name: The hashtag as written, without `#`.
    /// - Throws: ``FeedError`` `.invalid` if the account features ``FeaturedTag/maximum`` hashtags.
    package func feature(_ name: String, by account: Int64) async throws -> FeaturedTag {
        let (now, tag) = (database.clock.now(), Hashtag.key(name))
        let (id, stored) = try await database.commits.write { db in
            try db.requireActiveAccount(account)
            if let existing = try Self.find(tag, of: account, in: db) { return existing }
            let count = try db.fetchOne("SELECT count(*) FROM featured_tag WHERE account_id = \(account)", as: Int.self)
            guard count ?? 0 < FeaturedTag.maximum else {
                throw FeedError.invalid("You have already featured the maximum number of hashtags")
            }
            let id = try db.nextID(now: now)
            try db.execute(
                "INSERT INTO featured_tag (account_id, tag, id, name) VALUES (\(account), \(tag), \(id), \(name))")
            try db.log(.tagFeatured, subject: id, account: account, at: now)
            return (id, name)
        }
        let uses = try await uses(of: tag, by: account)
        return FeaturedTag(id: id, name: stored, statusesCount: uses.count, lastStatusAt: uses.last)
    }

    /// - Throws: ``FeedError`` `.notFound` if the account does not feature it.
    package func unfeature(_ id: Int64, by account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write(freesSpace: true) { db in
            try db.execute("DELETE FROM featured_tag WHERE account_id = \(account) AND id = \(id)")
            guard try db.changesCount > 0 else { throw FeedError.notFound }
            try db.log(.tagUnfeatured, subject: id, account: account, at: now)
        }
    }

    /// The hashtags that an account used most in its newest statuses and does not feature, by their keys.
    package func suggestedTags(for account: Int64) async throws -> [String] {
        let (newest, featured) = try await database.read { db in
            let newest: SQL = """
                SELECT tags FROM status WHERE account_id = \(account)
                ORDER BY id DESC LIMIT \(sql: Self.recentStatuses)
                """
            let featured: SQL = "SELECT tag FROM featured_tag WHERE account_id = \(account)"
            return (
                try db.fetchAll(newest, as: String.self), try db.fetchAll(featured, as: String.self)
            )
        }
        var counts: [String: Int] = [:]
        for tag in newest.flatMap({ Hashtag.keys(StatusRow.tags($0)) }) {
            counts[tag, default: 0] += 1
        }
        for tag in featured { counts[tag] = nil }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.maximumSuggestions).map(\.key)
    }
}

extension TagStore {
    private static func find(_ tag: String, of account: Int64, in db: Database) throws -> (Int64, String)? {
        let query: SQL = "SELECT id, name FROM featured_tag WHERE account_id = \(account) AND tag = \(tag)"
        return try db.fetchOne(query).map { try ($0[0], $0[1]) }
    }

    /// The number and the newest time of the account's public and unlisted statuses with a hashtag, among the newest ones.
    private func uses(of tag: String, by account: Int64) async throws -> (count: Int, last: Int64?) {
        let query = Self.usesQuery(of: tag, by: account)
        return try await database.read { db in
            let row = try db.fetchOne(query)
            return try (row?[0] ?? 0, (row?[1] as Int64?).map { $0 >> 16 })
        }
    }

    static func usesQuery(of tag: String, by account: Int64) -> SQL {
        """
        SELECT count(*), max(newest.status_id) FROM (
            SELECT t.status_id, t.visibility FROM status_tag t WHERE t.account_id = \(account) AND t.tag = \(tag)
            ORDER BY t.status_id DESC LIMIT \(FeaturedTag.maximumCounted)) newest
        WHERE newest.visibility <= 1
        """
    }
}
