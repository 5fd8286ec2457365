package import FeedCore

/// Stores accounts in the database.
package struct AccountStore: AccountStoring {
    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// - Throws: ``FeedError`` `.conflict` if the name or the email address, in any letter case, is taken.
    package func create(_ new: NewAccount) async throws -> Account {
        try Username.check(new.username)
        let now = database.clock.now()
        return try await database.commits.write { db in
            let id = try Self.claim(new, at: now, in: db)
            try db.log(.accountCreated, subject: id, account: id, at: now)
            guard let account = try Self.find(db, id: id) else { throw FeedError.notFound }
            return account
        }
    }

    /// - Throws: ``FeedError`` `.conflict` if the name or the email address is taken.
    package func requireFree(_ username: String, email: String) async throws {
        try await database.read { db in
            try Self.requireFree(username, in: db)
            try Self.requireFree(email: email, in: db)
        }
    }

    package func account(id: Int64) async throws -> Account? {
        try await database.read { try Self.find($0, id: id) }
    }

    /// The account with the given username, ignoring case.
    package func account(named username: String) async throws -> Account? {
        try await database.read { try Self.find($0, username: username) }
    }

    /// The account with the given email address, ignoring case; `nil` if several accounts have it.
    package func account(email: String) async throws -> Account? {
        try await database.read { db in
            let ids = try Self.ids(db, email: email)
            return try ids.count == 1 ? Self.find(db, id: ids[0]) : nil
        }
    }

    /// Whether an account has the given email address.
    func hasAccount(email: String) async throws -> Bool {
        try await database.read { try !Self.ids($0, email: email).isEmpty }
    }

    /// Existing accounts, keyed by lowercase username.
    /// - Parameter usernames: Usernames in lowercase.
    package func accounts(named usernames: Set<String>) async throws -> [String: Status.Mention] {
        guard !usernames.isEmpty else { return [:] }
        return try await database.read { db in
            var mentions: [String: Status.Mention] = [:]
            for name in usernames {
                guard let account = try Self.find(db, username: name), account.suspendedAt == nil else { continue }
                mentions[name] = Status.Mention(id: account.id, username: account.username)
            }
            return mentions
        }
    }

    /// Whether the account awaits the operator's approval. It is then suspended, too.
    package func isPending(_ id: Int64) async throws -> Bool {
        try await database.read { try RegistrationStore.isPending(id, in: $0) }
    }

    /// The stored password hash, or `nil` if the account is unknown or has no password.
    package func password(of id: Int64) async throws -> String? {
        try await database.read {
            try $0.fetchOne("SELECT password FROM account WHERE id = \(id)", as: String.self)
        }
    }

    /// Sets the password hash and revokes all access tokens, refresh tokens and pending authorization codes.
    /// - Parameters:
    ///   - proof: The stored hash against which the old password was verified, if any.
    ///   - kept: The hash of the only token that remains valid; `nil` for none.
    /// - Returns: The number of revoked logins.
    /// - Throws: ``FeedError`` `.unauthorized` if the password has changed since it was verified.
    @discardableResult
    package func setPassword(
        _ hash: String, of id: Int64, proof: String? = nil, keeping kept: [UInt8]? = nil
    ) async throws -> Int {
        let now = database.clock.now()
        return try await database.commits.write { db in
            try GrantStore.require(proof, of: id, in: db)
            return try db.setPassword(hash, of: id, keeping: kept, at: now)
        }
    }

    /// The administrators, the oldest accounts first.
    package func admins(limit: Int) async throws -> [Account] {
        try await database.read { db in
            let query: SQL = """
                SELECT \(sql: AccountRow.columns) FROM account a WHERE a.role = 'admin' AND \(sql: AccountRow.visible)
                ORDER BY a.id LIMIT \(limit)
                """
            return try db.fetchAll(query).map { try AccountRow.decode($0) }
        }
    }

    /// - Returns: Whether the role has changed.
    /// - Throws: ``FeedError`` `.conflict` if no administrator would remain.
    package func setRole(_ role: Account.Role, of id: Int64) async throws -> Bool {
        let now = database.clock.now()
        return try await database.commits.write { db in
            let account = try db.requireActiveAccount(id)
            guard account.role != role else { return false }
            try Self.requireOtherAdmin(than: account, in: db)
            try Self.setRole(role, of: id, at: now, in: db)
            return true
        }
    }

    static func requireOtherAdmin(than account: Account, in db: Database) throws {
        let query: SQL = """
            SELECT count(*) FROM account a
            WHERE a.role = 'admin' AND a.id <> \(account.id) AND \(sql: AccountRow.visible)
            """
        try ModerationRule.requireOtherAdmin(than: account, otherAdmins: try db.fetchOne(query, as: Int.self) ?? 0)
    }

    static func setRole(_ role: Account.Role, of id: Int64, at now: Int64, in db: Database) throws {
        try db.execute("UPDATE account SET role = \(role.rawValue) WHERE id = \(id)")
        try db.log(.accountUpdated, subject: id, account: id, at: now)
    }

    /// Sets an avatar that is not animated.
    package func setAvatar(_ hash: BlobHash, of id: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            let old = try db.requireActiveAccount(id)
            var new = old
            new.avatar = hash
            try Self.recordPictures(of: old, replacedBy: new, in: db)
            try db.execute("UPDATE account SET avatar = \(hash), avatar_static = \(hash) WHERE id = \(id)")
            try db.log(.accountUpdated, subject: id, account: id, at: now)
        }
    }

    /// All accounts, ordered by name.
    package func list() async throws -> [Account] {
        try await database.read { db in
            let sql: SQL = """
                SELECT \(sql: AccountRow.columns) FROM account a WHERE \(sql: AccountRow.published)
                ORDER BY a.username_key
                """
            return try db.fetchAll(sql).map { try AccountRow.decode($0) }
        }
    }

    /// The total number of accounts and statuses.
    package func counts() async throws -> (accounts: Int, statuses: Int) {
        try await database.read { db in
            let accounts = try db.fetchOne(
                "SELECT count(*) FROM account a WHERE \(sql: AccountRow.visible)", as: Int.self)
            let statuses = try db.fetchOne(
                """
                SELECT CAST(sum(statuses_count) AS BIGINT) FROM account a WHERE \(sql: AccountRow.visible)
                """, as: Int.self)
            return (accounts ?? 0, statuses ?? 0)
        }
    }

    /// The number of accounts that have posted since `time` (milliseconds since 1970).
    package func countActive(since time: Int64) async throws -> Int {
        try await database.read { db in
            let sql: SQL =
                "SELECT count(*) FROM account a WHERE a.last_status_at > \(time) AND \(sql: AccountRow.visible)"
            return try db.fetchOne(sql, as: Int.self) ?? 0
        }
    }
}

