import FeedCore
import Foundation

/// The writing connection of this process. Each batch stores its number, so that the outcome of a COMMIT during which
/// the connection was lost can be determined after reconnecting.
final class PostgresWriter: WriterConnection {
    /// The key of the advisory lock that every writing transaction acquires first: "feed" in ASCII.
    static let lockKey: Int64 = 0x6665_6564
    /// The time in seconds within which the outcome of a batch must be determined.
    private static let patience: TimeInterval = 10

    /// The id of this writer's row in the table `writer`.
    private let id = UUID().uuidString
    private let connect: () throws -> PostgresConnection
    private var connection: PostgresConnection?
    private var batch: Int64 = 0

    init(connect: @escaping () throws -> PostgresConnection) { self.connect = connect }

    var changesCount: Int { connection?.changesCount ?? 0 }
    var isInsideTransaction: Bool { connection?.isInsideTransaction ?? false }

    func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row] {
        try current().run(sql, values, isReused: isReused)
    }

    func columns(of table: String) throws -> [String] { try current().columns(of: table) }

    func restartIdentities() throws { try current().restartIdentities() }

    func inSavepoint(_ body: () throws -> Void) throws { try current().inSavepoint(body) }

    func close() { connection = nil }

    /// Runs `body` in a transaction. If `isRepeatable`, runs it again when the connection is lost before the commit.
    func inTransaction(isRepeatable: Bool, _ body: () throws -> Void) throws {
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        batch += 1
        _ = try current()
        while true {
            do {
                return try commit(body, until: deadline)
            } catch let error as PostgresError where error.isConnectionLoss && isRepeatable && Date() < deadline {
                connection = nil
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    }

    private func commit(_ body: () throws -> Void, until deadline: Date) throws {
        let connection = try current()
        do {
            try Self.begin(connection)
            try body()
            _ = try connection.run(
                "INSERT INTO writer (id, batch) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET batch = excluded.batch",
                [.text(id), .integer(batch)], isReused: true)
        } catch {
            if connection.isAlive, !connection.isIdle { _ = try? connection.execute("ROLLBACK") }
            throw error
        }
        do {
            try connection.execute("NOTIFY feed; COMMIT")
        } catch let error as PostgresError where error.isConnectionLoss {
            self.connection = nil
            if try !isCommitted(until: deadline) { throw error }
        }
    }

    private static func begin(_ connection: PostgresConnection) throws {
        try connection.execute("BEGIN; SELECT pg_advisory_xact_lock(\(lockKey))")
    }

    /// Whether the batch during whose COMMIT the connection was lost has been committed.
    /// - Throws: ``FeedError`` `.unavailable` if this cannot be determined before the deadline.
    private func isCommitted(until deadline: Date) throws -> Bool {
        while true {
            do {
                let connection = try current()
                // The lock is granted only after the lost transaction has ended.
                return try connection.transaction("BEGIN; SELECT pg_advisory_xact_lock(\(Self.lockKey))") {
                    let rows = try connection.run(
                        "SELECT batch FROM writer WHERE id = ?", [.text(id)], isReused: false)
                    return rows.first.map { $0[0] as Int64 } == batch
                }
            } catch let error as PostgresError where error.isConnectionLoss {
                connection = nil
                guard Date() < deadline else { throw FeedError.unresolved(error) }
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    }

    private func current() throws -> PostgresConnection {
        if let connection, connection.isAlive { return connection }
        let fresh = try connect()
        connection = fresh
        return fresh
    }
}

extension FeedError {
    fileprivate static func unresolved(_ cause: any Error) -> FeedError {
        FeedError(
            .unavailable, "The connection to the database was lost", hint: "Check whether the change was stored.",
            cause: cause, retryAfter: 10)
    }
}
