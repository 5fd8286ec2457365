package import FeedCore
import FeedFiles
import FeedStore
package import FeedWeb
import Foundation
import NIOCore
import NIOPosix

/// The server without its process and sockets: a real database and a real blob store behind the real router.
package final class TestServices: Sendable {
    package let store: TestStore
    package let services: Services

    package init(
        anonymousUploads: Bool = false, limits: Limits = Limits(), base: String = "http://feed.test",
        registration: RegistrationPolicy.Mode = .closed, blockedNames: Set<String> = [],
        enforcesRateLimits: Bool = false
    ) throws {
        store = try TestStore()
        let stores = store.database.stores
        services = Services(
            stores: stores,
            blobs: try BlobStore(folder: store.folder.path + "/data", threads: NIOSingletons.posixBlockingThreadPool),
            login: LoginServices(
                stores: stores, hashing: ScryptPool(scrypt: Scrypt(logN: 4, r: 8, p: 1)), limits: limits,
                clock: store.clock.clock,
                registration: RegistrationPolicy(mode: registration, blockedNames: blockedNames)),
            site: Site(
                baseURL: BaseURL(configured: base, fallback: "http://fallback"),
                reader: try WebReader(site: "Test feed", files: Self.readerFiles()), version: "test",
                allowsAnonymousUploads: anonymousUploads, formKey: store.database.formKey),
            limits: limits, clock: store.clock.clock, log: store.database.log, enforcesRateLimits: enforcesRateLimits)
    }

    /// An account with a password and a token with all scopes; those of an administrator include admin scopes.
    package func account(
        _ name: String, password: String = "secret", role: Account.Role = .member
    ) async throws -> (account: Account, token: String) {
        var new = NewAccount(username: name)
        new.role = role
        new.password = try Scrypt(logN: 4, r: 8, p: 1).hash(password)
        let account = try await store.accounts.create(new)
        return (
            account,
            try await services.login.tokens.create(
                for: account.id,
                scopes: role == .admin ? Scopes(names: Scopes.all.names + ["admin:read", "admin:write"]) : .all,
                application: ClientApplication(name: "test app"))
        )
    }

    private static func readerFiles() throws -> [String: [UInt8]] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Public")
        let names = [
            "page.mustache", "status.mustache", "authorize.mustache", "join.mustache", "style.css", "reader.js",
            "icon.svg",
        ]
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, Array(try Data(contentsOf: root.appendingPathComponent($0)))) })
    }
}
