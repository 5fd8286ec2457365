import AsyncHTTPClient
import Crypto
import FeedAPI
import Foundation

/// A login in a browser: an authorization request with PKCE (RFC 6749 §4.1, RFC 7636), which only this value can complete.
///
/// ```swift
/// let callback = try await LoginCallback.listen()
/// let login = try await client.beginLogin(redirectURI: callback.uri, store: store)
/// // Open login.url in the browser.
/// let credential = try await client.finish(login, code: try await callback.code(for: login))
/// ```
public struct BrowserLogin: Sendable {
    /// The redirect URI with which a server shows the code, so that the user can copy it.
    static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

    /// The address of the page on which the user logs in.
    public let url: String
    /// The value that the browser must bring back, so that no other page can end the login with a code of its own.
    let state: String
    fileprivate let verifier: String
    fileprivate let redirectURI: String
    fileprivate let application: ApplicationRegistration

    fileprivate init(_ client: FeedClient, _ application: ApplicationRegistration, redirectURI: String?) {
        (state, verifier) = (Self.randomText(), Self.randomText())
        self.redirectURI = redirectURI ?? Self.outOfBand
        self.application = application
        let query = [
            ("response_type", "code"), ("client_id", application.clientID), ("redirect_uri", self.redirectURI),
            ("scope", application.scopes), ("code_challenge", Self.challenge(verifier)),
            ("code_challenge_method", "S256"), ("state", redirectURI == nil ? nil : state),
        ]
        url = client.request(Paths.authorize, query: query).url
    }

    /// The value that commits to a verifier without revealing it (RFC 7636 §4.2).
    static func challenge(_ verifier: String) -> String { base64URL(Data(SHA256.hash(data: Data(verifier.utf8)))) }

    /// 32 random bytes as text that needs no escaping in URLs.
    private static func randomText() -> String {
        var random = SystemRandomNumberGenerator()
        return base64URL(Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }))
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension FeedClient {
    /// Begins a login in a browser. Registers this program with the server, because a registration that it has removed
    /// would lead to a page that only says so.
    /// - Parameters:
    ///   - redirectURI: ``LoginCallback/uri``; `nil` to let the server show a code, which the user enters.
    ///   - store: Keeps the registration for later logins with a password.
    /// - Throws: ``FeedClientError``.
    public func beginLogin(redirectURI: String?, store: CredentialStore? = nil) async throws -> BrowserLogin {
        let application = try await register(redirectURI: redirectURI, store: store)
        return BrowserLogin(self, application, redirectURI: redirectURI)
    }

    /// Exchanges the code that the server has sent to the browser for an access token.
    /// - Throws: ``FeedClientError``, with the code `.unauthorized` for a wrong or expired code.
    public func finish(_ login: BrowserLogin, code: String) async throws -> Credential {
        do {
            return try await issue(
                login.application, grant: "authorization_code",
                [("code", code), ("redirect_uri", login.redirectURI), ("code_verifier", login.verifier)])
        } catch let error as FeedClientError where error.status == 400 && error.message == "invalid_grant" {
            throw FeedClientError(
                .unauthorized, "The code is wrong or has expired", hint: "Log in again; a code works once.",
                cause: error, status: 400)
        }
    }
}
