import FeedCore
import Foundation

/// A new row of `token`.
struct TokenRow: Sendable {
    /// SHA-256 of the secret.
    var hash: [UInt8]
    /// SHA-256 of the refresh token; `nil` for a token without one.
    var refreshHash: [UInt8]?
    var accountID: Int64?
    var scopes: Scopes
    var application: ClientApplication
    /// SHA-256 of the authorization code for which the token was issued.
    var codeHash: [UInt8]?

    /// - Returns: The token's id.
    @discardableResult
    func insert(into db: Database, at now: Int64) throws -> Int64 {
        let id = try db.nextID(now: now)
        try db.execute(
            """
            INSERT INTO token (id, hash, account_id, application_id, scopes, application, code_hash, created_at)
            VALUES (\(id), \(Data(hash)), \(accountID), \(application.id == 0 ? nil : application.id),
            \(scopes.formatted), \(application.name), \(codeHash.map { Data($0) }), \(now))
            """)
        if accountID != nil {
            try db.execute("UPDATE application SET granted = 1 WHERE id = \(application.id)")
        }
        if let refreshHash { try GrantStore.insertRefresh(refreshHash, of: id, into: db, at: now) }
        return id
    }
}
