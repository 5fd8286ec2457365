import FeedCore

extension Database {
    /// The time of the account's last recorded login from the network of an attempt, in milliseconds since 1970.
    func networkLogin(of attempt: LoginAttempt) throws -> Int64? {
        guard let account = attempt.accountID else { return nil }
        return try Int64.fetchOne(
            self, "SELECT login_at FROM known_network WHERE account_id = \(account) AND network = \(attempt.address)")
    }

    /// Records a login, according to ``KnownNetworks``.
    func recordNetwork(of attempt: LoginAttempt, now: Int64) throws {
        guard let account = attempt.accountID,
            KnownNetworks.isDue(try networkLogin(of: attempt), now: now)
        else { return }
        try execute(
            """
            INSERT INTO known_network (account_id, network, login_at) VALUES (\(account), \(attempt.address), \(now))
            ON CONFLICT (account_id, network) DO UPDATE SET login_at = excluded.login_at
            """)
        try execute(
            """
            DELETE FROM known_network WHERE account_id = \(account) AND network NOT IN (
                SELECT network FROM known_network WHERE account_id = \(account)
                ORDER BY login_at DESC, network LIMIT \(KnownNetworks.maximum))
            """)
    }
}
