package import FeedCore

extension RegistrationStore {
    /// Stores a new invitation.
    /// - Parameters:
    ///   - inviter: The account in whose name the operator invites, if any.
    ///   - lifetime: Milliseconds.
    package func invite(inviter: Account?, uses: Int, lifetime: Int64) async throws -> Invitation {
        let now = database.clock.now()
        let invitation = Invitation(
            code: Invitation.newCode(), inviter: inviter, createdAt: now, expiresAt: now + lifetime, maximumUses: uses)
        try await database.commits.write { db in
            try db.execute(
                sql: """
                    INSERT INTO invitation (code, account_id, created_at, expires_at, maximum_uses)
                    VALUES (?, ?, ?, ?, ?)
                    """, arguments: [invitation.code, inviter?.id, now, invitation.expiresAt, uses])
        }
        return invitation
    }

    package func invitation(code: String) async throws -> Invitation? {
        try await database.read { try Self.invitations(where: "code = \(code)", in: $0).first }
    }

    /// All invitations, oldest first.
    package func invitations() async throws -> [Invitation] {
        try await database.read { try Self.invitations(where: "1 = 1", in: $0) }
    }

    /// - Returns: Whether the invitation existed.
    package func revoke(code: String) async throws -> Bool {
        try await database.commits.write { db in
            try db.execute("DELETE FROM invitation WHERE code = \(code)")
            return db.changesCount > 0
        }
    }

    func removeInvitations(expiredBefore limit: Int64) async throws {
        let isDue = try await database.read {
            try Int.fetchOne($0, "SELECT 1 FROM invitation WHERE expires_at < \(limit) LIMIT 1") != nil
        }
        guard isDue else { return }
        try await database.commits.write(freesSpace: true) {
            try $0.execute("DELETE FROM invitation WHERE expires_at < \(limit)")
        }
    }

    static func invitee(_ code: String?, at now: Int64, in db: Database) throws -> RegistrationRule.Invitee {
        guard let code else { return .uninvited }
        let invitation = try invitations(where: "code = \(code)", in: db).first
        return invitation?.isUsable(at: now) == true ? .invited : .badlyInvited
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
            let inviter: Int64? = row[1]
            return Invitation(
                code: row[0], inviter: try inviter.flatMap { try AccountStore.find(db, id: $0) }, createdAt: row[2],
                expiresAt: row[3], maximumUses: row[4], uses: row[5])
        }
    }
}
