import FeedAPI
import FeedCore
import FeedStore
import Foundation

/// Registration and verification of applications: `/api/v1/apps`.
struct AppController: Sendable {
    let applications: ApplicationStore
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post(Paths.apps, .open, use: register)
        endpoints.get("/api/v1/apps/verify_credentials", .token(nil), use: verify)
    }

    @Sendable func register(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let secret = Secret.randomText()
        let application = try await applications.register(
            try Self.application(input), secretHash: Secret.hash(secret))
        var json = JSONWriter()
        json.application(application) {
            $0.field("client_id", application.clientID)
            $0.field("client_secret", secret)
            $0.field("client_secret_expires_at", 0)
        }
        return Response(json: json)
    }

    /// The application of any token, including an application's own.
    @Sendable func verify(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let secret = request.bearerToken,
            let application = try await applications.application(ofToken: Secret.hash(secret))
        else { throw FeedError.unauthorized }
        var json = JSONWriter()
        json.application(application)
        return Response(json: json)
    }

    private static func application(_ input: RequestParameters) throws(FeedError) -> ClientApplication {
        guard let name = input["client_name"], !name.isEmpty, name.utf8.count <= 200 else {
            throw .invalid("Application name can't be blank or longer than 200 bytes")
        }
        let addresses = input.all("redirect_uris").flatMap {
            $0.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }
        }
        guard addresses.count <= 10, addresses.allSatisfy(RedirectURI.isAcceptable) else {
            throw .invalid("Redirect URI must be an absolute URI without a fragment")
        }
        let website = input["website"].flatMap { $0.isEmpty ? nil : $0 }
        guard (website?.utf8.count ?? 0) <= 2000 else { throw .invalid("Website is too long") }
        guard website.map(ClientApplication.isWebAddress) ?? true else {
            throw .invalid("Website must begin with https:// or http://")
        }
        let words = input["scopes"].flatMap { $0.isEmpty ? nil : $0 } ?? "read"
        guard let scopes = try? ScopeSet(parsing: words) else {
            throw .invalid("Scopes must be supported by this server, such as read write follow push")
        }
        return ClientApplication(
            clientID: Secret.randomText(), name: name, website: website,
            redirectURIs: addresses.isEmpty ? [RedirectURI.outOfBand] : addresses,
            scopes: scopes)
    }
}

extension JSONWriter {
    /// Writes an Application entity without secrets.
    fileprivate mutating func application(
        _ application: ClientApplication, _ more: (inout JSONWriter) -> Void = { _ in }
    ) {
        object {
            $0.field("id", id: application.id)
            $0.field("name", application.name)
            $0.field("website", application.website)
            $0.array("scopes") { for word in application.scopes.names { $0.string(word) } }
            $0.field("redirect_uri", application.redirectURIs.joined(separator: "\n"))
            $0.array("redirect_uris") { for address in application.redirectURIs { $0.string(address) } }
            $0.field("vapid_key", "")
            more(&$0)
        }
    }
}

/// Authorization server metadata (RFC 8414): `/.well-known/oauth-authorization-server`.
struct OAuthMetadataController: Sendable {
    let baseURL: BaseURL

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.immediate("/.well-known/oauth-authorization-server", .open, show)
    }

    /// Responds 404 without TLS, because the URLs must be https (RFC 8414 §2) and Mastodon.py rejects others.
    @Sendable private func show(_ request: Request, _ context: RequestContext) throws -> Response {
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
            $0.list("scopes_supported", ScopeSet.advertised)
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
