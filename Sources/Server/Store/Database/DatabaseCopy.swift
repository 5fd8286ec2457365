import Crypto
import FeedCore
import Foundation

/// Copies a feed into an empty SQLite or PostgreSQL database. Blobs are not copied.
package struct DatabaseCopy: Sendable {
    /// The key of the setting that marks an incomplete copy, which cannot be opened.
    static let mark = "unfinished_copy"
    private static let batch = 500
    /// The columns of a status that reference other statuses, which may be copied later.
    private static let references = ["in_reply_to_id", "boost_of_id"]

    private let source: any DatabaseReading
    private let target: FeedDatabase

    package init(from source: any DatabaseReading, to target: FeedDatabase) {
        self.source = source
        self.target = target
    }

    /// Copies all tables and compares the copy with the source.
    /// - Parameters:
    ///   - replacesIncomplete: Whether to remove the rows of an incomplete copy from the target first.
    ///   - progress: Called with the number of rows copied so far and the total number of rows.
    /// - Returns: The number of copied rows.
    /// - Throws: ``FeedError`` `.conflict` if the target contains a feed, `.storage` if the copy differs from the
    ///   source or has values that none of our servers wrote.
    package func run(
        replacesIncomplete: Bool = false, progress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws -> Int {
        if replacesIncomplete, try await target.meta(Self.mark) != nil { try await clear() }
        guard try await count(FeedDatabase.Table(name: "account", key: []), in: target) == 0 else {
            throw FeedError(
                .conflict, "the target already contains a feed", hint: "Choose an empty database or folder.")
        }
        try await TextColumnCheck.requireAll(in: source)
        var total = 0
        for table in FeedDatabase.tables { total += try await count(table, in: source) }
        try await target.setMeta(Self.mark, "1")
        var done = 0
        for table in FeedDatabase.tables {
            done = try await copy(table, from: done) { progress($0, total) }
        }
        try await relink()
        for table in FeedDatabase.tables { try await verify(table) }
        try await target.commits.write { db in
            try db.connection.restartIdentities()
            try db.execute("DELETE FROM meta WHERE key = \(Self.mark)")
            // The index of the other engine is of no use, and neither are its settings.
            try SearchIndexing.restart(in: db)
        }
        return done
    }

    private func clear() async throws {
        try await target.commits.write { db in
            for table in FeedDatabase.tables.reversed() where !["meta", "sequence"].contains(table.name) {
                try db.execute("DELETE FROM \(sql: table.name)")
            }
        }
    }

    private func count(_ table: FeedDatabase.Table, in database: any DatabaseReading) async throws -> Int {
        try await database.read { try $0.fetchOne("SELECT count(*) FROM \(sql: table.name)", as: Int.self) ?? 0 }
    }

    private func copy(
        _ table: FeedDatabase.Table, from start: Int, progress: (Int) -> Void
    ) async throws -> Int {
        let columns = try await source.read { try $0.connection.columns(of: table.name) }
        let isStatus = table.name == "status"
        let held = columns.indices.filter { isStatus && Self.references.contains(columns[$0]) }
        let insert: SQL = "INSERT INTO \(sql: table.name) (\(sql: columns.joined(separator: ", ")))"
        try await removeOwnRows(table)
        var done = start
        try await forEachPage(of: table, columns, in: source) { rows in
            try await target.commits.write { db in
                for row in rows {
                    var values = row
                    for column in held { values[column] = .null }
                    try db.execute("\(insert) VALUES \(list: values)")
                }
            }
            done += rows.count
            progress(done)
        }
        return done
    }

    /// Removes the rows that every new database contains.
    private func removeOwnRows(_ table: FeedDatabase.Table) async throws {
        try await target.commits.write { db in
            switch table.name {
            case "meta": try db.execute("DELETE FROM meta WHERE key <> \(Self.mark)")
            case "sequence": try db.execute("DELETE FROM sequence")
            default: break
            }
        }
    }

    /// Sets the references between statuses, after all statuses have been copied.
    private func relink() async throws {
        let columns = ["id"] + Self.references
        let table = FeedDatabase.Table(name: "status", key: ["id"])
        try await forEachPage(of: table, columns, in: source) { rows in
            try await target.commits.write { db in
                for row in rows where row[1] != .null || row[2] != .null {
                    try db.execute(
                        "UPDATE status SET in_reply_to_id = \(row[1]), boost_of_id = \(row[2]) WHERE id = \(row[0])")
                }
            }
        }
    }

    /// Compares a table of the source with its copy.
    /// - Throws: ``FeedError`` `.storage` unless both contain the same rows.
    private func verify(_ table: FeedDatabase.Table) async throws {
        let columns = try await source.read { try $0.connection.columns(of: table.name) }
        guard try await hash(table, columns, in: source) == hash(table, columns, in: target) else {
            throw FeedError(
                .storage, "the copy of the table \(table.name) differs from its source",
                hint: "Make sure that no server is using either of them, then copy into an empty database again.")
        }
    }

    private func hash(
        _ table: FeedDatabase.Table, _ columns: [String], in database: any DatabaseReading
    ) async throws -> SHA256.Digest {
        var hash = SHA256()
        try await forEachPage(of: table, columns, in: database) { rows in
            for row in rows where row.first != .text(Self.mark) {
                for value in row { Self.add(value, to: &hash) }
            }
        }
        return hash.finalize()
    }

    /// Adds a value so that different rows never add the same bytes.
    private static func add(_ value: SQLValue, to hash: inout SHA256) {
        let (tag, bytes): (String, Data) =
            switch value {
            case .null: ("n", Data())
            case .integer(let number): ("i", Data(String(number).utf8))
            case .real(let number): ("r", Data(String(number).utf8))
            case .text(let text): ("t", Data(text.utf8))
            case .bytes(let bytes): ("b", bytes)
            case .list(let ids): ("l", Data("\(ids)".utf8))
            }
        hash.update(data: Data("\(tag)\(bytes.count):".utf8))
        hash.update(data: bytes)
    }

    private func forEachPage(
        of table: FeedDatabase.Table, _ columns: [String], in database: any DatabaseReading,
        _ body: ([[SQLValue]]) async throws -> Void
    ) async throws {
        let key = table.key.joined(separator: ", ")
        let keyColumns = table.key.compactMap { columns.firstIndex(of: $0) }
        var last: [SQLValue]?
        while true {
            let condition: SQL = last.map { "WHERE (\(sql: key)) > \(list: $0)" } ?? ""
            let query: SQL = """
                SELECT \(sql: columns.joined(separator: ", ")) FROM \(sql: table.name) \(condition)
                ORDER BY \(sql: key) LIMIT \(Self.batch)
                """
            let rows = try await database.read { db in
                try db.fetchAll(query).map { row in columns.indices.map { row.value($0) } }
            }
            if !rows.isEmpty { try await body(rows) }
            guard rows.count == Self.batch, let end = rows.last else { return }
            last = keyColumns.map { end[$0] }
        }
    }
}

extension FeedDatabase {
    /// A table and its primary key, in whose order it is read.
    package struct Table: Sendable {
        package let name: String
        let key: [String]
    }

    /// All tables with data of the feed. Each table follows the tables that it references.
    package static let tables = [
        Table(name: "meta", key: ["key"]),
        Table(name: "sequence", key: ["one"]),
        Table(name: "staged_import", key: ["id"]),
        Table(name: "account", key: ["id"]),
        Table(name: "account_name", key: ["ending", "account_id"]),
        Table(name: "account_removal", key: ["account_id"]),
        Table(name: "sign_up", key: ["account_id"]),
        Table(name: "invitation", key: ["code"]),
        Table(name: "follow", key: ["follower_id", "followee_id"]),
        Table(name: "follow_request", key: ["follower_id", "followee_id"]),
        Table(name: "block", key: ["account_id", "target_id"]),
        Table(name: "mute", key: ["account_id", "target_id"]),
        Table(name: "list", key: ["id"]),
        Table(name: "list_member", key: ["list_id", "account_id"]),
        Table(name: "tag_follow", key: ["account_id", "tag"]),
        Table(name: "endorsement", key: ["account_id", "target_id"]),
        Table(name: "account_note", key: ["account_id", "target_id"]),
        Table(name: "status", key: ["id"]),
        Table(name: "scheduled_status", key: ["id"]),
        Table(name: "media", key: ["id"]),
        Table(name: "poll", key: ["status_id"]),
        Table(name: "poll_option", key: ["status_id", "number"]),
        Table(name: "poll_vote", key: ["status_id", "account_id", "number"]),
        Table(name: "status_edit", key: ["status_id", "number"]),
        Table(name: "status_tag", key: ["status_id", "tag"]),
        Table(name: "mention", key: ["account_id", "status_id"]),
        Table(name: "favourite", key: ["account_id", "status_id"]),
        Table(name: "bookmark", key: ["account_id", "status_id"]),
        Table(name: "pin", key: ["account_id", "status_id"]),
        Table(name: "conversation_mute", key: ["account_id", "conversation_id"]),
        Table(name: "conversation_status", key: ["account_id", "conversation_id", "status_id"]),
        Table(name: "conversation", key: ["account_id", "conversation_id"]),
        Table(name: "tag_day", key: ["tag", "day"]),
        Table(name: "featured_tag", key: ["account_id", "tag"]),
        Table(name: "dismissed_suggestion", key: ["account_id", "target_id"]),
        Table(name: "custom_filter", key: ["id"]),
        Table(name: "filter_keyword", key: ["id"]),
        Table(name: "filter_status", key: ["id"]),
        Table(name: "idempotency", key: ["account_id", "key"]),
        Table(name: "report", key: ["id"]),
        Table(name: "notification_group", key: ["id"]),
        Table(name: "notification", key: ["id"]),
        Table(name: "marker", key: ["account_id", "timeline"]),
        Table(name: "application", key: ["id"]),
        Table(name: "token", key: ["id"]),
        Table(name: "refresh_token", key: ["hash"]),
        Table(name: "authorization_code", key: ["hash"]),
        Table(name: "password_reset", key: ["hash"]),
        Table(name: "login_failure", key: ["key"]),
        Table(name: "known_network", key: ["account_id", "network"]),
        Table(name: "file", key: ["name"]),
        Table(name: "replaced_blob", key: ["id"]),
        Table(name: "change", key: ["sequence"]),
    ]
}
