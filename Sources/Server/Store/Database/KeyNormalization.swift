import FeedCore
import Foundation

/// Brings the keys of hashtags and the search terms of display names that older versions have stored to the present
/// normal form, some at a time while the feed is served. Until a row has been renewed, it is found by its former key
/// only.
package struct KeyNormalization: Sendable {
    /// The setting that contains the position. The migration adds it, and the end of the renewal removes it.
    static let mark = "key_renewal"

    /// The tables whose keys are renewed, in this order: follows first, because people change them.
    private enum Table: Int, Codable {
        case follows, features, statuses, days, names

        /// The number of rows that are changed per transaction, so that posting remains possible.
        var maximumChanges: Int { self == .names ? 10 : 100 }
    }

    /// The last row that has been read.
    private struct Position: Codable {
        var table = Table.follows
        var row = Key(number: -1, text: "")
        var hasChanges = false
    }

    /// The primary key of a row, or the id of an account and its display name.
    private struct Key: Codable {
        let number: Int64
        let text: String
    }

    private let database: FeedDatabase
    private let batch: Int
    private let pause: Duration

    /// - Parameters:
    ///   - batch: The number of rows that are read per query.
    ///   - pause: The time after each transaction in which others may write.
    package init(_ database: FeedDatabase, batch: Int = 500, pause: Duration = .zero) {
        (self.database, self.batch, self.pause) = (database, batch, pause)
    }

    /// Renews everything that has not been renewed yet. It can be stopped anywhere and continues later.
    package func run() async throws {
        guard let stored = try await database.meta(Self.mark) else { return }
        var position = (try? JSONDecoder().decode(Position.self, from: Data(stored.utf8))) ?? Position()
        while let next = try await step(from: position) {
            try Task.checkCancellation()
            position = next
        }
    }

    /// Renews the next rows.
    /// - Returns: The position after them; `nil` at the end.
    private func step(from position: Position) async throws -> Position? {
        let query = query(position)
        let rows = try await database.read { try $0.fetchAll(query).map { try Key(number: $0[0], text: $0[1]) } }
        guard let last = rows.last else { return try await end(of: position) }
        var position = position
        let old = rows.filter { Self.isOld($0, of: position.table) }
        for some in old.chunks(of: position.table.maximumChanges) {
            position.hasChanges = true
            position.row = some.last ?? last
            try await renew(some, position)
            try await Task.sleep(for: pause)
        }
        position.row = last
        return position
    }

    /// - Returns: The position before the first row of the next table; `nil` after the last table.
    private func end(of position: Position) async throws -> Position? {
        guard let table = Table(rawValue: position.table.rawValue + 1) else {
            let now = database.clock.now()
            try await database.commits.write { db in
                try db.execute("DELETE FROM meta WHERE key = \(Self.mark)")
                // Pages of hashtags may lack statuses that have been renewed since.
                if position.hasChanges { try db.log(.imported, at: now) }
            }
            return nil
        }
        return Position(table: table, hasChanges: position.hasChanges)
    }

    private func renew(_ rows: ArraySlice<Key>, _ position: Position) async throws {
        let now = database.clock.now()
        let stored = String(decoding: try JSONEncoder().encode(position), as: UTF8.self)
        try await database.commits.write { db in
            for row in rows { try Self.renew(row, of: position.table, at: now, in: db) }
            try FeedDatabase.setMeta(Self.mark, stored, in: db)
        }
    }
}

extension KeyNormalization {
    /// The next rows after a position.
    private func query(_ position: Position) -> SQL {
        let (number, text) = (position.row.number, position.row.text)
        switch position.table {
        case .follows, .features:
            let table = position.table == .follows ? "tag_follow" : "featured_tag"
            return """
                SELECT account_id, tag FROM \(sql: table) WHERE (account_id, tag) > (\(number), \(text))
                ORDER BY account_id, tag LIMIT \(batch)
                """
        case .statuses:
            return """
                SELECT status_id, tag FROM status_tag WHERE (status_id, tag) > (\(number), \(text))
                ORDER BY status_id, tag LIMIT \(batch)
                """
        case .days:
            return """
                SELECT day, tag FROM tag_day WHERE (tag, day) > (\(text), \(number)) ORDER BY tag, day LIMIT \(batch)
                """
        case .names:
            return "SELECT id, display_name FROM account WHERE id > \(number) ORDER BY id LIMIT \(batch)"
        }
    }

    private static func isOld(_ row: Key, of table: Table) -> Bool {
        if table == .names { return !row.text.utf8.allSatisfy { $0 < 0x80 } }
        // As bytes: two forms of a text are equal strings.
        return !Hashtag.key(row.text).utf8.elementsEqual(row.text.utf8)
    }

    private static func renew(_ row: Key, of table: Table, at now: Int64, in db: Database) throws {
        let (key, old) = (Hashtag.key(row.text), row.text)
        switch table {
        case .follows:
            try rename(old, to: key, "tag_follow", "account_id", row.number, in: db)
            try db.log(.tagFollowed, account: row.number, at: now)
        case .features: try rename(old, to: key, "featured_tag", "account_id", row.number, in: db)
        case .statuses: try rename(old, to: key, "status_tag", "status_id", row.number, in: db)
        case .days: for tag in [old, key] { try db.recount(TagDay(tag: tag, day: row.number)) }
        case .names:
            let query: SQL = "SELECT display_name FROM account WHERE id = \(row.number)"
            guard let name = try db.fetchOne(query, as: String.self) else { return }
            try AccountStore.index(name, of: row.number, in: db)
        }
    }

    /// Changes the hashtag of a row, or deletes the row if there is one with the new key.
    private static func rename(
        _ old: String, to key: String, _ table: String, _ column: String, _ number: Int64, in db: Database
    ) throws {
        try db.execute(
            """
            UPDATE \(sql: table) SET tag = \(key) WHERE \(sql: column) = \(number) AND tag = \(old)
            AND NOT EXISTS (SELECT 1 FROM \(sql: table) other WHERE other.\(sql: column) = \(number)
            AND other.tag = \(key))
            """)
        try db.execute("DELETE FROM \(sql: table) WHERE \(sql: column) = \(number) AND tag = \(old)")
    }
}
