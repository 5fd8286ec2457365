import FeedCore
import FeedTestSupport
import Synchronization
import TestKit
import Testing

@testable import FeedStore

/// Statements that are sent without waiting for their results, as PostgreSQL allows: the outcome is the same as on SQLite.
@Suite(.hangLimit) struct PipelineTests {
    private typealias Job = @Sendable (Database) throws -> Void

    private static func insert(_ keys: String...) -> Job {
        { db in for key in keys { try db.execute("INSERT INTO meta (key, value) VALUES (\(key), 'x')") } }
    }

    /// Runs jobs in one transaction, in their order.
    /// - Returns: Whether each of them succeeded.
    private static func batch(
        _ jobs: [Job], isRepeatable: Bool = true, in store: TestStore
    ) async throws -> [Bool] {
        let (commits, hasBegun, mayEnd) = (store.database.commits, Latch(), Latch())
        return try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            group.addTask {
                try await commits.write { _ in
                    hasBegun.open()
                    try mayEnd.block()
                }
                return (jobs.count, true)
            }
            try await hasBegun.wait()
            for (index, job) in jobs.enumerated() {
                group.addTask {
                    do { try await commits.write(isRepeatable: isRepeatable, job) } catch { return (index, false) }
                    return (index, true)
                }
                try await Wait.until("the job waits") { commits.waiting == index + 1 }
            }
            mayEnd.open()
            var outcomes = [Bool](repeating: false, count: jobs.count + 1)
            for try await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes.dropLast()
        }
    }

    /// The keys that exist.
    private static func stored(_ keys: String..., in store: TestStore) async throws -> [String] {
        var stored: [String] = []
        for key in keys where try await store.database.meta(key) != nil { stored.append(key) }
        return stored
    }

    @Test(arguments: [true, false]) func failureOfAWriteThatHasEndedAffectsNoOtherWrite(isRepeatable: Bool) async throws
    {
        let store = try TestStore()
        let found = Mutex<String?>(nil)
        let outcomes = try await Self.batch(
            [
                Self.insert("a"), Self.insert("half", "epoch"), Self.insert("other half", "epoch"),
                { db in
                    let value = try db.fetchOne("SELECT value FROM meta WHERE key = 'a'", as: String.self)
                    found.withLock { $0 = value }
                    try db.execute("INSERT INTO meta (key, value) VALUES ('b', 'x')")
                },
                Self.insert("c"),
            ], isRepeatable: isRepeatable, in: store)
        #expect(outcomes == [true, false, false, true, true])
        #expect(found.withLock { $0 } == "x")
        #expect(try await Self.stored("a", "half", "other half", "b", "c", in: store) == ["a", "b", "c"])
    }

    @Test func writeThatIgnoresTheFailureOfAnEarlierOneUndoesNothing() async throws {
        let store = try TestStore()
        let outcomes = try await Self.batch(
            [
                Self.insert("a"), Self.insert("half", "epoch"),
                { db in
                    _ = try? db.fetchAll("SELECT value FROM meta")
                    try? Self.insert("ignoring")(db)
                }, Self.insert("b"),
            ], in: store)
        #expect(outcomes == [true, false, true, true])
        #expect(try await Self.stored("a", "half", "ignoring", "b", in: store) == ["a", "ignoring", "b"])
    }

    @Test func refusalAfterTheFailureOfAnEarlierWriteAffectsNoOtherWrite() async throws {
        let store = try TestStore()
        let outcomes = try await Self.batch(
            [Self.insert("a"), Self.insert("half", "epoch"), { _ in throw FeedError.notFound }, Self.insert("b")],
            in: store)
        #expect(outcomes == [true, false, false, true])
        #expect(try await Self.stored("a", "half", "b", in: store) == ["a", "b"])
    }

    @Test func writeThatMustNotBeRepeatedRunsOnce() async throws {
        let store = try TestStore()
        let runs = Mutex(0)
        let outcomes = try await Self.batch(
            [
                { db in
                    runs.withLock { $0 += 1 }
                    try Self.insert("half", "epoch")(db)
                }, Self.insert("a"),
            ], isRepeatable: false, in: store)
        #expect(outcomes == [false, true] && runs.withLock { $0 } == 1)
    }

    @Test func refusalAfterAStatementThatFailedAffectsNoOtherWrite() async throws {
        let store = try TestStore()
        let outcomes = try await Self.batch(
            [
                Self.insert("a"),
                { db in
                    try Self.insert("half", "epoch")(db)
                    throw FeedError.notFound
                }, Self.insert("b"),
            ], in: store)
        #expect(outcomes == [true, false, true])
        #expect(try await Self.stored("a", "half", "b", in: store) == ["a", "b"])
    }

    @Test func failureAtTheEndOfALoneWriteIsReported() async throws {
        let store = try TestStore()
        let error = await #expect(throws: FeedError.self) {
            try await store.database.commits.write(Self.insert("half", "epoch"))
        }
        #expect(error?.kind == .storage)
        #expect(try await Self.stored("half", in: store).isEmpty)
        try await store.database.commits.write(Self.insert("half"))
        #expect(try await Self.stored("half", in: store) == ["half"])
    }

    @Test func statementsTakeEffectInTheirOrder() async throws {
        let store = try TestStore()
        let digits = (0..<200).map { String($0 % 10) }
        let (count, value) = try await store.database.commits.write { db in
            try Self.insert("order")(db)
            for digit in digits {
                try db.execute("UPDATE meta SET value = value || \(digit) WHERE key = 'order'")
            }
            try db.execute("UPDATE meta SET value = value WHERE key IN ('order', 'epoch')")
            return try (db.changesCount, db.fetchOne("SELECT value FROM meta WHERE key = 'order'", as: String.self))
        }
        #expect(count == 2)
        #expect(value == "x" + digits.joined())
    }

    @Test func queriesOfOneRoundTripAreAnsweredInTheirOrder() async throws {
        let store = try TestStore()
        let found = try await store.database.commits.write { db in
            try Self.insert("a", "b")(db)
            let rows = try db.fetchAll(of: [
                "SELECT value FROM meta WHERE key = 'missing'",
                "SELECT key FROM meta WHERE key IN ('a', 'b') ORDER BY key",
                "UPDATE meta SET value = 'y' WHERE key = 'a' RETURNING value",
                "SELECT value FROM meta WHERE key = 'a'",
            ])
            #expect(try db.fetchAll(of: []).isEmpty)
            return try rows.map { try $0.map { try $0[0] as String } }
        }
        #expect(found == [[], ["a", "b"], ["y"], ["y"]])
    }

    @Test func statementsLargerThanAllBuffersAreExecuted() async throws {
        let store = try TestStore()
        let text = String(repeating: "x", count: 100_000)
        let length = try await store.database.commits.write { db in
            for number in 0..<150 {
                try db.execute("INSERT INTO meta (key, value) VALUES (\("large \(number)"), \(text))")
            }
            return try db.fetchOne(
                "SELECT CAST(sum(length(value)) AS BIGINT) FROM meta WHERE key LIKE 'large %'", as: Int.self)
        }
        #expect(length == 15_000_000)
    }

    @Test func statementThatWasSkippedIsPreparedAgain() async throws {
        let store = try TestStore()
        let statement: SQL = "INSERT INTO meta (key, value) VALUES ('skipped', lower(\("X")))"
        await #expect(throws: FeedError.self) {
            try await store.database.commits.write { db in
                try Self.insert("epoch")(db)
                try db.execute(statement)
            }
        }
        try await store.database.commits.write { try $0.execute(statement) }
        #expect(try await store.database.meta("skipped") == "x")
    }

    @Test(.enabled(if: PostgresTests.isEnabled, "only for PostgreSQL"))
    func writeWhoseConnectionIsLostIsRepeatedOrFailsAsAWhole() async throws {
        let store = try TestStore()
        let runs = Mutex(0)
        let job: Job = { db in
            try Self.insert("first")(db)
            let run = runs.withLock {
                $0 += 1
                return $0
            }
            if run < 3 { _ = try db.fetchAll("SELECT pg_terminate_backend(pg_backend_pid())") }
            try Self.insert("second")(db)
        }
        await #expect(throws: FeedError.self) {
            try await store.database.commits.write(isRepeatable: false, job)
        }
        #expect(try await Self.stored("first", "second", in: store).isEmpty)
        try await store.database.commits.write(job)
        #expect(try await Self.stored("first", "second", in: store) == ["first", "second"])
        #expect(runs.withLock { $0 } == 3)
    }

    @Test(.enabled(if: PostgresTests.isEnabled, "only for PostgreSQL"), arguments: [true, false])
    func writesOfALostTransactionAreAllRepeatedOrFailTogether(isRepeatable: Bool) async throws {
        let store = try TestStore()
        let address = try await store.postgresAddress()
        let runs = Mutex(0)
        let outcomes = try await Self.batch(
            [
                Self.insert("a"),
                { db in
                    let run = runs.withLock {
                        $0 += 1
                        return $0
                    }
                    if run == 1 {
                        let id = try db.fetchOne("SELECT pg_backend_pid()", as: Int64.self) ?? 0
                        try PostgresConnection.open(address).terminate(id)
                    }
                    try Self.insert("b")(db)
                    if run == 1 { throw FeedError.notFound }
                }, Self.insert("c"),
            ], isRepeatable: isRepeatable, in: store)
        #expect(outcomes == [Bool](repeating: isRepeatable, count: 3))
        #expect(try await Self.stored("a", "b", "c", in: store) == (isRepeatable ? ["a", "b", "c"] : []))
        #expect(runs.withLock { $0 } == (isRepeatable ? 2 : 1))
    }

    @Test(.enabled(if: PostgresTests.isEnabled, "only for PostgreSQL"))
    func connectionsLostBetweenTransactionsAreReplaced() async throws {
        let store = try TestStore()
        let readMany: @Sendable () async throws -> Void = {
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<32 { group.addTask { try await store.database.meta("epoch") } }
                for try await epoch in group { #expect(epoch != nil) }
            }
        }
        try await readMany()
        _ = try await store.database.read { db in
            try db.fetchAll(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
        }
        try await readMany()
        try await store.database.commits.write(Self.insert("afterwards"))
        #expect(try await Self.stored("afterwards", in: store) == ["afterwards"])
    }
}
