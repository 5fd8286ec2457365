import FeedCore
import Foundation
import HTTPTypes
import Hummingbird

extension Services {
    /// Who asks with a bearer token; `nil` without one, and for a program that speaks for nobody.
    /// - Throws: ``FeedError`` `.unauthorized` for a token that is none.
    func viewer(of request: Request) async throws -> Viewer? {
        guard let secret = Self.bearer(request) else { return nil }
        switch try await tokens.holder(secret) {
        case .account(let viewer): return viewer
        case .application: return nil
        case nil: throw FeedError.unauthorized
        }
    }

    /// Who asks for something outside the API, which the scope table does not know.
    /// - Throws: ``FeedError`` `.unauthorized`, `.forbidden` when the token lacks `scope`.
    func require(_ request: Request, scope: String) async throws -> Viewer {
        guard let viewer = try await viewer(of: request) else { throw FeedError.unauthorized }
        guard viewer.scopes.allows(scope) else { throw FeedError.outside(scope) }
        return viewer
    }

    /// The token of the Authorization header (RFC 6750).
    static func bearer(_ request: Request) -> String? {
        request.headers[.authorization].flatMap { credentials($0, scheme: "bearer") }
    }

    /// User name and password of HTTP Basic (RFC 7617).
    static func basic(_ request: Request) -> (username: String, password: String)? {
        guard let encoded = request.headers[.authorization].flatMap({ credentials($0, scheme: "basic") }),
            let bytes = Data(base64Encoded: encoded), !bytes.contains(0),
            let text = String(data: bytes, encoding: .utf8),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    private static func credentials(_ header: String, scheme: String) -> String? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }
}
