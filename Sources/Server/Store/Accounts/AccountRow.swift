import FeedCore
import Foundation

/// Decodes accounts from query results, alone or joined to other columns.
enum AccountRow {
    enum Column: Int, EntityColumn {
        case id, username, displayName, city, email, note, noteHTML, role, createdAt, lastStatusAt, statusesCount,
            followersCount, followingCount, avatar, suspendedAt, hasPassword, locked, bot, discoverable, fields,
            defaultVisibility, defaultSensitive, defaultLanguage, silencedAt, removedAt, header, privacy, avatarStatic,
            headerStatic, timeZone, theme, pageLanguage
    }

    static let columns = columns(of: "a")
    static let count = Column.allCases.count
    static let published = "a.import_id NOT IN (SELECT id FROM staged_import)"
    /// The condition that an account is visible to others.
    static let visible = published + " AND a.suspended_at IS NULL"

    /// The hash of a password is not read, only whether there is one.
    static func columns(of alias: String) -> String {
        Column.list(of: alias).replacing("\(alias).has_password", with: "\(alias).password IS NOT NULL")
    }

    static func decode(_ row: Row, from first: Int = 0) throws -> Account {
        let row = EntityRow(row, Column.self, from: first)
        var account = try Account(
            id: row[.id], username: row[.username], displayName: row[.displayName], city: row[.city],
            email: row[.email], note: row[.note], noteHTML: row[.noteHTML],
            role: Account.Role(rawValue: row[.role]) ?? .member, createdAt: row[.createdAt],
            lastStatusAt: row[.lastStatusAt], statusesCount: row[.statusesCount], followersCount: row[.followersCount],
            followingCount: row[.followingCount], avatar: row[.avatar], suspendedAt: row[.suspendedAt],
            hasPassword: row[.hasPassword])
        account.isLocked = try row[.locked]
        account.isBot = try row[.bot]
        account.isDiscoverable = try row[.discoverable]
        account.fields = fields(try row[.fields])
        account.defaultVisibility = try Visibility(rawValue: row[.defaultVisibility]) ?? .public
        account.defaultSensitive = try row[.defaultSensitive]
        account.defaultLanguage = try row[.defaultLanguage]
        account.silencedAt = try row[.silencedAt]
        account.removedAt = try row[.removedAt]
        account.header = try row[.header]
        account.privacy = try Account.Privacy(rawValue: row[.privacy])
        account.avatarStatic = try row[.avatarStatic]
        account.headerStatic = try row[.headerStatic]
        account.timeZone = try row[.timeZone]
        account.theme = try (row[.theme] as String?).flatMap(Account.Theme.init)
        account.language = try (row[.pageLanguage] as String?).flatMap(PageLanguage.init(rawValue:))
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
        guard id != actor else { throw FeedError.ownAccount }
        return account
    }

    /// The account that performs an action. Its token was checked before; but a long upload, for example, may end after
    /// the account was removed, and nothing may be added to it then.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for a removed account.
    @discardableResult
    func requireActiveAccount(_ id: Int64) throws -> Account {
        try Self.activeAccount(fetchOne(AccountStore.query(id: id)))
    }

    /// - Parameter row: A row of ``AccountStore/query(id:)``.
    /// - Throws: As ``requireActiveAccount(_:)``.
    static func activeAccount(_ row: Row?) throws -> Account {
        guard let account = try row.map({ try AccountRow.decode($0) }) else { throw FeedError.notFound }
        guard account.removedAt == nil else { throw FeedError.suspended }
        return account
    }

    /// Accounts by id, whether they are visible or not.
    func accounts(_ ids: some Collection<Int64>) throws -> [Int64: Account] {
        let query: SQL = "SELECT \(sql: AccountRow.columns) FROM account a WHERE a.id IN (\(ids: Array(Set(ids))))"
        let accounts = try fetchAll(query).map { try AccountRow.decode($0) }
        return Dictionary(accounts.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Whether either account blocks the other.
    func isBlocked(_ one: Int64, _ other: Int64) throws -> Bool {
        let query: SQL = """
            SELECT 1 FROM block WHERE account_id = \(one) AND target_id = \(other)
            UNION ALL SELECT 1 FROM block WHERE account_id = \(other) AND target_id = \(one)
            """
        return try fetchOne(query, as: Int.self) != nil
    }
}
