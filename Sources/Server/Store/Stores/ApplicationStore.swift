package import FeedCore
import Foundation
import GRDB

/// Programs that registered themselves, in SQLite.
package struct ApplicationStore: ApplicationStoring {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func register(_ application: ClientApplication, secretHash: [UInt8]) async throws -> ClientApplication {
        let now = database.surroundings.now()
        return try await database.commits.write { db in
            var stored = application
            stored.id = try db.nextID(now: now)
            try db.execute(
                sql: """
                    INSERT INTO application (id, client_id, secret_hash, name, website, redirect_uris, scopes, created_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    stored.id, stored.clientID, Data(secretHash), stored.name, stored.website,
                    stored.redirectURIs.joined(separator: "\n"), stored.scopes.text, now,
                ])
            return stored
        }
    }

    package func application(clientID: String, secretHash: [UInt8]) async throws -> ClientApplication? {
        try await database.read { db in
            let sql = """
                SELECT id, client_id, name, website, redirect_uris, scopes FROM application
                WHERE client_id = ? AND secret_hash = ?
                """
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [clientID, Data(secretHash)]) else { return nil }
            return ClientApplication(
                id: row[0], clientID: row[1], name: row[2], website: row[3],
                redirectURIs: (row[4] as String).split(separator: "\n").map(String.init),
                scopes: Scopes(words: (row[5] as String).split(separator: " ").map(String.init)))
        }
    }
}
