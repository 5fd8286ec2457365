package import FeedCore

/// Stores follows and follow requests in the database.
package struct FollowStore: Sendable {
    let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Follows an account, or requests to follow it if it is locked. An existing follow is updated.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` if the accounts are the same or one blocks the other; `.invalid`
    ///   beyond ``FollowRule/maximum``.
    package func follow(_ followee: Int64, by follower: Int64, _ update: FollowUpdate = FollowUpdate()) async throws {
        try await change(follower, followee) { pair, now, db in try pair.follow(update, at: now, in: db) }
    }

    /// Ends a follow or withdraws a follow request.
    package func unfollow(_ followee: Int64, by follower: Int64) async throws {
        try await change(follower, followee) { pair, now, db in
            try pair.end(at: now, in: db)
            try pair.dropRequest(logging: .unfollowed, at: now, in: db)
        }
    }

    /// Removes a follower; a pending follow request is kept.
    package func removeFollower(_ follower: Int64, from followee: Int64) async throws {
        try await change(follower, followee) { pair, now, db in try pair.end(at: now, in: db) }
    }

    /// Accepts a follow request.
    /// - Throws: ``FeedError`` `.notFound` if there is no such request.
    package func accept(_ follower: Int64, by followee: Int64) async throws {
        try await change(follower, followee) { pair, now, db in try pair.accept(at: now, in: db) }
    }

    /// Rejects a follow request.
    /// - Throws: ``FeedError`` `.notFound` if there is no such request.
    package func reject(_ follower: Int64, by followee: Int64) async throws {
        try await change(follower, followee) { pair, now, db in
            guard try pair.dropRequest(logging: .followRejected, at: now, in: db) else { throw FeedError.notFound }
        }
    }

    private func change(
        _ follower: Int64, _ followee: Int64, _ body: @escaping @Sendable (FollowPair, Int64, Database) throws -> Void
    ) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            try body(FollowPair(follower: follower, followee: followee), now, db)
        }
    }
}

/// A follower and a followee. All changes to a pair are made here, which keeps counts, requests, notifications and the
/// change log consistent.
///
/// All functions run inside the caller's transaction.
struct FollowPair {
    /// The tables of follows and of follow requests.
    private enum Table: String { case follow, request = "follow_request" }

    let follower: Int64
    let followee: Int64

    func follow(_ update: FollowUpdate, at now: Int64, in db: Database) throws {
        guard let target = try AccountStore.find(db, id: followee) else { throw FeedError.notFound }
        let actor = try db.requireActiveAccount(follower)
        let decision = try FollowRule.decide(
            target, by: follower, isBlocked: try db.isBlocked(follower, followee),
            isFollowing: try options(in: .follow, db) != nil, isSilenced: actor.silencedAt != nil)
        try refuseStaged(in: db)
        let options = update.applied(to: FollowOptions())
        switch decision {
        case .follow:
            if try change(.follow, by: update, logging: .followed, at: now, in: db) { return }
            try checkNumber(of: actor, in: db)
            try begin(options, at: now, in: db)
        case .request:
            if try change(.request, by: update, logging: .followRequested, at: now, in: db) { return }
            try checkNumber(of: actor, in: db)
            try request(options, at: now, in: db)
        }
    }

    func accept(at now: Int64, in db: Database) throws {
        guard let options = try options(in: .request, db) else { throw FeedError.notFound }
        try refuseStaged(in: db)
        try begin(options, at: now, in: db)
    }

    /// - Returns: Whether there was a follow.
    @discardableResult
    func end(at now: Int64, in db: Database) throws -> Bool {
        try db.execute("DELETE FROM follow WHERE \(isPair) AND import_id NOT IN (SELECT id FROM staged_import)")
        guard try db.changesCount > 0 else { return false }
        try count(-1, in: db)
        try db.retract(.follow, by: follower, from: followee)
        try ListStore.remove(followee, fromAllListsOf: follower, at: now, in: db)
        try EndorsementStore.remove(followee, by: follower, at: now, in: db)
        try db.log(.unfollowed, subject: follower, account: followee, at: now)
        return true
    }

    /// - Parameter kind: The kind of the change log entry.
    /// - Returns: Whether there was a request.
    @discardableResult
    func dropRequest(logging kind: Change.Kind, at now: Int64, in db: Database) throws -> Bool {
        guard try removeRequest(in: db) else { return false }
        try db.log(kind, subject: follower, account: followee, at: now)
        return true
    }

    /// Refuses a change to a follow that belongs to an unfinished import, because the import may still be rolled back.
    /// - Throws: ``FeedError`` `.unavailable`.
    func refuseStaged(in db: Database) throws {
        let staged: SQL = "SELECT 1 FROM follow WHERE \(isPair) AND import_id IN (SELECT id FROM staged_import)"
        guard try db.fetchOne(staged) != nil else { return }
        throw FeedError(.unavailable, "An import is in progress", hint: "Try again in a moment.", retryAfter: 5)
    }
}

extension FollowPair {
    private var isPair: SQL { "follower_id = \(follower) AND followee_id = \(followee)" }

    private func options(in table: Table, _ db: Database) throws -> FollowOptions? {
        let query: SQL = "SELECT shows_reblogs, notifies, languages FROM \(sql: table.rawValue) WHERE \(isPair)"
        return try db.fetchOne(query).map {
            try FollowOptions(showsReblogs: $0[0], notifies: $0[1], languages: FollowLanguages.unpack($0[2]))
        }
    }

    /// Counts requests, too, because their acceptance is not refused.
    private func checkNumber(of follower: Account, in db: Database) throws {
        let requests: SQL = "SELECT count(*) FROM follow_request WHERE follower_id = \(follower.id)"
        let (sum, overflows) = follower.followingCount.addingReportingOverflow(
            try db.fetchOne(requests, as: Int.self) ?? 0)
        try FollowRule.checkNumber(overflows ? .max : sum)
    }

    /// - Returns: Whether the row exists.
    private func change(
        _ table: Table, by update: FollowUpdate, logging kind: Change.Kind, at now: Int64, in db: Database
    ) throws -> Bool {
        guard let current = try options(in: table, db) else { return false }
        let wanted = update.applied(to: current)
        guard wanted != current else { return true }
        try db.execute(
            """
            UPDATE \(sql: table.rawValue) SET shows_reblogs = \(wanted.showsReblogs), notifies = \(wanted.notifies),
                languages = \(FollowLanguages.pack(wanted.languages)) WHERE \(isPair)
            """)
        try db.log(kind, subject: follower, account: followee, at: now)
        return true
    }

    private func begin(_ options: FollowOptions, at now: Int64, in db: Database) throws {
        _ = try removeRequest(in: db)
        try db.execute(
            """
            INSERT INTO follow (follower_id, followee_id, shows_reblogs, notifies, languages, created_at)
            VALUES (\(follower), \(followee), \(options.showsReblogs), \(options.notifies),
                \(FollowLanguages.pack(options.languages)), \(now)) ON CONFLICT DO NOTHING
            """)
        // If an import has already added the follow, only the request is removed.
        if try db.changesCount > 0 { try count(1, in: db) }
        try db.log(.followed, subject: follower, account: followee, at: now)
        try db.notify(followee, of: .follow, by: follower, at: now)
    }

    private func request(_ options: FollowOptions, at now: Int64, in db: Database) throws {
        try db.execute(
            """
            INSERT INTO follow_request (follower_id, followee_id, shows_reblogs, notifies, languages, id)
            VALUES (\(follower), \(followee), \(options.showsReblogs), \(options.notifies),
                \(FollowLanguages.pack(options.languages)), \(try db.nextID(now: now)))
            """)
        try db.log(.followRequested, subject: follower, account: followee, at: now)
        try db.notify(followee, of: .followRequest, by: follower, at: now)
    }

    private func removeRequest(in db: Database) throws -> Bool {
        try db.execute("DELETE FROM follow_request WHERE \(isPair)")
        guard try db.changesCount > 0 else { return false }
        try db.retract(.followRequest, by: follower, from: followee)
        return true
    }

    private func count(_ step: Int, in db: Database) throws {
        try db.execute("UPDATE account SET following_count = following_count + \(step) WHERE id = \(follower)")
        try db.execute("UPDATE account SET followers_count = followers_count + \(step) WHERE id = \(followee)")
    }
}

/// The languages of a follow, as stored: separated by spaces, or `NULL` for all.
enum FollowLanguages {
    static func pack(_ languages: [String]) -> String? { languages.isEmpty ? nil : languages.joined(separator: " ") }

    static func unpack(_ text: String?) -> [String] {
        (text ?? "").utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    }

    /// Whether the follow `f` includes the language of the status `e`, which may have none.
    static var condition: SQL {
        "(f.languages IS NULL OR e.language IS NULL OR \(includes("f.languages", "' ' || e.language || ' '")))"
    }

    /// Whether an account follows the author of the status `e`, but not in its language.
    static func excludes(_ follower: any IDTerm) -> SQL {
        """
        EXISTS (SELECT 1 FROM follow f WHERE f.follower_id = \(follower.term) AND f.followee_id = e.account_id
            AND NOT \(condition))
        """
    }

    /// Whether a list includes a language. `replace` finds a text in both engines.
    /// - Parameter language: An expression for the language between spaces.
    static func includes(_ list: SQL, _ language: SQL) -> SQL {
        "replace(' ' || \(list) || ' ', \(language), '') <> ' ' || \(list) || ' '"
    }
}
