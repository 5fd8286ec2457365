import FeedCore
import Foundation

/// The PostgreSQL schema. Its version number is that of the SQLite schema with the same tables.
enum PostgresSchema {
    private static let version: Int64 = 10
    /// The key of the advisory lock that serializes the migrations of servers that start at the same time.
    private static let lockKey = PostgresWriter.lockKey + 2

    /// Checks that the server can be used.
    /// - Throws: ``FeedError`` if the server is too old or a standby, or if the encoding of the database is not UTF-8.
    static func check(_ connection: PostgresConnection, _ url: PostgresURL) throws {
        guard connection.serverVersion >= 140_000 else {
            throw FeedError(.unsupported, "\(url.shown) is older than PostgreSQL 14", hint: "Upgrade PostgreSQL.")
        }
        guard connection.encoding == "UTF8" else {
            throw FeedError(
                .unsupported, "\(url.shown) uses the encoding \(connection.encoding)",
                hint: "Create the database with ENCODING 'UTF8'.")
        }
        let standby = try connection.run("SELECT pg_is_in_recovery()", [], isReused: false)
        guard standby.first.map({ $0[0] as Bool }) == false else {
            throw FeedError(
                .unavailable, "\(url.shown) is a standby, which cannot be written to",
                hint: "Use the address of the primary, or list all servers with target_session_attrs=read-write.")
        }
    }

    /// Creates the schema if the database is empty.
    /// - Parameter creating: Whether to create it. Most commands must not, since the address may be mistyped.
    /// - Returns: Whether the schema was created.
    /// - Throws: ``FeedError`` if the schema has another version or belongs to another program.
    static func migrate(_ connection: PostgresConnection, creating: Bool = true) throws -> Bool {
        try connection.transaction(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(\(lockKey))"
        ) {
            let names = try connection.run(
                "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = current_schema()",
                [], isReused: false
            ).map { $0[0] as String }
            guard !names.isEmpty else {
                guard creating else {
                    throw FeedError(
                        .notFound, "no feed found in the database",
                        hint: "Check --database. feedserver serve, account add and import create a new feed.")
                }
                try create(connection)
                return true
            }
            guard names.contains("schema_version") else {
                throw FeedError(
                    .conflict, "the database contains tables of another program", hint: "Use an empty database.")
            }
            let found = try connection.run("SELECT version FROM schema_version", [], isReused: false)
            guard found.first.map({ $0[0] as Int64 }) == version else {
                throw FeedError(
                    .conflict, "the database was written by another version of feedserver",
                    hint: "Install that version, or copy the feed into an empty database.")
            }
            return false
        }
    }

    private static func create(_ connection: PostgresConnection) throws {
        try connection.execute(tables)
        try connection.execute("INSERT INTO schema_version VALUES (\(version)); INSERT INTO sequence VALUES (1, 0)")
        _ = try connection.run(
            "INSERT INTO meta (key, value) VALUES ('epoch', ?)", [.text(UUID().uuidString.lowercased())],
            isReused: false)
    }
}
