import FeedCore
import Foundation

/// Decodes accounts from query results, alone or joined to other columns.
enum AccountRow {
    static let columns = """
        a.id, a.username, a.display_name, a.city, a.email, a.note, a.note_html, a.role, a.created_at, a.last_status_at, \
        a.statuses_count, a.followers_count, a.following_count, a.avatar, a.suspended_at, a.password IS NOT NULL, \
        a.locked, a.bot, a.discoverable, a.fields, a.default_visibility, a.default_sensitive, a.default_language, \
        a.silenced_at, a.removed_at, a.header, a.privacy, a.avatar_static, a.header_static
        """
    static let count = 29
    static let published = "a.import_id NOT IN (SELECT id FROM staged_import)"
    /// The condition that an account is visible to others.
    static let visible = published + " AND a.suspended_at IS NULL"

    static func decode(_ row: Row, from first: Int = 0) throws -> Account {
        var account = Account(
            id: row[first], username: row[first + 1], displayName: row[first + 2], city: row[first + 3],
            email: row[first + 4], note: row[first + 5], noteHTML: row[first + 6],
            role: Account.Role(rawValue: row[first + 7]) ?? .member, createdAt: row[first + 8],
            lastStatusAt: row[first + 9], statusesCount: row[first + 10], followersCount: row[first + 11],
            followingCount: row[first + 12], avatar: try row.optionalBlob(first + 13, of: "account.avatar"),
            suspendedAt: row[first + 14],
            hasPassword: row[first + 15])
        account.isLocked = row[first + 16]
        account.isBot = row[first + 17]
        account.isDiscoverable = row[first + 18]
        account.fields = fields(row[first + 19])
        account.defaultVisibility = Visibility(rawValue: row[first + 20]) ?? .public
        account.defaultSensitive = row[first + 21]
        account.defaultLanguage = row[first + 22]
        account.silencedAt = row[first + 23]
        account.removedAt = row[first + 24]
        account.header = try row.optionalBlob(first + 25, of: "account.header")
        account.privacy = Account.Privacy(rawValue: row[first + 26])
        account.avatarStatic = try row.optionalBlob(first + 27, of: "account.avatar_static")
        account.headerStatic = try row.optionalBlob(first + 28, of: "account.header_static")
        return account
    }

    static func pack(_ fields: [Account.Field]) throws -> String {
        String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
    }

    /// Skips the decoder for `[]`: most accounts have no fields, and every row of a timeline contains an account.
    private static func fields(_ packed: String) -> [Account.Field] {
        guard packed != "[]" else { return [] }
        return (try? JSONDecoder().decode([Account.Field].self, from: Data(packed.utf8))) ?? []
    }
}

extension Database {
    /// The target of an action of `actor`.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` if the target is the actor.
    func target(_ id: Int64, of actor: Int64) throws -> Account {
        guard let account = try AccountStore.find(self, id: id), account.suspendedAt == nil else {
            throw FeedError.notFound
        }
        guard id != actor else { throw FeedError.notAllowed }
        return account
    }

    /// The account that performs an action. Its token was checked before; but a long upload, for example, may end after
    /// the account was removed, and nothing may be added to it then.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for a removed account.
    @discardableResult
    func requireActiveAccount(_ id: Int64) throws -> Account {
        guard let account = try AccountStore.find(self, id: id) else { throw FeedError.notFound }
        guard account.removedAt == nil else { throw FeedError.suspended }
        return account
    }

    /// Accounts by id, whether they are visible or not.
    func accounts(_ ids: some Collection<Int64>) throws -> [Int64: Account] {
        let query: SQL = "SELECT \(sql: AccountRow.columns) FROM account a WHERE a.id IN (\(ids: Array(Set(ids))))"
        let found = try fetchAll(query).map { try AccountRow.decode($0) }
        return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Whether either account blocks the other.
    func isBlocked(_ one: Int64, _ other: Int64) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                SELECT 1 FROM block WHERE account_id = ?1 AND target_id = ?2
                UNION ALL SELECT 1 FROM block WHERE account_id = ?2 AND target_id = ?1
                """)
        return try Int.fetchOne(statement, arguments: [one, other]) != nil
    }
}
