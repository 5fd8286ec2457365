import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit, .enabled(if: PostgresTests.isEnabled, "only for PostgreSQL")) struct PostgresConnectionTests {
    private static let duplicate: SQL = "INSERT INTO meta (key, value) VALUES ('epoch', 'x')"

    /// However many statements wait for their results, and wherever in a transaction.
    @Test func queriesAreAnsweredWhilePreparedStatementsAreRemoved() async throws {
        let connection = try PostgresConnection.open(await TestStore().postgresAddress(), maximumStatements: 3)
        let db = Database(connection: connection)
        var expected = 0
        for isPipelined in [true, false] {
            if isPipelined { try connection.begin(["BEGIN"]) }
            for pending in [0, 1, 2, 3] + Array(55..<70) {
                for number in 0..<pending { try db.execute("SELECT \(sql: "\(number % 5)")") }
                let numbers = expected..<expected + 4
                let rows = try db.fetchAll(of: numbers.map { "SELECT \(sql: "\($0)")" })
                #expect(try rows.map { try $0.map { try $0[0] as Int } } == numbers.map { [$0] })
                expected = numbers.upperBound
            }
            if isPipelined { try connection.commit() }
        }
        let count = try db.fetchOne("SELECT count(*) FROM pg_prepared_statements", as: Int.self)
        #expect(count.map { $0 < 8 } == true)
    }

    /// Prepared statements cannot be removed in a transaction that has failed.
    @Test(arguments: 1...8) func failedJobIsRolledBackHoweverManyStatementsArePrepared(maximum: Int) async throws {
        let store = try TestStore()
        let connection = try PostgresConnection.open(await store.postgresAddress(), maximumStatements: maximum)
        let db = Database(connection: connection)
        try connection.begin(["BEGIN"])
        for mayFailLater in [true, false] {
            #expect(throws: PostgresError.self) {
                try connection.inSavepoint(mayFailLater: mayFailLater) {
                    _ = try db.fetchAll("\(sql: Self.duplicate.text) RETURNING \(sql: mayFailLater ? "1" : "2")")
                }
            }
            #expect(connection.isInsideTransaction)
        }
        try connection.inSavepoint(mayFailLater: true) {
            try db.execute("INSERT INTO meta (key, value) VALUES ('afterwards', 'x')")
        }
        try connection.commit()
        #expect(try await store.database.meta("afterwards") == "x")
    }

    @Test func failureBeforeAJobIsNotThatOfTheJob() async throws {
        let connection = try PostgresConnection.open(await TestStore().postgresAddress())
        try connection.begin(["BEGIN", Self.duplicate.text])
        #expect(throws: PostgresError.self) {
            try connection.inSavepoint(mayFailLater: true) { Issue.record("The job must not run") }
        }
        #expect(!connection.isInsideTransaction)
        connection.rollBack()
        #expect(connection.isAlive && connection.isIdle)
    }

    @Test func failureOfAnEarlierJobIsThrownUntilTheTransactionIsRolledBack() async throws {
        let connection = try PostgresConnection.open(await TestStore().postgresAddress())
        let db = Database(connection: connection)
        try connection.begin(["BEGIN"])
        try connection.inSavepoint(mayFailLater: true) { try db.execute(Self.duplicate) }
        for _ in 1...2 {
            #expect(throws: EarlierJobError.self) {
                try connection.inSavepoint(mayFailLater: true) { _ = try? db.fetchAll("SELECT 1") }
            }
        }
        #expect(throws: EarlierJobError.self) { try connection.commit() }
        connection.rollBack()
        #expect(try db.fetchOne("SELECT 1", as: Int.self) == 1)
    }

    @Test func lostConnectionIsInNoTransaction() async throws {
        let address = try await TestStore().postgresAddress()
        let (connection, other) = try (PostgresConnection.open(address), PostgresConnection.open(address))
        let db = Database(connection: connection)
        try connection.begin(["BEGIN"])
        let id = try db.fetchOne("SELECT pg_backend_pid()", as: Int64.self)
        #expect(connection.isInsideTransaction)
        try other.terminate(try #require(id))
        for _ in 1...2 { #expect(throws: PostgresError.self) { _ = try db.fetchAll("SELECT 1") } }
        try? db.execute("SELECT 1")
        #expect(!connection.isInsideTransaction && !connection.isAlive)
    }
}

@Suite struct PostgresErrorTests {
    @Test func errorIsTranslatedWheneverItBecomesKnown() {
        let error = PostgresError(state: "53100", message: "the disk is full")
        for error in [error, EarlierJobError(cause: error)] as [any Error] {
            #expect((PostgresError.translate(error) as? FeedError)?.kind == .diskFull)
        }
    }
}

extension TestStore {
    /// The address of its database.
    func postgresAddress() async throws -> String {
        let name = try await database.read { db in
            try db.fetchOne("SELECT CAST(current_database() AS TEXT)", as: String.self)
        }
        return PostgresTests.address(try #require(name))
    }
}

extension PostgresConnection {
    static func open(_ address: String, maximumStatements: Int = 1000) throws -> PostgresConnection {
        try PostgresConnection(
            PostgresLibrary.load(), url: address, dialect: PostgresSQL(), maximumStatements: maximumStatements)
    }

    /// Ends another session, and waits until it has ended.
    func terminate(_ session: Int64) throws {
        _ = try run("SELECT pg_terminate_backend(\(session)::int)", [], isReused: false)
        try Wait.block(until: "the session has ended") {
            try run("SELECT 1 FROM pg_stat_activity WHERE pid = \(session)", [], isReused: false).isEmpty
        }
    }
}
