import Crypto
import Foundation

/// Access tokens: 32 random bytes, of which only the SHA-256 is stored.
package struct AccessTokens: Sendable {
    private let store: any TokenStoring

    package init(store: any TokenStoring) { self.store = store }

    /// Makes a token and returns its secret, which is not kept anywhere.
    /// - Parameter accountID: Whom it stands for; `nil` for a program that speaks for nobody.
    package func create(for accountID: Int64?, scopes: Scopes, application: ClientApplication) async throws -> String {
        let secret = Self.randomText()
        _ = try await store.insert(
            hash: Self.hash(secret), accountID: accountID, scopes: scopes, application: application)
        return secret
    }

    /// Who a secret stands for, or `nil`.
    package func holder(_ secret: String) async throws -> TokenHolder? {
        guard (20...200).contains(secret.utf8.count) else { return nil }
        return try await store.holder(hash: Self.hash(secret))
    }

    /// Makes a secret void. One that is unknown is void already.
    package func revoke(_ secret: String) async throws {
        _ = try await store.revoke(hash: Self.hash(secret))
    }

    /// SHA-256 of a secret.
    package static func hash(_ secret: String) -> [UInt8] { Array(SHA256.hash(data: Data(secret.utf8))) }

    /// 32 random bytes as 43 characters that need no escaping anywhere.
    package static func randomText() -> String {
        var random = SystemRandomNumberGenerator()
        return Base64URL.text((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
}
