import FeedCore
import FeedStore
import Foundation
import HTTPTypes

extension Request {
    /// The bearer token of the Authorization header (RFC 6750).
    var bearerToken: String? { credentials(scheme: "bearer") }

    /// The username and password of HTTP Basic authentication (RFC 7617).
    var basicCredentials: (username: String, password: String)? {
        guard let encoded = credentials(scheme: "basic"), let bytes = Data(base64Encoded: encoded), !bytes.contains(0),
            let text = String(data: bytes, encoding: .utf8),
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return (String(text[..<colon]), String(text[text.utf8.index(after: colon)...]))
    }

    /// The rest of the Authorization header after its scheme.
    private func credentials(scheme: String) -> String? {
        guard let header = headers[.authorization] else { return nil }
        let parts = header.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map(Substring.init)
        guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
        // Trimming costs more than the rest of the lookup of a token, and is hardly ever needed.
        let visible = UInt8(0x21)...0x7E
        if let first = parts[1].utf8.first, let last = parts[1].utf8.last, visible.contains(first),
            visible.contains(last)
        {
            return String(parts[1])
        }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }
}

extension ApplicationStore {
    /// Authenticates an application by HTTP Basic or by the fields of the form (RFC 6749 §2.3.1).
    /// - Throws: ``Problem`` `invalid_client`.
    func authenticate(_ input: InputValues, _ request: Request) async throws -> ClientApplication {
        let basic = request.basicCredentials
        guard let id = basic?.username ?? input["client_id"], let secret = basic?.password ?? input["client_secret"],
            let application = try await application(
                clientID: id, secretHash: Secret.hash(secret))
        else { throw OAuthError.invalidClient(usedBasic: basic != nil) }
        return application
    }
}

extension ClientApplication {
    /// The scopes to grant: the requested scopes if all of them are registered. If none are requested: `read`, or all
    /// registered scopes if `read` is not registered.
    /// - Throws: ``Problem`` `invalid_scope`.
    func scopes(requested text: String?) throws(Problem) -> Scopes {
        guard let text, !text.isEmpty else { return scopes.allows(.read) ? Scopes(names: ["read"]) : scopes }
        guard let requested = try? Scopes(parsing: text), requested.names.allSatisfy(scopes.allows(name:)) else {
            throw OAuthError.invalidScope
        }
        return requested
    }
}