extension AccountStore {
    /// The ids of accounts with an email address; at most two, since callers only distinguish zero, one and several.
    private static func ids(_ db: Database, email: String) throws -> [Int64] {
        let sql: SQL = "SELECT id FROM account WHERE email <> '' AND lower(email) = \(emailKey(email)) LIMIT 2"
        return try db.fetchAll(sql, as: Int64.self)
    }

    /// The form in which email addresses are compared: `lower` changes only ASCII letters in these columns, but in a
    /// parameter its effect depends on the database's locale.
    static func emailKey(_ email: String) -> String {
        String(decoding: email.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }

    private static func requireFree(_ username: String, in db: Database) throws {
        guard try find(db, username: username, staged: true) == nil else {
            throw FeedError(.conflict, "the name \(username) is taken", hint: "Choose another name.")
        }
    }

    /// Nobody could log in with an address that two accounts have.
    static func requireFree(email: String, in db: Database) throws {
        guard try ids(db, email: email).isEmpty else {
            throw FeedError(.conflict, "the address \(email) is taken", hint: "Use another address.")
        }
    }

    /// Inserts a new account.
    /// - Throws: ``FeedError`` `.conflict` if the name or the address is taken.
    static func claim(_ new: NewAccount, at now: Int64, in db: Database) throws -> Int64 {
        try requireFree(new.username, in: db)
        try requireFree(email: new.email, in: db)
        return try insert(new, createdAt: now, importID: 0, into: db)
    }

    static func insert(_ new: NewAccount, createdAt: Int64, importID: Int64, into db: Database) throws -> Int64 {
        let id = try db.nextID(now: createdAt)
        try db.execute(
            """
            INSERT INTO account
            (id, username, username_key, display_name, city, email, note, note_html, role, password, created_at,
            import_id, privacy)
            VALUES (\(id), \(new.username), \(Username.key(new.username)), \(new.displayName), \(new.city),
            \(new.email), \(new.note), \(StatusHTML.render(StatusTextParser.parse(new.note), known: [:]).html),
            \(new.role.rawValue), \(new.password), \(createdAt), \(importID),
            \(new.privacy.rawValue))
            """)
        try index(new.displayName, of: id, in: db)
        return id
    }

    /// Stores the search index entries of a display name.
    static func index(_ name: String, of account: Int64, in db: Database) throws {
        try db.execute("DELETE FROM account_name WHERE account_id = \(account)")
        for ending in NameSuffixes.suffixes(of: name) {
            try db.execute("INSERT INTO account_name (ending, account_id) VALUES (\(ending), \(account))")
        }
    }

    static func find(_ db: Database, id: Int64) throws -> Account? {
        try db.fetchOne(query(id: id)).map { try AccountRow.decode($0) }
    }

    static func query(id: Int64) -> SQL {
        "SELECT \(sql: AccountRow.columns) FROM account a WHERE a.id = \(id) AND \(sql: AccountRow.published)"
    }

    /// - Parameter staged: Whether to include accounts of an unfinished import, whose names are taken.
    static func find(_ db: Database, username: String, staged: Bool = false) throws -> Account? {
        let condition = staged ? "" : "AND \(AccountRow.published)"
        let query: SQL = """
            SELECT \(sql: AccountRow.columns) FROM account a
            WHERE a.username_key = \(Username.key(username)) \(sql: condition)
            """
        return try db.fetchOne(query).map { try AccountRow.decode($0) }
    }
}
