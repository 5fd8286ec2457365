import AsyncHTTPClient
public import FeedAPI
import NIOCore

extension FeedClient {
    /// Exchanges a username and a password for an access token.
    /// - Parameters:
    ///   - username: The username; other servers with the Mastodon API may expect an email address.
    ///   - password: The password. It is not stored.
    ///   - store: Keeps the registration of this program with the server, so that the next login reuses it. Without it,
    ///     each login registers the program again.
    /// - Throws: ``FeedClientError``, with the code `.unauthorized` for a wrong username or password.
    public func login(
        username: String, password: String, store: CredentialStore? = nil
    ) async throws -> Credential {
        if let application = try store?.application(of: server),
            application.scopes == ApplicationRegistration.requestedScopes
        {
            do {
                return try await token(application, username, password)
            } catch let error as FeedClientError where ApplicationRegistration.isUnknown(error) {
                // The server has removed the registration.
            }
        }
        return try await token(try await register(store: store), username, password)
    }

    private func token(
        _ application: ApplicationRegistration, _ username: String, _ password: String
    ) async throws -> Credential {
        do {
            return try await issue(
                application, grant: "password",
                [
                    ("username", username), ("password", password),
                    ("scope", ApplicationRegistration.requestedScopes),
                ])
        } catch let error as FeedClientError where error.status == 400 && error.message == "invalid_grant" {
            throw FeedClientError(.unauthorized, "Wrong username or password", hint: "Check both.", status: 400)
        } catch let error as FeedClientError where Self.refusesPasswords(error) {
            throw FeedClientError(
                .unauthorized, "The server does not accept passwords from apps",
                hint: "Log in with the browser, without --username, or with an access token and --token-stdin.",
                status: error.status)
        }
    }

    /// Whether the server does not offer the grant type `password` (RFC 6749 §5.2), as Mastodon since 4.4.
    private static func refusesPasswords(_ error: FeedClientError) -> Bool {
        [400, 401].contains(error.status) && ["unsupported_grant_type", "unauthorized_client"].contains(error.message)
    }
}

extension FeedClient {
    /// The part of the server's metadata (RFC 8414) that says how apps may log in.
    private struct LoginMethods: Decodable {
        var grant_types_supported: [String]?
    }

    /// Whether the server lets apps log in with passwords, as far as it says so. Mastodon does not since 4.4.
    /// - Throws: ``FeedClientError`` if the server cannot be reached.
    public func acceptsPasswords() async throws -> Bool {
        do {
            let methods = try await transport.send(request(Paths.authorizationServer)).decode(LoginMethods.self)
            return methods.grant_types_supported?.contains("password") ?? true
        } catch let error as FeedClientError where error.status != nil || error.code == .failed {
            return true
        }
    }

    /// Revokes the access token on the server.
    public func revoke() async throws {
        guard let token = credential?.accessToken else { return }
        _ = try await transport.send(formRequest(Paths.revoke, [("token", token)]))
    }
}

/// The registration of this program with a server (an OAuth 2.0 client, RFC 6749 §2).
public struct ApplicationRegistration: Codable, Sendable, Equatable {
    public var clientID: String
    public var clientSecret: String
    /// The scopes that it may request, separated by spaces.
    public var scopes: String

    private enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case clientSecret = "client_secret"
        case scopes
    }

    public init(clientID: String, clientSecret: String, scopes: String) {
        (self.clientID, self.clientSecret, self.scopes) = (clientID, clientSecret, scopes)
    }

    /// The scopes that this program requests.
    static let requestedScopes = "read write follow"

    /// Whether a server has removed the registration (RFC 6749 §5.2).
    static func isUnknown(_ error: FeedClientError) -> Bool {
        [400, 401].contains(error.status) && error.message == "invalid_client"
    }
}

extension FeedClient {
    private struct Registration: Decodable {
        var client_id: String
        var client_secret: String
    }

    /// Registers this program with the server.
    /// - Parameters:
    ///   - redirectURI: Where the browser goes after a login; the server can always show a code instead.
    ///   - store: Keeps the registration.
    func register(redirectURI: String? = nil, store: CredentialStore?) async throws -> ApplicationRegistration {
        let scopes = ApplicationRegistration.requestedScopes
        let addresses = [BrowserLogin.outOfBand, redirectURI].compactMap(\.self).joined(separator: "\n")
        let request = formRequest(
            Paths.apps, [("client_name", "feedclient"), ("redirect_uris", addresses), ("scopes", scopes)])
        let registration = try await transport.send(request).decode(Registration.self)
        let application = ApplicationRegistration(
            clientID: registration.client_id, clientSecret: registration.client_secret, scopes: scopes)
        try store?.save(application, of: server)
        return application
    }
}

extension FeedClient {
    private static let loginsPerPage = 80
    /// Ends the reading of a list whose server keeps sending pages.
    private static let maximumLoginPages = 100

    /// Reads the logins of this account, newest first, from as many pages as necessary. feedserver and GoToSocial have them.
    /// - Parameter onPage: Receives the logins of each page, before the next page is requested. Returns whether to read on.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readLogins(onPage: (_ logins: [Entity.Login]) async throws -> Bool) async throws {
        var cursors = PageCursors()
        var before: String?
        for _ in 0..<Self.maximumLoginPages {
            let query = [("limit", String(Self.loginsPerPage)), ("max_id", before)]
            let response = try await explaining("The server does not list logins") {
                try await transport.send(request(Paths.tokens, query: query))
            }
            let logins = try elements(of: response, as: Entity.Login.self).compactMap(\.value)
            guard try await onPage(logins), let next = response.links.nextMaxID, cursors.advance(to: next) else {
                return
            }
            before = next
        }
    }

    /// Ends a login of this account.
    /// - Throws: ``FeedClientError``, with the code `.notFound` if there is no such login.
    @discardableResult public func endLogin(_ id: String) async throws -> Entity.Login {
        let path = Paths.tokens + "/" + Self.percentEncoded(id) + "/invalidate"
        do {
            return try await transport.send(formRequest(path, [])).decode(Entity.Login.self)
        } catch let error as FeedClientError where error.status == 404 {
            throw FeedClientError(
                .notFound, "No login \(id)", hint: "feedclient logins lists them, if the server does.", cause: error,
                status: 404)
        }
    }

    /// Changes the password of this account. feedserver then ends all other logins. GoToSocial has the same method.
    /// - Throws: ``FeedClientError``, with the code `.unauthorized` if the old password is wrong.
    public func changePassword(from old: String, to new: String) async throws {
        let fields = [("old_password", old), ("new_password", new)]
        do {
            _ = try await explaining("The server does not let apps change passwords") {
                try await transport.send(formRequest(Paths.passwordChange, fields))
            }
        } catch let error as FeedClientError where error.status == 401 && credential != nil {
            throw FeedClientError(
                .unauthorized, error.message, hint: "Check the current password.", cause: error, status: 401)
        }
    }

    /// Explains the response of a server without an extension that `body` uses.
    private func explaining<Value>(_ message: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as FeedClientError where [404, 405, 410, 501].contains(error.status) {
            throw FeedClientError(.failed, message, hint: "Look on its website.", cause: error, status: error.status)
        }
    }
}
