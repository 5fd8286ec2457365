import FeedCore
import FeedFiles
import FeedStore
import FeedTestSupport
import Foundation

@testable import FeedWeb

/// A server with content, and clients with every kind of token.
struct TokenWorld: Sendable {
    /// A kind of token, or none.
    enum Token: String, CaseIterable {
        case none, account, application, basic, limited, suspended, wrong, revoked
    }

    let test: TestServices
    let account: Account
    let status: Int64
    private let tokens: [Token: String]

    /// - Parameter limits: With rate limits; `nil` for none.
    static func make(limits: Limits? = nil) async throws -> TokenWorld {
        let test = try TestServices(limits: limits ?? Limits(), enforcesRateLimits: limits != nil)
        let (ada, token) = try await test.account("ada")
        let (eve, suspended) = try await test.account("eve")
        var last: Int64 = 0
        for number in 0..<8 {
            test.store.clock.now += 1000
            last = try await test.store.post("status \(number) #tag", by: ada).id
        }
        try await test.store.moderation.perform(.suspend, on: eve.id)
        try await Self.setAvatar(of: try await test.store.account("bob"), test)
        let access = test.services.login.tokens
        let application = ClientApplication(name: "test app")
        let limited = try await access.create(
            for: ada.id, scopes: try ScopeSet(parsing: "write"), application: application)
        let own = try await access.create(for: nil, scopes: try ScopeSet(parsing: "read"), application: application)
        let revoked = try await access.create(for: ada.id, scopes: .all, application: application)
        try await access.revoke(revoked)
        return TokenWorld(
            test: test, account: ada, status: last,
            tokens: [
                .account: token, .application: own, .limited: limited, .suspended: suspended, .revoked: revoked,
                .wrong: Secret.randomText(),
            ])
    }

    private static func setAvatar(of account: Account, _ test: TestServices) async throws {
        let blobs = test.services.blobs
        try await blobs.whilePublishing {
            let blob = try await blobs.store([0x89] + Array("PNG\r\n\u{1A}\n and more".utf8))
            try await test.store.accounts.setAvatar(blob.hash, of: account.id)
        }
    }

    /// The Authorization field for a kind of token.
    func authorization(_ token: Token) -> [String] {
        switch token {
        case .none: []
        case .basic: ["Authorization: Basic YTpi"]
        default: ["Authorization: Bearer " + tokens[token, default: ""]]
        }
    }

    func secret(_ token: Token) -> String { tokens[token, default: ""] }

    /// A target with the ids of this world.
    func target(_ pattern: String) -> String {
        pattern.replacing("{account}", with: String(account.id)).replacing("{status}", with: String(status))
    }
}
