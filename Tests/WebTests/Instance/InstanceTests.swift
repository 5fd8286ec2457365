import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

/// The server's description of itself and of the features it does not have.
@Suite(.hangLimit)
struct InstanceTests {
    private static func object(_ test: TestServices, _ path: String) async throws -> [String: Any] {
        let bytes = try await TestClient(test.services).execute(uri: path, method: .get) { response in
            #expect(response.status == .ok, "\(path)")
            return Data(response.body.readableBytesView)
        }
        return try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    /// Keys that clients read without checking that they exist.
    static let keys: [(path: String, keys: [String])] = [
        (
            "/api/v1/instance/",
            [
                "uri", "title", "short_description", "description", "email", "version", "urls",
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
                "thumbnail.url", "icon", "languages", "configuration.urls.about",
                "configuration.accounts.max_pinned_statuses", "configuration.statuses.max_characters",
                "configuration.media_attachments.description_limit", "configuration.polls.max_options",
                "configuration.translation.enabled",
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

    /// An app connects to the address that it finds, and does not try what it does not find.
    @Test(arguments: [("http://feed.test", "ws://feed.test"), ("https://feed.test:8443", "wss://feed.test:8443")])
    func streamsAreAdvertised(base: String, address: String) async throws {
        let test = try TestServices(base: base)
        let first = try await Self.object(test, "/api/v1/instance")
        #expect(first["urls"] as? [String: String] == ["streaming_api": address])
        let second = try await Self.object(test, "/api/v2/instance")
        let configuration = try #require(second["configuration"] as? [String: Any])
        #expect(configuration["vapid"] as? [String: String] == ["public_key": ""])
        #expect((configuration["urls"] as? [String: Any])?["streaming"] as? String == address)
    }

    @Test func descriptionFollowsTheSettings() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        var values = ReloadableSettings.Values()
        values.site.title = "Hafen"
        values.site.text = "Ships & <boats>"
        values.site.contactAccount = "Ada"
        values.site.contactEmail = "ada@feed.example"
        values.site.rules = ["Be kind.", "No spam."]
        values.site.languages = ["de", "pt-BR"]
        values.limits.statusCharacters = 1000
        values.registration.mode = .open
        test.settings.replace(with: values)
        let first = try await Self.object(test, "/api/v1/instance")
        #expect(first["title"] as? String == "Hafen" && first["email"] as? String == "ada@feed.example")
        #expect(first["short_description"] as? String == "Ships & <boats>")
        #expect(first["description"] as? String == "Ships &amp; &lt;boats&gt;")
        #expect((first["contact_account"] as? [String: Any])?["id"] as? String == String(ada.id))
        #expect(first["languages"] as? [String] == ["de", "pt-BR"] && first["registrations"] as? Bool == true)
        let statuses = (first["configuration"] as? [String: Any])?["statuses"] as? [String: Int]
        #expect(statuses?["max_characters"] == 1000)
        let second = try await Self.object(test, "/api/v2/instance")
        #expect(second["description"] as? String == "Ships & <boats>")
        let contact = try #require(second["contact"] as? [String: Any])
        #expect(contact["email"] as? String == "ada@feed.example")
        #expect((contact["account"] as? [String: Any])?["username"] as? String == "ada")
        for object in [first, second] {
            let rules = try #require(object["rules"] as? [[String: String]])
            #expect(rules.map { $0["text"] } == ["Be kind.", "No spam."] && rules.map { $0["id"] } == ["1", "2"])
        }
        let node = try await Self.object(test, "/nodeinfo/2.0")
        #expect((node["metadata"] as? [String: String])?["nodeName"] == "Hafen")
        // An account that does not exist is no contact.
        values.site.contactAccount = "nobody"
        test.settings.replace(with: values)
        #expect(try await Self.object(test, "/api/v1/instance")["contact_account"] is NSNull)
    }

    @Test func rulesArePublished() async throws {
        let test = try TestServices()
        var values = ReloadableSettings.Values()
        values.site.rules = ["Be \"kind\"."]
        test.settings.replace(with: values)
        let client = TestClient(test.services)
        try await EndpointTests.check(
            Endpoint(
                path: "/api/v1/instance/rules", status: 200,
                has: [#"[{"id":"1","text":"Be \"kind\".","hint":""}]"#]), client)
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
        Endpoint(path: "/api/v1/lists", status: 401, has: ["The access token is invalid", "Bearer TOKEN"]),
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
        let client = TestClient(test.services)
        for endpoint in Self.endpoints { try await EndpointTests.check(endpoint, client) }
    }

    @Test func oauthMetadataRequiresTLS() async throws {
        let object = try await Self.object(
            try TestServices(base: "https://feed.test"), "/.well-known/oauth-authorization-server")
        // As of Mastodon 4.3.
        let keys: Set = [
            "issuer", "authorization_endpoint", "token_endpoint", "revocation_endpoint", "scopes_supported",
            "response_types_supported", "response_modes_supported", "grant_types_supported",
            "token_endpoint_auth_methods_supported", "code_challenge_methods_supported", "service_documentation",
            "app_registration_endpoint",
        ]
        #expect(Set(object.keys) == keys)
        #expect(object["issuer"] as? String == "https://feed.test")
        #expect(object["token_endpoint"] as? String == "https://feed.test/oauth/token")
        #expect(object["code_challenge_methods_supported"] as? [String] == ["S256"])
        let grants = try #require(object["grant_types_supported"] as? [String])
        #expect(Set(grants) == ["authorization_code", "password", "client_credentials", "refresh_token"])
        // Requests may name `push`, as apps do, but it is not offered before it exists.
        let scopes = try #require(object["scopes_supported"] as? [String])
        #expect(scopes.contains("read") && scopes.contains("follow") && !scopes.contains("push"))
        #expect(try ScopeSet(parsing: "read write follow push").names.contains("push"))
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
