import FeedCore
import Foundation

/// The PostgreSQL schema. Up to 30, its version numbers are those of the SQLite schema with the same tables.
enum PostgresSchema {
    /// The version that ``tables`` creates.
    private static let firstVersion: Int64 = 10
    private static let version = firstVersion + Int64(PostgresMigrations.all.count)
    /// The key of the advisory lock that serializes the migrations of servers that start at the same time.
    private static let lockKey = PostgresWriter.lockKey + 2
    /// The key of the advisory lock that all writers share, so that the schema does not change under them.
    private static let useKey = PostgresWriter.lockKey + 4

    /// Checks that the server can be used.
    /// - Throws: ``FeedError`` if the server is too old or a standby, or if the encoding of the database is not UTF-8.
    static func check(_ connection: PostgresConnection, _ address: PostgresAddress) throws {
        guard connection.serverVersion >= 140_000 else {
            throw FeedError(
                .unsupported, "\(address.redacted) is older than PostgreSQL 14", hint: "Upgrade PostgreSQL.")
        }
        guard connection.encoding == "UTF8" else {
            throw FeedError(
                .unsupported, "\(address.redacted) uses the encoding \(connection.encoding)",
                hint: "Create the database with ENCODING 'UTF8'.")
        }
        let standby = try connection.run("SELECT pg_is_in_recovery()", [], isReused: false)
        guard try standby.first.map({ try $0[0] as Bool }) == false else {
            throw FeedError(
                .unavailable, "\(address.redacted) is a standby, which cannot be written to",
                hint: "Use the address of the primary, or list all servers with target_session_attrs=read-write.")
        }
    }

    /// Creates the schema if the database is empty, or migrates an older one.
    /// - Parameter creating: Whether to create it. Most commands must not, since the address may be mistyped.
    /// - Returns: Whether the schema was created or migrated.
    /// - Throws: ``FeedError`` if the schema is newer or belongs to another program, or if it must be migrated while a
    ///   server uses it.
    static func migrate(_ connection: PostgresConnection, creating: Bool = true) throws -> Bool {
        try connection.transaction(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(\(lockKey))"
        ) {
            let stored = try storedVersion(connection)
            guard let stored else {
                guard creating else {
                    throw FeedError(
                        .notFound, "no feed found in the database",
                        hint: "Check --database. feedserver serve, account add and import create a new feed.")
                }
                try create(connection)
                return true
            }
            try requireKnown(stored)
            if stored < version { try update(connection, from: stored) }
            return stored < version
        }
    }

    /// Prevents migrations as long as the connection is open.
    /// - Throws: ``FeedError`` `.conflict` if a server of another version has migrated the schema in the meantime.
    static func use(_ connection: PostgresConnection) throws {
        try connection.executeScript("SELECT pg_advisory_lock_shared(\(useKey))")
        guard try storedVersion(connection) == version else {
            throw FeedError(
                .conflict, "the database has been migrated by another version of feedserver",
                hint: "Update this server.")
        }
    }

    /// Whether the schema has to be migrated; `nil` if the database is empty.
    /// - Throws: ``FeedError`` as ``migrate(_:creating:)``.
    static func isMigrationDue(_ connection: PostgresConnection) throws -> Bool? {
        guard let stored = try storedVersion(connection) else { return nil }
        try requireKnown(stored)
        return stored < version
    }

    /// The version of the schema; `nil` if the database is empty.
    private static func storedVersion(_ connection: PostgresConnection) throws -> Int64? {
        let names = try connection.run(
            "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = current_schema()", [],
            isReused: false
        ).map { try $0[0] as String }
        guard !names.isEmpty else { return nil }
        guard names.contains("schema_version") else {
            throw FeedError(
                .conflict, "the database contains tables of another program", hint: "Use an empty database.")
        }
        return try connection.run("SELECT version FROM schema_version", [], isReused: false).first.map { try $0[0] }
            ?? 0
    }

    private static func requireKnown(_ stored: Int64) throws(FeedError) {
        guard (firstVersion...version).contains(stored) else {
            throw FeedError(
                .conflict, "the database was written by another version of feedserver",
                hint: "Install that version, or copy the feed into an empty database.")
        }
    }

    private static func update(_ connection: PostgresConnection, from stored: Int64) throws {
        let isFree = try connection.run("SELECT pg_try_advisory_xact_lock(\(useKey))", [], isReused: false)
        guard try isFree.first.map({ try $0[0] as Bool }) == true else {
            throw FeedError(
                .conflict, "the database has to be migrated, and a server of an older version is using it",
                hint: "Stop all servers of the older version, then start again.")
        }
        for migration in PostgresMigrations.all.dropFirst(Int(stored - firstVersion)) {
            try connection.executeScript(migration)
        }
        try connection.executeScript("UPDATE schema_version SET version = \(version)")
    }

    private static func create(_ connection: PostgresConnection) throws {
        for statements in [tables] + PostgresMigrations.all { try connection.executeScript(statements) }
        try connection.executeScript(
            "INSERT INTO schema_version VALUES (\(version)); INSERT INTO sequence VALUES (1, 0)")
        _ = try connection.run(
            "INSERT INTO meta (key, value) VALUES ('epoch', ?)", [.text(UUID().uuidString.lowercased())],
            isReused: false)
    }
}
