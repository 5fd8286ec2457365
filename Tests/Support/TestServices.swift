package import FeedCore
import FeedFiles
import FeedStore
package import FeedWeb
import Foundation
import NIOCore
import NIOPosix
import TestKit

/// The server without its process and sockets: a real database and a real blob store behind the real router.
package final class TestServices: Sendable {
    package let store: TestStore
    package let services: Services
    package let settings: ReloadableSettings

    package init(
        anonymousUploads: Bool = false, limits: Limits = Limits(), base: String = "http://feed.test",
        registration: RegistrationPolicy.Mode = .closed, blockedNames: Set<String> = [],
        enforcesRateLimits: Bool = false, processesMedia: Bool = true, store: TestStore? = nil
    ) throws {
        let store = try store ?? TestStore()
        self.store = store
        let stores = store.database.stores
        var values = ReloadableSettings.Values()
        values.limits = limits
        values.site.title = "Test feed"
        values.registration = RegistrationPolicy(mode: registration, blockedNames: blockedNames)
        values.allowsAnonymousUploads = anonymousUploads
        settings = ReloadableSettings(values)
        let blobs = try BlobStore(
            folder: store.folder.path + "/data", threads: NIOSingletons.posixBlockingThreadPool)
        var services = Services(
            stores: stores, blobs: blobs,
            login: LoginServices(
                stores: stores, hashing: ScryptPool(scrypt: Scrypt(logN: 4, r: 8, p: 1)), settings: settings,
                clock: store.clock.clock),
            site: Site(
                baseURL: BaseURL(configured: base, fallback: "http://fallback"),
                assets: PageAssets(settings: settings, filesOf: try Self.assets.get()), version: "test",
                formKey: store.database.formKey, feedID: store.database.feedID, settings: settings),
            clock: store.clock.clock, log: store.database.log, enforcesRateLimits: enforcesRateLimits)
        if processesMedia { services.processing = TestProcessing(blobs: blobs) }
        // However busy the machine is.
        services.mediaQueue = MediaQueue(responseTime: .seconds(600))
        self.services = services
    }

    /// An account with a password and a token.
    package func account(
        _ name: String, password: String = "secret", role: Account.Role = .member, scopes: ScopeSet = .all
    ) async throws -> (account: Account, token: String) {
        var new = NewAccount(username: name)
        new.role = role
        new.password = try Scrypt(logN: 4, r: 8, p: 1).hash(password)
        let account = try await store.accounts.create(new)
        return (
            account,
            try await services.login.tokens.create(
                for: account.id, scopes: scopes, application: ClientApplication(name: "test app"))
        )
    }

    private static let assets: Result<PageAssets, any Error> = Result {
        try PageAssets(settings: ReloadableSettings(), files: readerFiles())
    }

    private static func readerFiles() throws -> [String: [UInt8]] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Public")
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { !$0.hasSuffix(".swift") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, Array(try Data(contentsOf: root.appendingPathComponent($0)))) })
    }
}
