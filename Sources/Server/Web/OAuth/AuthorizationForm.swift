import FeedCore
import FeedStore

/// The validated parameters of an application's authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3), which the form
/// of the page sends again.
struct AuthorizationForm: Sendable {
    private static let maximumState = 4096

    let application: ClientApplication
    let redirectURI: String
    let scopes: ScopeSet
    /// Returned to the application unchanged.
    let state: String?
    let challenge: String?

    /// - Throws: ``ErrorResponse``, which is shown on a page and never redirected: anyone can register an application,
    ///   which would make this server an open redirector (RFC 9700 §4.11.2).
    init(_ input: RequestParameters, applications: ApplicationStore) async throws {
        guard let id = input["client_id"], let registered = try await applications.application(clientID: id) else {
            throw OAuthError.problem(
                "This application is not registered here", "Log out of the app, then log in again.")
        }
        application = registered
        redirectURI = try Self.address(input, of: registered)
        guard input["response_type"] ?? "code" == "code" else {
            throw OAuthError.problem(
                "This application requests an unsupported response type", "response_type must be code.")
        }
        scopes = try registered.scopes(requested: input["scope"])
        state = input["state"]
        guard (state?.utf8.count ?? 0) <= Self.maximumState else {
            throw OAuthError.problem("The state parameter is too long", "At most 4096 bytes are allowed.")
        }
        challenge = try Self.challenge(input)
    }

    /// The parameters of the request, for the form and its token.
    var fields: [(name: String, value: String)] {
        var fields = [
            ("response_type", "code"), ("client_id", application.clientID), ("redirect_uri", redirectURI),
            ("scope", scopes.formatted),
        ]
        if let state { fields.append(("state", state)) }
        if let challenge { fields += [("code_challenge", challenge), ("code_challenge_method", "S256")] }
        return fields
    }

    /// The session in which the user can consent without a password; `nil` for scopes that the session does not have,
    /// such as those of administrators.
    func session(_ context: RequestContext) -> Viewer? {
        guard let viewer = context.viewer, viewer.isSession else { return nil }
        let allowed = ScopeSet(names: viewer.scopes.names + ["profile", "offline_access"])
        return scopes.names.allSatisfy(allowed.allows(name:)) ? viewer : nil
    }

    /// The redirect address that returns `values` to the application; `nil` for an out-of-band request.
    func address(_ values: (name: String, value: String)...) -> String? {
        guard redirectURI != RedirectURI.outOfBand else { return nil }
        return RedirectURI.adding(values + (state.map { [("state", $0)] } ?? []), to: redirectURI)
    }

    private static func address(_ input: RequestParameters, of application: ClientApplication) throws -> String {
        guard let requested = input["redirect_uri"], !requested.isEmpty else {
            guard let only = application.redirectURIs.first, application.redirectURIs.count == 1 else { throw mismatch }
            return only
        }
        guard application.redirectURIs.contains(where: { RedirectURI.matches(requested, registered: $0) }) else {
            throw mismatch
        }
        return requested
    }

    private static let mismatch = OAuthError.problem(
        "This application requests a redirect URI that it has not registered",
        "The redirect URI must exactly match a registered one.")

    private static func challenge(_ input: RequestParameters) throws -> String? {
        guard let text = input["code_challenge"], !text.isEmpty else {
            guard input["code_challenge_method"]?.isEmpty ?? true else { throw badChallenge }
            return nil
        }
        guard input["code_challenge_method"] == "S256", AuthorizationCode.isBase64URL256(text) else {
            throw badChallenge
        }
        return text
    }

    private static let badChallenge = OAuthError.problem(
        "This application sends an unsupported code challenge", "code_challenge_method must be S256.")
}
