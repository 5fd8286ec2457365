/// Gives programs what people allow them: codes, tokens, and tokens for refresh tokens.
///
/// A token lives until it is revoked. Whoever asks for the scope `offline_access` also gets a refresh token; using it
/// replaces both.
package struct Grants: Sendable {
    /// What a program gets to know, once.
    package struct Issued: Sendable {
        package let access: String
        package let refresh: String?
        package let scopes: Scopes
    }

    private let store: any GrantStoring
    private let clock: WallClock

    package init(store: any GrantStoring, clock: WallClock) {
        self.store = store
        self.clock = clock
    }

    /// - Returns: The code for the program; only its hash is kept.
    package func code(
        for account: Account, proof: String? = nil, application: ClientApplication, redirectURI: String, scopes: Scopes,
        challenge: String?
    ) async throws -> String {
        let code = AccessTokens.randomText()
        try await store.insert(
            AuthorizationCode(
                applicationID: application.id, accountID: account.id, redirectURI: redirectURI, scopes: scopes,
                challenge: challenge, createdAt: clock.now()), hash: AccessTokens.hash(code), proof: proof)
        return code
    }

    /// Trades a code for a token.
    /// - Returns: `nil` when the code is none of this program's, too old, used, or asked for under other conditions.
    package func redeem(
        _ code: String, by application: ClientApplication, redirectURI: String?, verifier: String?
    ) async throws -> Issued? {
        let secrets = Secrets()
        let now = clock.now()
        let granted = try await store.redeem(
            hash: AccessTokens.hash(code), for: secrets.hashes, application: application
        ) { $0.verdict(applicationID: application.id, redirectURI: redirectURI, verifier: verifier, now: now) }
        return granted.map { secrets.issued($0.scopes) }
    }

    /// Issues a token at once.
    /// - Parameters:
    ///   - accountID: Whom it stands for; `nil` for a program that speaks for nobody.
    ///   - proof: The password hash the account showed to know, if that is what it is given for.
    package func token(
        for accountID: Int64?, proof: String? = nil, scopes: Scopes, application: ClientApplication
    ) async throws -> Issued {
        let secrets = Secrets()
        try await store.insert(
            secrets.hashes, accountID: accountID, scopes: scopes, application: application, proof: proof)
        return secrets.issued(scopes)
    }

    /// Trades a refresh token for a fresh pair.
    /// - Returns: `nil` when it is none of this program's, or used.
    package func refresh(_ secret: String, by application: ClientApplication) async throws -> Issued? {
        let secrets = Secrets()
        let scopes = try await store.refresh(
            hash: AccessTokens.hash(secret), by: secrets.hashes, applicationID: application.id)
        return scopes.map(secrets.issued)
    }

    /// Makes a token void, by its own secret or by the one that renews it. One that is unknown is void already.
    /// - Parameter application: The program that asks; `nil` when it is the holder.
    /// - Throws: ``FeedError`` `.forbidden` when the token was issued to another program.
    package func revoke(_ secret: String, by application: ClientApplication?) async throws {
        try await store.revoke(hash: AccessTokens.hash(secret), applicationID: application?.id)
    }

    private struct Secrets {
        let access = AccessTokens.randomText()
        let refresh = AccessTokens.randomText()

        var hashes: TokenHashes {
            TokenHashes(access: AccessTokens.hash(access), refresh: AccessTokens.hash(refresh))
        }

        func issued(_ scopes: Scopes) -> Issued {
            Issued(access: access, refresh: scopes.areRenewable ? refresh : nil, scopes: scopes)
        }
    }
}
