package import FeedCore

/// Stores the counters of failed logins and the networks of successful ones in the database, which all servers of a feed
/// share.
package struct LoginFailureStore: LoginFailureStoring {
    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Counts an attempt as a failure before its outcome is known, unless ``LoginThrottle`` makes it wait.
    /// - Parameter now: Milliseconds since 1970.
    /// - Returns: The time in seconds until the attempt is allowed; `nil` if it may proceed.
    package func begin(_ attempt: LoginAttempt, now: Int64) async throws -> Int? {
        // Refused attempts, of which there may be many, only read.
        if let seconds = try await database.read({ try Self.throttle(attempt, now, in: $0).wait(now: now) }) {
            return seconds
        }
        return try await database.commits.write { db in
            try Self.change(attempt, now, in: db) { $0.begin(now: now) }
        }
    }

    /// Retracts the failure of an attempt that succeeded or could not be checked. After a success, the network is one
    /// of the account's ``KnownNetworks``.
    /// - Parameter now: Milliseconds since 1970.
    package func retract(_ attempt: LoginAttempt, hasSucceeded: Bool, now: Int64) async throws {
        try await database.commits.write { db in
            try Self.change(attempt, now, in: db) { $0.retract(hasSucceeded: hasSucceeded) }
            if hasSucceeded { try db.recordNetwork(of: attempt, now: now) }
        }
    }

    /// Whether the account's owner has logged in from the network of an attempt, according to ``KnownNetworks``.
    /// - Parameter now: Milliseconds since 1970.
    package func isKnown(_ attempt: LoginAttempt, now: Int64) async throws -> Bool {
        try await database.read { KnownNetworks.isKnown(try $0.networkLogin(of: attempt), now: now) }
    }

    /// Deletes counters whose window has ended, and networks that are no longer known.
    package func prune(now: Int64) async throws {
        try await database.commits.write { db in
            try db.execute("DELETE FROM login_failure WHERE since <= \(now - LoginThrottle.window)")
            try db.execute("DELETE FROM known_network WHERE login_at <= \(now - KnownNetworks.lifetime)")
        }
    }

    private static func change<Value>(
        _ attempt: LoginAttempt, _ now: Int64, in db: Database, _ body: (inout LoginThrottle) -> Value
    ) throws -> Value {
        var throttle = try throttle(attempt, now, in: db)
        let before = throttle.failures
        let value = body(&throttle)
        for key in attempt.keys where throttle.failures[key] != before[key] {
            try store(throttle.failures[key], key, in: db)
        }
        return value
    }

    private static func throttle(_ attempt: LoginAttempt, _ now: Int64, in db: Database) throws -> LoginThrottle {
        let rows = try db.fetchAll(
            "SELECT key, count, since FROM login_failure WHERE key IN \(list: attempt.keys)")
        let failures = try rows.map { try ($0[0] as String, LoginThrottle.Failures(count: $0[1], since: $0[2])) }
        return LoginThrottle(
            attempt, failures: Dictionary(failures) { first, _ in first },
            isKnown: KnownNetworks.isKnown(try db.networkLogin(of: attempt), now: now))
    }

    private static func store(_ failures: LoginThrottle.Failures?, _ key: String, in db: Database) throws {
        guard let failures else { return try db.execute("DELETE FROM login_failure WHERE key = \(key)") }
        try db.execute(
            """
            INSERT INTO login_failure (key, count, since) VALUES (\(key), \(failures.count), \(failures.since))
            ON CONFLICT (key) DO UPDATE SET count = excluded.count, since = excluded.since
            """)
    }
}

extension Database {
    /// The time of the account's last recorded login from the network of an attempt, in milliseconds since 1970.
    func networkLogin(of attempt: LoginAttempt) throws -> Int64? {
        guard let account = attempt.accountID else { return nil }
        return try self.fetchOne(
            "SELECT login_at FROM known_network WHERE account_id = \(account) AND network = \(attempt.address)",
            as: Int64.self)
    }

    /// Records a login, according to ``KnownNetworks``.
    fileprivate func recordNetwork(of attempt: LoginAttempt, now: Int64) throws {
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
