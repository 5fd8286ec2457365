import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedStore

/// The deletion of unused applications and of their own tokens.
@Suite(.hangLimit)
struct SweepTests {
    private static let day: Int64 = 86_400_000

    /// The use of an application after its registration.
    enum Life: CaseIterable {
        case forgotten, asked, loggedIn, loggedOut, ownToken, ownTokenUsed

        /// Whether the application still exists after `days` days.
        func stays(_ days: Int64) -> Bool {
            switch self {
            case .forgotten: days <= 1
            case .ownToken: days <= 30
            case .asked, .loggedIn, .loggedOut, .ownTokenUsed: true
            }
        }
    }

    @Test(arguments: Life.allCases)
    func applicationsAreKeptWhileTheyMayBeUsed(life: Life) async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let tokens = store.tokens
        let application = try await Self.register("App", store)
        let secret = try await Self.live(life, application, ada, store)
        for days: Int64 in [0, 1, 2, 25, 30, 31, 60, 100] {
            store.clock.now = 1_700_000_000_000 + days * Self.day
            if life == .ownTokenUsed { #expect(try await Authentication(store: tokens).holder(secret) != nil) }
            try await tokens.sweep()
            let found = try await ApplicationStore(store.database).application(clientID: application.clientID)
            #expect((found != nil) == life.stays(days), "\(life) after \(days) days")
            let holder = try await Authentication(store: store.tokens).holder(secret)
            #expect((holder != nil) == ([.loggedIn, .ownTokenUsed].contains(life) || life == .ownToken && days <= 30))
        }
    }

    /// After the server was down for two months, applications have a day to use their tokens.
    @Test func unusedTokensGetADayAfterALongDowntime() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let application = try await Self.register("App", store)
        let secret = try await Self.live(.ownToken, application, ada, store)
        store.clock.now += 60 * Self.day
        let tokens = store.tokens
        try await tokens.sweep()
        #expect(try await Authentication(store: store.tokens).holder(secret) != nil)
        store.clock.now += Self.day
        try await tokens.sweep()
        #expect(try await Authentication(store: store.tokens).holder(secret) == nil)
    }

    @Test func manyApplicationsAreRemovedInBatches() async throws {
        let store = try TestStore()
        let tokens = store.tokens
        store.clock.now += Self.day
        let ada = try await store.account("ada")
        let kept = try await Self.register("kept", store)
        _ = try await Self.live(.loggedIn, kept, ada, store)
        try await store.database.commits.write { db in
            for index in 0..<1200 {
                try db.execute(
                    """
                    INSERT INTO application (id, client_id, secret_hash, name, redirect_uris, scopes, created_at)
                    VALUES (\(index + 1), \("client\(index)"), \(Data([0])), 'x', 'x', 'read', 1)
                    """)
                try db.execute(
                    """
                    INSERT INTO token (id, hash, application_id, scopes, created_at)
                    VALUES (\(index + 1), \(Data("\(index)".utf8)), \(index + 1), 'read', 1)
                    """)
            }
        }
        try await tokens.sweep()
        let left = try await store.database.read { db in
            try [
                db.fetchOne("SELECT count(*) FROM application", as: Int.self),
                db.fetchOne("SELECT count(*) FROM token", as: Int.self),
            ]
        }
        #expect(left == [1, 1])
    }

    /// For applications in a folder of an older version, it is unknown when they were last used.
    @Test(.onSQLite) func migrationKeepsApplications() async throws {
        let folder = try TemporaryFolder()
        try SQLiteMigrations.makeFolder(
            folder.path + "/data", version: "3",
            """
            INSERT INTO application (id, client_id, secret_hash, name, redirect_uris, scopes, created_at)
            VALUES (8, 'client', x'01', 'App', 'https://app.test/cb', 'read write', 1);
            """)
        let store = try TestStore(folder: folder)
        try await store.tokens.sweep()
        #expect(try await ApplicationStore(store.database).application(clientID: "client") != nil)
    }

    private static func register(_ name: String, _ store: TestStore) async throws -> ClientApplication {
        try await ApplicationStore(store.database).register(
            ClientApplication(clientID: Secret.randomText(), name: name), secretHash: [1])
    }

    /// - Returns: The secret of the application's last token, or an invalid one.
    private static func live(
        _ life: Life, _ application: ClientApplication, _ ada: Account, _ store: TestStore
    ) async throws -> String {
        let grants = Grants(store: GrantStore(store.database), clock: store.clock.clock)
        let scopes = ScopeSet(names: ["read"])
        switch life {
        case .forgotten: return ""
        case .asked:
            return try await grants.code(
                for: ada, application: application, redirectURI: "x", scopes: scopes, challenge: nil)
        case .loggedIn: return try await grants.token(for: ada.id, scopes: scopes, application: application).access
        case .loggedOut:
            let issued = try await grants.token(for: ada.id, scopes: scopes, application: application)
            try await grants.revoke(issued.access, by: application)
            return issued.access
        case .ownToken, .ownTokenUsed:
            return try await grants.token(for: nil, scopes: scopes, application: application).access
        }
    }
}
