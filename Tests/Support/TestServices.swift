package import FeedCore
import FeedFiles
import FeedStore
package import FeedWeb
import Foundation
import NIOCore
import NIOPosix

/// All of the server but its process and its sockets: a real database and a real blob store behind the real router.
package final class TestServices: Sendable {
    package let store: TestStore
    package let services: Services

    package init(
        anonymousUploads: Bool = false, limits: Limits = Limits(), base: String = "http://feed.test",
        opensRegistration: Bool = false, limitsRates: Bool = false
    ) throws {
        store = try TestStore()
        let hashing = ScryptPool(scrypt: Scrypt(logN: 4, r: 8, p: 1))
        let login = Login(accounts: store.accounts, hashing: hashing, clock: store.clock.clock)
        services = Services(
            accounts: store.accounts, statuses: store.statuses, follows: FollowStore(store.database),
            relationships: RelationshipStore(store.database), blocks: BlockStore(store.database),
            mutes: MuteStore(store.database), notifications: NotificationStore(store.database),
            markers: MarkerStore(store.database), search: SearchStore(store.database),
            applications: ApplicationStore(store.database), files: store.files,
            blobs: try BlobStore(folder: store.folder.path + "/data", threads: NIOSingletons.posixBlockingThreadPool),
            changes: store.changes, log: store.database.log, login: login, tokens: AccessTokens(store: store.tokens),
            grants: Grants(store: GrantStore(store.database), clock: store.clock.clock),
            posting: Posting(accounts: store.accounts, statuses: store.statuses, limits: limits), limits: limits,
            clock: store.clock.clock,
            baseURL: BaseURL(configured: base, fallback: "http://fallback"),
            reader: try WebReader(site: "Test feed", files: Self.readerFiles()),
            allowsAnonymousUploads: anonymousUploads,
            version: "test",
            registration: opensRegistration
                ? Registration(accounts: store.accounts, hashing: hashing, limits: limits) : nil,
            rates: limitsRates ? RateLimiter(limits: limits, clock: store.clock.clock) : nil)
    }

    /// An account with a password and a token with all scopes.
    package func account(_ name: String, password: String = "secret") async throws -> (account: Account, token: String)
    {
        var new = NewAccount(username: name)
        new.password = try Scrypt(logN: 4, r: 8, p: 1).hash(password)
        let account = try await store.accounts.create(new)
        return (
            account,
            try await services.tokens.create(
                for: account.id, scopes: .all, application: ClientApplication(name: "test app"))
        )
    }

    private static func readerFiles() throws -> [String: [UInt8]] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Public")
        let names = ["page.mustache", "status.mustache", "authorize.mustache", "style.css", "reader.js", "icon.svg"]
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, Array(try Data(contentsOf: root.appendingPathComponent($0)))) })
    }
}
