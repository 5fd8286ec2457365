import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import Testing

@testable import FeedStore

/// Migrations of older folders.
@Suite(.timeLimit(.minutes(15)), .onSQLite)
struct MigrationTests {
    /// The login tables as written by 0.1.0.
    private static let old = """
        INSERT INTO account (id, username, username_key, email, created_at) VALUES (7, 'ada', 'ada', 'Ada@x', 1);
        INSERT INTO application (id, client_id, secret_hash, name, redirect_uris, scopes, created_at)
            VALUES (8, 'client', x'01', 'App', 'https://app.test/cb', 'read write', 1);
        INSERT INTO token (id, hash, account_id, application_id, scopes, application, created_at)
            VALUES (9, x'02', 7, 8, 'read', 'App', 1);
        """

    @Test func migrationFromTheFirstVersionKeepsLogins() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder.path + "/data/" + SQLiteEngine.fileName)
        try Migrations.run(on: pool, upTo: "1")
        try await pool.write { db in
            try db.execute(sql: Self.old)
            try db.execute(sql: "INSERT OR REPLACE INTO meta (key, value) VALUES ('version', 'test'), ('epoch', 'old')")
        }
        try pool.close()

        let store = try TestStore(folder: folder)
        // Responses for the same statuses change, so cached ones are invalid.
        #expect(store.database.log.epoch != "old")
        guard case .account(let viewer) = try await store.tokens.holder(hash: [2]) else {
            Issue.record("the token was lost")
            return
        }
        #expect(viewer.account.id == 7 && viewer.scopes.names == ["read"])
        #expect(try await store.accounts.account(email: "ADA@x")?.id == 7)
        let applications = ApplicationStore(store.database)
        let application = try #require(try await applications.application(ofToken: [2]))
        #expect(application.id == 8 && application.redirectURIs == ["https://app.test/cb"])
        let grants = Grants(store: GrantStore(store.database), clock: store.clock.clock)
        let code = try await grants.code(
            for: viewer.account, application: application, redirectURI: "https://app.test/cb",
            scopes: Scopes(names: ["read"]), challenge: nil)
        let issued = try await grants.redeem(
            code, by: application, redirectURI: "https://app.test/cb", verifier: nil)
        #expect(issued?.scopes.names == ["read"])
    }
}
