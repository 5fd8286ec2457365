package import FeedCore
import Foundation
import GRDB

/// Examines a database without changing it, for `feedserver doctor`.
package enum DatabaseDoctor {
    /// Refuses what `serve` refuses: a folder whose database has been lost, or which a restore has not filled yet.
    /// - Throws: ``FeedError``.
    package static func refuseIncomplete(folder: String) throws(FeedError) {
        try DataFolderRestore.refuseIncomplete(folder)
        try SQLiteDatabase.refuseIfDatabaseIsMissing(folder)
    }

    /// - Parameter contact: The name of an account to look up.
    /// - Throws: ``FeedError`` if the database cannot be read, or belongs to another program or a newer version.
    package static func sqlite(folder: String, contact: String? = nil) throws -> DatabaseFacts {
        let path = folder + "/" + SQLiteDatabase.fileName
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = SQLiteDatabase.busyMode
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { try facts($0, path: path, contact: contact) }
        } catch let error as DatabaseError {
            guard [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) else {
                throw FeedError(
                    .storage, "cannot read \(path): \(error.message ?? "unknown error")",
                    hint: "Run feedserver as the owner of the file.", cause: error)
            }
            throw FeedError(.storage, "\(path) is damaged", hint: SQLiteError.damagedHint, cause: error)
        }
    }

    private static func facts(_ db: GRDB.Database, path: String, contact: String?) throws -> DatabaseFacts {
        guard try Int.fetchOne(db, sql: "PRAGMA application_id") == SQLiteDatabase.applicationID else {
            throw FeedError(.storage, "\(path) is not a feed", hint: "Name another folder with --data DIR.")
        }
        guard try !SQLiteMigrations.hasBeenSuperseded(db) else {
            throw FeedError(
                .storage, "\(path) was written by a newer version of feedserver", hint: "Install that version.")
        }
        let check = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no result"
        let id = try Int64.fetchOne(db, sql: "SELECT last FROM sequence") ?? 0
        let isDue = try SQLiteMigrations.isDue(db)
        // An older or damaged database may lack what the query reads.
        let count = contact.flatMap { name in
            try? isDue ? nil : Int.fetchOne(db, sql: accounts + "?", arguments: [Username.key(name)])
        }
        return DatabaseFacts(
            engine: "SQLite " + (try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? ""),
            isMigrationDue: isDue, damage: check == "ok" ? nil : check, newest: id >> 16,
            hasContact: count.map { $0 > 0 })
    }

    /// Counts the accounts with the name that follows.
    private static let accounts =
        "SELECT count(*) FROM account a WHERE \(AccountRow.visible) AND a.username_key = "

    /// - Parameter contact: The name of an account to look up.
    /// - Returns: `nil` if the database is empty.
    /// - Throws: ``FeedError`` if the database cannot be used.
    package static func postgres(_ address: PostgresAddress, contact: String? = nil) throws -> DatabaseFacts? {
        do {
            let connection = try PostgresConnection(
                try PostgresLibrary.load(), url: address.withDefaults(primary: false), dialect: PostgresSQL())
            try connection.executeScript("SET client_encoding = 'UTF8'; SET default_transaction_read_only = on")
            try PostgresSchema.check(connection, address)
            guard let isDue = try PostgresSchema.isMigrationDue(connection) else { return nil }
            let id = try connection.run("SELECT last FROM sequence", [], isReused: false).first.map {
                try $0[0] as Int64
            }
            let count = try contact.flatMap { name in
                let query: SQL = "\(sql: accounts)\(Username.key(name))"
                return try isDue ? nil : connection.run([query])[0].first.map { try $0[0] as Int64 }
            }
            let version = connection.serverVersion
            return DatabaseFacts(
                engine: "PostgreSQL \(version / 10_000).\(version % 10_000)", isMigrationDue: isDue, damage: nil,
                newest: (id ?? 0) >> 16, hasContact: count.map { $0 > 0 })
        } catch let error as PostgresError {
            throw FeedError(
                .unavailable, "cannot use \(address.redacted): \(error.message)",
                hint: "Check the address, and that the server is running and accepts this user.", cause: error)
        }
    }

    /// Whether the PostgreSQL client library can be loaded.
    package static var hasLibPQ: Bool { (try? PostgresLibrary.load()) != nil }
}
