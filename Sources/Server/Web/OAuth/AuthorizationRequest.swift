import FeedCore
import Foundation

/// What a program asks of a person on the authorize page (RFC 6749 §4.1.1, RFC 7636 §4.3), once it is found in order.
struct AuthorizationRequest: Sendable {
    private static let maximumState = 4096

    let application: ClientApplication
    let redirectURI: String
    let scopes: Scopes
    /// Goes back to the program as it came.
    let state: String?
    let challenge: String?

    /// - Throws: ``Problem``, to be shown to the person and never to be redirected: anybody can register a program, and
    ///   would have this server send people anywhere (RFC 9700 §4.11.2).
    init(_ input: InputValues, applications: any ApplicationStoring) async throws {
        guard let id = input["client_id"], let found = try await applications.application(clientID: id) else {
            throw OAuthError.problem("This program is not known here", "It has to register again: log out in it first.")
        }
        application = found
        redirectURI = try Self.address(input, of: found)
        guard input["response_type"] ?? "code" == "code" else {
            throw OAuthError.problem(
                "This program asks for something this server does not do", "response_type is code.")
        }
        scopes = try found.scopes(asked: input["scope"])
        state = input["state"]
        guard (state?.utf8.count ?? 0) <= Self.maximumState else {
            throw OAuthError.problem("This program sends a state that is too long", "4096 bytes are the most.")
        }
        challenge = try Self.challenge(input)
    }

    /// The names and values of the request, for the form and for its seal.
    var fields: [(name: String, value: String)] {
        var fields = [
            ("response_type", "code"), ("client_id", application.clientID), ("redirect_uri", redirectURI),
            ("scope", scopes.text),
        ]
        if let state { fields.append(("state", state)) }
        if let challenge { fields += [("code_challenge", challenge), ("code_challenge_method", "S256")] }
        return fields
    }

    /// The address that takes the answer to the program, or `nil` when the person carries it there.
    func address(_ values: (name: String, value: String)...) -> String? {
        guard redirectURI != RedirectURI.outOfBand else { return nil }
        return RedirectURI.adding(values + (state.map { [("state", $0)] } ?? []), to: redirectURI)
    }

    private static func address(_ input: InputValues, of application: ClientApplication) throws -> String {
        guard let asked = input["redirect_uri"], !asked.isEmpty else {
            guard let only = application.redirectURIs.first, application.redirectURIs.count == 1 else { throw mismatch }
            return only
        }
        guard application.redirectURIs.contains(where: { RedirectURI.matches(asked, registered: $0) }) else {
            throw mismatch
        }
        return asked
    }

    private static let mismatch = OAuthError.problem(
        "This program asks to be answered at an address it has not registered",
        "The redirect URI must be one of those it registered, letter by letter.")

    private static func challenge(_ input: InputValues) throws -> String? {
        guard let text = input["code_challenge"], !text.isEmpty else {
            guard input["code_challenge_method"]?.isEmpty ?? true else { throw badChallenge }
            return nil
        }
        guard input["code_challenge_method"] == "S256", AuthorizationCode.isChallenge(text) else { throw badChallenge }
        return text
    }

    private static let badChallenge = OAuthError.problem(
        "This program protects its code in a way this server does not accept", "code_challenge_method must be S256.")
}
