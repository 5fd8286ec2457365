import FeedAPI
import FeedCore
import Foundation

/// The writing connection of this process. Each batch stores its number, so that the outcome of a COMMIT during which
/// the connection was lost can be determined after reconnecting.
final class PostgresWriter: WriterConnection {
    /// The key of the advisory lock that every writing transaction acquires first: "feed" in ASCII.
    static let lockKey: Int64 = 0x6665_6564
    /// The time in seconds within which the outcome of a batch must be determined.
    private static let outcomeTimeout = TimeInterval(Timeout.seconds(10))

    /// The id of this writer's row in the table `writer`.
    private let id = UUID().uuidString
    private let connect: () throws -> PostgresConnection
    private var connection: PostgresConnection?
    /// The connection of the current transaction, whose statements must never run on another one.
    private var active: PostgresConnection?
    private var lastFailure: (error: any Error, at: Date)?
    private var batch: Int64 = 0
    /// Whether to wait for the results of each job before the next one.
    private var separatesJobs = false

    init(connect: @escaping () throws -> PostgresConnection) { self.connect = connect }

    var changesCount: Int { get throws { try connection?.changesCount ?? 0 } }
    var isInsideTransaction: Bool { connection?.isInsideTransaction ?? false }

    func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row] {
        try (active ?? current()).run(sql, values, isReused: isReused)
    }

    func run(_ queries: [SQL]) throws -> [[Row]] { try (active ?? current()).run(queries) }

    func execute(_ sql: String, _ values: [SQLValue], isReused: Bool) throws {
        try (active ?? current()).execute(sql, values, isReused: isReused)
    }

    var fullText: any SearchIndex { PostgresSearchIndex() }

    func columns(of table: String) throws -> [String] { try current().columns(of: table) }

    func restartIdentities() throws { try current().restartIdentities() }

    func inSavepoint(mayFailLater: Bool, _ body: () throws -> Void) throws {
        try (active ?? current()).inSavepoint(mayFailLater: mayFailLater && !separatesJobs, body)
    }

    func close() { connection = nil }

    /// Runs `body` in a transaction. If `isRepeatable`, runs it again when the connection is lost before the commit.
    func inTransaction(isRepeatable: () -> Bool, _ body: () throws -> Void) throws {
        let deadline = Date(timeIntervalSinceNow: Self.outcomeTimeout)
        batch += 1
        // During an outage, waiting batches fail at once instead of trying to connect one after the other.
        if let lastFailure, lastFailure.at > Date(timeIntervalSinceNow: -1) { throw lastFailure.error }
        _ = try current()
        defer { separatesJobs = false }
        while true {
            do {
                return try commit(body, until: deadline)
            } catch is EarlierJobError where !separatesJobs {
                separatesJobs = true
            } catch let error as PostgresError where error.isConnectionLoss && isRepeatable() && Date() < deadline {
                connection = nil
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    }

    private func commit(_ body: () throws -> Void, until deadline: Date) throws {
        let connection = try current()
        active = connection
        defer { active = nil }
        do {
            try connection.begin(Self.begin)
            try body()
            try connection.execute(
                "INSERT INTO writer (id, batch) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET batch = excluded.batch",
                [.text(id), .integer(batch)], isReused: true)
        } catch {
            connection.rollBack()
            throw error
        }
        do {
            try connection.execute("NOTIFY feed", [], isReused: true)
            try connection.commit()
        } catch let error as PostgresError where error.isConnectionLoss {
            self.connection = nil
            active = nil
            if try !isCommitted(until: deadline) { throw error }
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// The statements that begin a transaction.
    private static let begin = [
        // Set explicitly: at a stricter level, the snapshot would be taken before the lock is granted.
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", "SELECT pg_advisory_xact_lock(\(lockKey))",
    ]

    /// Whether the batch during whose COMMIT the connection was lost has been committed.
    /// - Throws: ``FeedError`` `.unavailable` if this cannot be determined before the deadline.
    private func isCommitted(until deadline: Date) throws -> Bool {
        while true {
            do {
                let connection = try current()
                // A standby may not have the commit yet.
                let standby = try connection.run("SELECT pg_is_in_recovery()", [], isReused: false)
                if try standby.first.map({ try $0[0] as Bool }) != false {
                    throw PostgresError(state: "25006", message: "the server is a standby")
                }
                // The lock is granted only after the lost transaction has ended.
                let begin = """
                    BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '2s';
                    SELECT pg_advisory_xact_lock(\(Self.lockKey))
                    """
                return try connection.transaction(begin) {
                    let rows = try connection.run(
                        "SELECT batch FROM writer WHERE id = ?", [.text(id)], isReused: false)
                    return try rows.first.map { try $0[0] as Int64 } == batch
                }
            } catch let error as PostgresError {
                if error.isConnectionLoss { connection = nil }
                guard error.isConnectionLoss || error.state == "55P03", Date() < deadline else {
                    throw FeedError.unresolved(error)
                }
                Thread.sleep(forTimeInterval: 0.1)
            } catch {
                throw FeedError.unresolved(error)
            }
        }
    }

    private func current() throws -> PostgresConnection {
        if let connection, connection.isAlive { return connection }
        do {
            let fresh = try connect()
            (connection, lastFailure) = (fresh, nil)
            return fresh
        } catch {
            lastFailure = (error, Date())
            throw error
        }
    }
}

extension FeedError {
    fileprivate static func unresolved(_ cause: any Error) -> FeedError {
        FeedError(
            .unavailable, "The connection to the database was lost", hint: "Check whether the change was stored.",
            cause: cause, retryAfter: 10)
    }
}
