import FeedCore

/// Reads and writes the rows of filters.
enum FilterRow {
    /// The filters of an account, oldest first.
    /// - Parameter id: Only this filter.
    static func read(of account: Int64, id: Int64? = nil, in db: Database) throws -> [Filter] {
        let one: SQL = id.map { "AND id = \($0)" } ?? ""
        let part: SQL = id.map { "AND filter_id = \($0)" } ?? ""
        return try read("account_id = \(account) \(one)", parts: "account_id = \(account) \(part)", in: db)
            .map(\.filter)
    }

    /// The filters of several accounts, with as many queries as for one.
    static func read(of accounts: [Int64], in db: Database) throws -> [Int64: [Filter]] {
        let condition: SQL = "account_id IN (\(ids: accounts))"
        return Dictionary(grouping: try read(condition, parts: condition, in: db), by: \.account)
            .mapValues { $0.map(\.filter) }
    }

    /// - Parameters:
    ///   - condition: Selects filters.
    ///   - parts: Selects their keywords and statuses.
    private static func read(
        _ condition: SQL, parts: SQL, in db: Database
    ) throws -> [(account: Int64, filter: Filter)] {
        var filters = try db.fetchAll(
            """
            SELECT id, title, contexts, action, expires_at, account_id FROM custom_filter
            WHERE \(condition) ORDER BY id
            """
        ).map { try (account: $0[5] as Int64, filter: decode($0)) }
        guard !filters.isEmpty else { return [] }
        let keywords = Dictionary(grouping: try keywords(parts, in: db), by: \.filter)
        let statuses = Dictionary(grouping: try statuses(parts, in: db), by: \.filter)
        for index in filters.indices {
            filters[index].filter.keywords = keywords[filters[index].filter.id]?.map(\.entry) ?? []
            filters[index].filter.statuses = statuses[filters[index].filter.id]?.map(\.entry) ?? []
        }
        return filters
    }

    static func insert(_ filter: Filter, of account: Int64, at now: Int64, in db: Database) throws {
        try db.execute(
            """
            INSERT INTO custom_filter (id, account_id, title, contexts, action, expires_at, expired)
            VALUES (\(filter.id), \(account), \(filter.title), \(contexts(of: filter)), \(filter.action.rawValue),
                \(filter.expiresAt), \(isExpired(filter, at: now)))
            """)
    }

    static func update(_ filter: Filter, at now: Int64, in db: Database) throws {
        try db.execute(
            """
            UPDATE custom_filter SET title = \(filter.title), contexts = \(contexts(of: filter)),
                action = \(filter.action.rawValue), expires_at = \(filter.expiresAt),
                expired = \(isExpired(filter, at: now))
            WHERE id = \(filter.id)
            """)
    }

    static func insert(_ keyword: Filter.Keyword, to filter: Int64, of account: Int64, in db: Database) throws {
        try db.execute(
            """
            INSERT INTO filter_keyword (id, account_id, filter_id, keyword, whole_word)
            VALUES (\(keyword.id), \(account), \(filter), \(keyword.text), \(keyword.isWholeWord))
            """)
    }

    static func update(_ keyword: Filter.Keyword, in db: Database) throws {
        try db.execute(
            """
            UPDATE filter_keyword SET keyword = \(keyword.text), whole_word = \(keyword.isWholeWord)
            WHERE id = \(keyword.id)
            """)
    }
}

extension FilterRow {
    /// An entry of a filter.
    private struct Part<Entry> {
        let filter: Int64
        let entry: Entry
    }

    private static func keywords(_ condition: SQL, in db: Database) throws -> [Part<Filter.Keyword>] {
        let query: SQL = """
            SELECT filter_id, id, keyword, whole_word FROM filter_keyword
            WHERE \(condition) ORDER BY id
            """
        return try db.fetchAll(query).map {
            try Part(filter: $0[0], entry: Filter.Keyword(id: $0[1], text: $0[2], isWholeWord: $0[3]))
        }
    }

    private static func statuses(_ condition: SQL, in db: Database) throws -> [Part<Filter.MatchedStatus>] {
        let query: SQL = """
            SELECT filter_id, id, status_id FROM filter_status
            WHERE \(condition) ORDER BY id
            """
        return try db.fetchAll(query).map {
            try Part(filter: $0[0], entry: Filter.MatchedStatus(id: $0[1], statusID: $0[2]))
        }
    }

    private static func decode(_ row: Row) throws -> Filter {
        Filter(
            id: try row[0], title: try row[1],
            contexts: (try row[2] as String).utf8.split(separator: UInt8(ascii: " ")).compactMap {
                Filter.Context(rawValue: String(Substring($0)))
            },
            action: try Filter.Action(rawValue: row[3]) ?? .warn, expiresAt: try row[4])
    }

    private static func contexts(of filter: Filter) -> String {
        filter.contexts.map(\.rawValue).joined(separator: " ")
    }

    private static func isExpired(_ filter: Filter, at now: Int64) -> Bool {
        filter.expiresAt.map { $0 <= now } ?? false
    }
}
