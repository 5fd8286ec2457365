package import FeedCore

/// Stores invitations in the database.
package struct InvitationStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Stores a new invitation.
    /// - Parameters:
    ///   - inviter: The account in whose name the operator invites, if any.
    ///   - lifetime: Milliseconds.
    ///   - maximum: The maximum number of valid invitations of the inviter; `nil` for no limit.
    /// - Throws: ``FeedError`` `.invalid` if the inviter has too many.
    package func invite(
        inviter: Account?, uses: Int, lifetime: Int64, maximum: Int? = nil
    ) async throws -> Invitation {
        let now = database.clock.now()
        let invitation = Invitation(
            code: Invitation.newCode(), inviter: inviter, createdAt: now, expiresAt: now + lifetime, maximumUses: uses)
        try await database.commits.write { db in
            if let inviter { try Self.check(inviter, maximum, at: now, in: db) }
            try db.execute(
                """
                INSERT INTO invitation (code, account_id, created_at, expires_at, maximum_uses)
                VALUES (\(invitation.code), \(inviter?.id), \(now), \(invitation.expiresAt), \(uses))
                """)
        }
        return invitation
    }

    private static func check(_ inviter: Account, _ maximum: Int?, at now: Int64, in db: Database) throws {
        try db.requireActiveAccount(inviter.id)
        guard let maximum else { return }
        let query: SQL = """
            SELECT count(*) FROM invitation
            WHERE account_id = \(inviter.id) AND expires_at > \(now) AND uses < maximum_uses
            """
        guard try db.fetchOne(query, as: Int.self) ?? 0 < maximum else {
            throw FeedError.invalid("You cannot have more than \(maximum) invitations at the same time")
        }
    }

    /// The invitations that an account has made, oldest first.
    package func invitations(by account: Int64) async throws -> [Invitation] {
        try await database.read { try Self.invitations(where: "account_id = \(account)", in: $0) }
    }

    package func invitation(code: String) async throws -> Invitation? {
        try await database.read { try Self.invitations(where: "code = \(code)", in: $0).first }
    }

    /// All invitations, oldest first.
    package func invitations() async throws -> [Invitation] {
        try await database.read { try Self.invitations(where: "1 = 1", in: $0) }
    }

    /// - Parameter account: The account that must have made it; `nil` for anyone.
    /// - Returns: Whether the invitation existed.
    package func revoke(code: String, by account: Int64? = nil) async throws -> Bool {
        let condition: SQL = account.map { "AND account_id = \($0)" } ?? ""
        return try await database.commits.write { db in
            try db.execute("DELETE FROM invitation WHERE code = \(code) \(condition)")
            return try db.changesCount > 0
        }
    }

    func remove(expiredBefore limit: Int64) async throws {
        let isDue = try await database.read {
            try $0.fetchOne("SELECT 1 FROM invitation WHERE expires_at < \(limit) LIMIT 1", as: Int.self) != nil
        }
        guard isDue else { return }
        try await database.commits.write(freesSpace: true) {
            try $0.execute("DELETE FROM invitation WHERE expires_at < \(limit)")
        }
    }

    static func invitee(_ code: String?, at now: Int64, in db: Database) throws -> RegistrationRule.Invitee {
        guard let code else { return .uninvited }
        let invitation = try invitations(where: "code = \(code)", in: db).first
        return invitation?.isUsable(at: now) == true ? .invited : .invalidInvitation
    }

    static func countUse(of code: String, in db: Database) throws {
        try db.execute("UPDATE invitation SET uses = uses + 1 WHERE code = \(code)")
    }

    private static func invitations(where condition: SQL, in db: Database) throws -> [Invitation] {
        let query: SQL = """
            SELECT code, account_id, created_at, expires_at, maximum_uses, uses FROM invitation
            WHERE \(condition) ORDER BY created_at, code
            """
        return try db.fetchAll(query).map { row in
            let inviter: Int64? = try row[1]
            return Invitation(
                code: try row[0], inviter: try inviter.flatMap { try AccountStore.find(db, id: $0) },
                createdAt: try row[2],
                expiresAt: try row[3], maximumUses: try row[4], uses: try row[5])
        }
    }
}
