import FeedAPI
import FeedCore

/// Authorization server metadata (RFC 8414): `/.well-known/oauth-authorization-server`.
struct MetadataController: Sendable {
    let baseURL: BaseURL

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.immediate("/.well-known/oauth-authorization-server", .open, show)
    }

    /// Responds 404 without TLS, because the URLs must be https (RFC 8414 §2) and Mastodon.py rejects others.
    @Sendable private func show(_ request: Request, _ context: FeedContext) throws -> Response {
        guard try baseURL.isSecure(for: request) else { throw FeedError.notFound }
        let base = try baseURL.text(for: request)
        var json = JSONWriter()
        json.object {
            $0.field("issuer", base)
            $0.field("authorization_endpoint", base + "/oauth/authorize")
            $0.field("token_endpoint", base + Paths.token)
            $0.field("revocation_endpoint", base + Paths.revoke)
            $0.field("app_registration_endpoint", base + Paths.apps)
            // The API of this server is the one described there.
            $0.field("service_documentation", "https://docs.joinmastodon.org/")
            $0.list("scopes_supported", Scopes.advertised)
            $0.list("response_types_supported", ["code"])
            $0.list("response_modes_supported", ["query"])
            $0.list("grant_types_supported", TokenController.grants)
            $0.list("token_endpoint_auth_methods_supported", ["client_secret_basic", "client_secret_post"])
            $0.list("code_challenge_methods_supported", ["S256"])
        }
        return Response(json: json)
    }
}

extension JSONWriter {
    /// Writes an array of strings.
    mutating func list(_ name: StaticString, _ values: [String]) {
        array(name) { for value in values { $0.string(value) } }
    }
}
