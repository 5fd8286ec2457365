package import FeedCore
import Foundation

/// Stores registered applications (OAuth 2 clients) in the database. Only the hashes of client secrets are stored.
package struct ApplicationStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Registers an application.
    /// - Returns: The application with its new id.
    package func register(_ application: ClientApplication, secretHash: [UInt8]) async throws -> ClientApplication {
        let now = database.clock.now()
        return try await database.commits.write { db in
            var stored = application
            stored.id = try db.nextID(now: now)
            try db.execute(
                """
                INSERT INTO application (id, client_id, secret_hash, name, website, redirect_uris, scopes,
                created_at)
                VALUES (\(stored.id), \(stored.clientID), \(Data(secretHash)), \(stored.name), \(stored.website),
                \(stored.redirectURIs.joined(separator: "\n")), \(stored.scopes.formatted), \(now))
                """)
            return stored
        }
    }

    /// - Returns: The application, or `nil` if the client id is unknown or the secret is wrong.
    package func application(clientID: String, secretHash: [UInt8]) async throws -> ClientApplication? {
        try await database.read {
            try Self.find($0, where: "client_id = \(clientID) AND secret_hash = \(Data(secretHash))")
        }
    }

    package func application(clientID: String) async throws -> ClientApplication? {
        try await database.read { try Self.find($0, where: "client_id = \(clientID)") }
    }

    /// The application a token was issued to. Tokens created on the command line belong to an application with id 0.
    package func application(ofToken hash: [UInt8]) async throws -> ClientApplication? {
        try await database.read { db in
            let token: SQL = "SELECT application_id, application, scopes FROM token WHERE hash = \(Data(hash))"
            guard let row = try db.fetchOne(token) else { return nil }
            guard let id = try row[0] as Int64? else {
                return try ClientApplication(name: row[1], scopes: ScopeSet(stored: row[2]))
            }
            return try Self.find(db, where: "id = \(id)")
        }
    }

    private static func find(_ db: Database, where condition: SQL) throws -> ClientApplication? {
        let query: SQL =
            "SELECT id, client_id, name, website, redirect_uris, scopes FROM application WHERE \(condition)"
        return try db.fetchOne(query).map { row in
            try ClientApplication(
                id: row[0], clientID: row[1], name: row[2], website: row[3],
                redirectURIs: (row[4] as String).utf8.split(separator: UInt8(ascii: "\n")).map {
                    String(Substring($0))
                },
                scopes: ScopeSet(stored: row[5]))
        }
    }
}
