import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

/// The server's description of itself and of the features it does not have.
@Suite(.timeLimit(.minutes(15)))
struct InstanceTests {
    private static func object(_ test: TestServices, _ path: String) async throws -> [String: Any] {
        try await Application(router: FeedRouter.build(test.services)).test(.router) { client in
            let bytes = try await client.execute(uri: path, method: .get) { response in
                #expect(response.status == .ok, "\(path)")
                return Data(response.body.readableBytesView)
            }
            return Decoded(object: try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any]))
        }.object
    }

    /// Passed between tasks once, and not used by the first one afterwards.
    private struct Decoded: @unchecked Sendable { let object: [String: Any] }

    /// Keys that clients read without checking that they exist.
    static let keys: [(path: String, keys: [String])] = [
        (
            "/api/v1/instance/",
            [
                "uri", "title", "short_description", "description", "email", "version", "urls.streaming_api",
                "stats.user_count", "stats.status_count", "stats.domain_count", "thumbnail", "languages",
                "registrations", "approval_required", "invites_enabled", "configuration.accounts.max_featured_tags",
                "configuration.statuses.max_characters", "configuration.statuses.max_media_attachments",
                "configuration.statuses.characters_reserved_per_url",
                "configuration.media_attachments.supported_mime_types", "configuration.polls.max_options",
                "contact_account", "rules",
            ]
        ),
        (
            "/api/v2/instance/",
            [
                "domain", "title", "version", "source_url", "description", "usage.users.active_month",
                "thumbnail.url", "icon", "languages", "configuration.urls.streaming",
                "configuration.accounts.max_pinned_statuses", "configuration.statuses.max_characters",
                "configuration.media_attachments.description_limit", "configuration.polls.max_options",
                "configuration.translation.enabled", "configuration.vapid.public_key",
                "configuration.timelines_access.live_feeds.local", "registrations.enabled",
                "registrations.approval_required", "registrations.message", "api_versions.mastodon", "contact.email",
                "contact.account", "rules",
            ]
        ),
        (
            "/nodeinfo/2.0",
            [
                "version", "software.name", "software.version", "protocols", "services.inbound", "usage.users.total",
                "usage.users.activeMonth", "usage.localPosts", "openRegistrations", "metadata",
            ]
        ),
        ("/.well-known/nodeinfo", ["links"]),
        ("/api/v1/instance/extended_description", ["updated_at", "content"]),
        ("/api/v1/instance/privacy_policy", ["updated_at", "content"]),
    ]

    @Test func everyKeyIsPresent() async throws {
        let test = try TestServices(registration: .open)
        for row in Self.keys {
            let object = try await Self.object(test, row.path)
            for key in row.keys {
                var value: Any? = object
                for part in key.split(separator: ".") { value = (value as? [String: Any])?[String(part)] }
                #expect(value != nil, "\(row.path) \(key)")
            }
        }
    }

    @Test func statisticsMatchTheFeed() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        _ = try await test.account("bob")
        try await test.store.post("x", by: ada)
        let second = try await Self.object(test, "/api/v2/instance")
        #expect((second["usage"] as? [String: [String: Int]])?["users"]?["active_month"] == 1)
        #expect((second["registrations"] as? [String: Any])?["enabled"] as? Bool == false)
        let version = try #require(second["version"] as? String)
        #expect(version.wholeMatch(of: /\d+\.\d+\.\d+ .*/) != nil)
        let node = try await Self.object(test, "/nodeinfo/2.0")
        let usage = try #require(node["usage"] as? [String: Any])
        #expect(usage["localPosts"] as? Int == 1 && (usage["users"] as? [String: Int])?["total"] == 2)
        test.store.clock.now += 31 * 86_400_000
        let later = try await Self.object(test, "/api/v2/instance")
        #expect((later["usage"] as? [String: [String: Int]])?["users"]?["active_month"] == 0)
    }

    /// For each mode: `registrations`, `approval_required` and `invites_enabled`.
    static let modes: [(mode: RegistrationPolicy.Mode, flags: [Bool])] = [
        (.closed, [false, false, false]), (.open, [true, false, true]), (.approval, [true, true, true]),
        (.invite, [false, false, true]),
    ]

    @Test func instanceStatesWhoMaySignUp() async throws {
        #expect(Self.modes.map(\.mode) == RegistrationPolicy.Mode.allCases)
        for (mode, flags) in Self.modes {
            let test = try TestServices(registration: mode)
            let first = try await Self.object(test, "/api/v1/instance")
            let found = ["registrations", "approval_required", "invites_enabled"].map { first[$0] as? Bool }
            #expect(found == flags, "\(mode)")
            let second = try await Self.object(test, "/api/v2/instance")
            let registrations = try #require(second["registrations"] as? [String: Any])
            #expect(registrations["enabled"] as? Bool == flags[0], "\(mode)")
            #expect(registrations["approval_required"] as? Bool == flags[1], "\(mode)")
            #expect((registrations["message"] is String) == (mode == .invite), "\(mode)")
            #expect(try await Self.object(test, "/nodeinfo/2.0")["openRegistrations"] as? Bool == flags[0], "\(mode)")
        }
    }

    static let endpoints: [Endpoint] = [
        Endpoint(path: "/api/v1/instance/rules", status: 200, has: ["[]"]),
        Endpoint(path: "/api/v1/custom_emojis/", status: 200, has: ["[]"]),
        Endpoint(path: "/api/v1/trends/tags", status: 200, has: ["[]"]),
        Endpoint(path: "/api/v1/lists", status: 401, has: ["The access token is invalid"]),
        Endpoint(path: "/api/v1/nothing", status: 404, has: ["{\"error\":\"Record not found\"}"]),
        Endpoint(path: "/api/v9", status: 404, has: ["Record not found"]),
        Endpoint(
            method: .put, path: "/api/v1/instance/rules", status: 405, has: ["\"error\""],
            responseHeaders: ["Allow": "GET, HEAD"]),
        Endpoint(method: .get, path: "/oauth/token", status: 405, responseHeaders: ["Allow": "POST"]),
        Endpoint(path: "/.well-known/oauth-authorization-server", status: 404),
        Endpoint(
            method: .post, path: "/api/v1/apps", headers: ["Content-Type": "application/json"],
            body: String(repeating: "{\"a\":", count: 2000), status: 400, has: ["\"error\""]),
        Endpoint(
            method: .post, path: "/oauth/token", headers: ["Content-Type": "application/json"],
            body: String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000), status: 400),
        Endpoint(
            method: .post, path: "/oauth/token", headers: ["Content-Type": "text/plain"],
            body: String(repeating: "x", count: 16_000), status: 401, has: ["invalid_client"]),
        Endpoint(
            method: .post, path: "/oauth/token", headers: ["Content-Type": "text/plain"],
            body: String(repeating: "x", count: 17_000), status: 413),
        Endpoint(
            method: .post, path: "/api/v1/apps", headers: EndpointTests.form,
            body: "client_name=" + String(repeating: "x", count: 16_000), status: 422, has: ["Validation failed"]),
        Endpoint(
            method: .post, path: "/api/v1/apps", headers: EndpointTests.form,
            body: "client_name=x&redirect_uris=javascript:alert(1)", status: 422, has: ["Redirect URI"]),
        Endpoint(
            method: .post, path: "/api/v1/apps", headers: EndpointTests.form,
            body: "client_name=x&scopes=nonsense", status: 422),
        Endpoint(method: .post, path: "/api/v1/apps", status: 422),
    ]

    @Test func unsupportedFeaturesHaveEmptyResponses() async throws {
        let test = try TestServices()
        try await Application(router: FeedRouter.build(test.services)).test(.router) { client in
            for endpoint in Self.endpoints { try await EndpointTests.check(endpoint, client) }
        }
    }

    @Test func oauthMetadataRequiresTLS() async throws {
        let object = try await Self.object(
            try TestServices(base: "https://feed.test"), "/.well-known/oauth-authorization-server")
        #expect(object["issuer"] as? String == "https://feed.test")
        #expect(object["token_endpoint"] as? String == "https://feed.test/oauth/token")
        #expect(object["code_challenge_methods_supported"] as? [String] == ["S256"])
        let grants = try #require(object["grant_types_supported"] as? [String])
        #expect(Set(grants) == ["authorization_code", "password", "client_credentials", "refresh_token"])
    }

    /// Counts are cached, but always current.
    @Test func countsAreCurrent() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for number in 1...3 {
                _ = try await api.post("post \(number)", by: ada)
                let stats = try await api.send(.get, "/api/v1/instance").json?["stats"]
                #expect(stats?["status_count"]?.number == Double(number))
            }
        }
    }
}
