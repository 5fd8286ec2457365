import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Rejections that all endpoints have in common: missing permission and unknown ids. Nothing is stored.
@Suite(.hangLimit)
struct RefusalTests {
    @Test func missingTokenIsRejected() async throws {
        try await Self.refuse { api, world in
            for endpoint in APIEndpoint.all where endpoint.needsPerson {
                try await Self.expect([401], endpoint, api, world, as: nil)
            }
        }
    }

    @Test func unknownTokenIsRejected() async throws {
        try await Self.refuse { api, world in
            let nobody = Member(name: "nobody", id: "1", token: "wrong-wrong-wrong-wrong-wrong")
            for endpoint in APIEndpoint.all where endpoint.scope != nil {
                try await Self.expect([401], endpoint, api, world, as: nobody)
            }
        }
    }

    /// A token with all scopes except the required one.
    @Test func tokenWithoutTheScopeIsRejected() async throws {
        try await Self.refuse { api, world in
            for endpoint in APIEndpoint.all {
                guard let scope = endpoint.scope, scope != "read" else { continue }
                let other = scope.hasPrefix("read") ? "write follow push" : "read push"
                let person = try await api.limited(try world.person(endpoint.viewer), scopes: other)
                let statuses = scope.hasSuffix(":follows") || scope.hasSuffix(":blocks") || scope.hasSuffix(":mutes")
                // `follow` is a legacy scope for reading and writing these three.
                if statuses, scope.hasPrefix("read") { continue }
                try await Self.expect([403], endpoint, api, world, as: person)
            }
        }
    }

    /// The narrow scope suffices, and a sibling scope does not.
    @Test func narrowScopeSuffices() async throws {
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            for endpoint in APIEndpoint.all {
                guard let scope = endpoint.scope, scope != "read" else { continue }
                let person = try await api.limited(try world.person(endpoint.viewer), scopes: scope)
                let response = try await api.send(
                    endpoint.method, endpoint.path(world.ids), as: person, endpoint.body(world.ids))
                #expect(response.status == 200, "\(endpoint.testDescription) with \(scope): \(response.summary)")
            }
        }
    }

    /// An application's own token does not belong to an account.
    @Test func applicationTokenIsRejected() async throws {
        try await Self.refuse { api, world in
            let token = try await api.test.services.login.tokens.create(
                for: nil, scopes: .all, application: .init(name: "program"))
            let program = Member(name: "program", id: "1", token: token)
            for endpoint in APIEndpoint.all where endpoint.needsPerson {
                try await Self.expect([401, 403, 422], endpoint, api, world, as: program)
            }
        }
    }

    static let ids = [
        "1", "0", "9223372036854775807", "9223372036854775808", "99999999999999999999999999", "-1", "x", "1.0", "1e3",
        "0x1", "%00", "1%00", "%2e%2e", "１", "%F0%9F%98%80", "%FF", "1%2F2", "+1", "1%20",
    ]

    @Test(arguments: ids)
    func unknownIDIsNotFound(id: String) async throws {
        try await Self.refuse { api, world in
            // Hashtags are named, not numbered.
            let numbered = APIEndpoint.all.filter { $0.path.contains("/{") && !$0.path.hasPrefix("/api/v1/tags/") }
            for endpoint in numbered {
                var ids = world.ids
                for key in ids.keys where endpoint.path.contains("/{\(key)}") { ids[key] = id }
                let codes = id.contains("%00") ? [422] : id.contains("%") ? [404, 400] : [404]
                let viewer = try world.person(endpoint.viewer)
                let response = try await api.send(endpoint.method, endpoint.path(ids), as: viewer, endpoint.body(ids))
                Self.expect(codes, response, "\(endpoint.testDescription) with \(id)")
            }
        }
    }

    /// Records that exist but belong to another account.
    static let foreign: [(method: String, path: String, form: String?, codes: [Int])] = [
        ("PUT", "/api/v1/statuses/{status}", "status=mine", [403, 404]),
        ("DELETE", "/api/v1/statuses/{status}", nil, [403, 404]),
        ("POST", "/api/v1/statuses/{status}/pin", nil, [403, 404, 422]),
        ("GET", "/api/v1/notifications/{notification}", nil, [404]),
        ("GET", "/api/v1/media/{media}", nil, [404]), ("PUT", "/api/v1/media/{media}", "description=mine", [404]),
        ("DELETE", "/api/v1/media/{media}", nil, [404]),
        ("POST", "/api/v1/media", "file_name=photo.png", [404]),
        ("POST", "/api/v1/statuses", "status=mine&media_ids[]={media}", [422]),
        ("GET", "/api/v1/scheduled_statuses/{scheduled}", nil, [404]),
        ("PUT", "/api/v1/scheduled_statuses/{scheduled}", "scheduled_at=2098-01-01", [404]),
        ("DELETE", "/api/v1/scheduled_statuses/{scheduled}", nil, [404]),
        ("POST", "/api/v1/statuses", "status=mine&media_ids[]={media}&scheduled_at=2098-01-01", [422]),
        ("POST", "/api/v1/polls/{status}/votes", "choices[]=0", [404]),
        ("POST", "/api/v1/notifications/{notification}/dismiss", nil, [404]),
        ("GET", "/api/v1/lists/{list}", nil, [404]), ("PUT", "/api/v1/lists/{list}", "title=mine", [404]),
        ("DELETE", "/api/v1/lists/{list}", nil, [404]), ("GET", "/api/v1/lists/{list}/accounts", nil, [404]),
        ("POST", "/api/v1/lists/{list}/accounts", "account_ids[]={ada}", [404]),
        ("DELETE", "/api/v1/lists/{list}/accounts", "account_ids[]={ada}", [404]),
        ("GET", "/api/v1/timelines/list/{list}", nil, [404]),
        ("GET", "/api/v2/notifications/{group}", nil, [404]),
        ("GET", "/api/v2/notifications/{group}/accounts", nil, [404]),
        ("POST", "/api/v2/notifications/{group}/dismiss", nil, [404]),
        ("GET", "/api/v2/notifications/ungrouped-{notification}", nil, [404]),
        ("POST", "/api/v2/notifications/ungrouped-{notification}/dismiss", nil, [404]),
        ("GET", "/api/v2/filters/{filter}", nil, [404]), ("PUT", "/api/v2/filters/{filter}", "title=mine", [404]),
        ("DELETE", "/api/v2/filters/{filter}", nil, [404]), ("GET", "/api/v2/filters/{filter}/keywords", nil, [404]),
        ("POST", "/api/v2/filters/{filter}/keywords", "keyword=mine", [404]),
        ("GET", "/api/v2/filters/keywords/{keyword}", nil, [404]),
        ("PUT", "/api/v2/filters/keywords/{keyword}", "keyword=mine", [404]),
        ("DELETE", "/api/v2/filters/keywords/{keyword}", nil, [404]),
        ("GET", "/api/v2/filters/{filter}/statuses", nil, [404]),
        ("POST", "/api/v2/filters/{filter}/statuses", "status_id={status}", [404]),
        ("GET", "/api/v2/filters/statuses/{entry}", nil, [404]),
        ("DELETE", "/api/v2/filters/statuses/{entry}", nil, [404]),
        ("GET", "/api/v1/filters/{keyword}", nil, [404]), ("PUT", "/api/v1/filters/{keyword}", "phrase=mine", [404]),
        ("DELETE", "/api/v1/filters/{keyword}", nil, [404]),
        ("DELETE", "/api/v1/featured_tags/{featured}", nil, [404]),
        ("POST", "/api/v1/conversations/{conversation}/read", nil, [404]),
        ("DELETE", "/api/v1/conversations/{conversation}", nil, [404]),
        ("POST", "/api/v1/statuses", "status=mine&in_reply_to_id={conversation}", [404, 422]),
        (
            "PUT", "/api/v2/filters/{filter}",
            "keywords_attributes[0][id]={keyword}&keywords_attributes[0][_destroy]=1", [404]
        ),
        ("GET", "/api/v1/tokens/{login}", nil, [404]), ("POST", "/api/v1/tokens/{login}/invalidate", nil, [404]),
        ("POST", "/api/v1/accounts/{ada}/endorse", nil, [422]),
        ("POST", "/api/v1/accounts/{dora}/note", "comment=me", [403, 422]),
        ("POST", "/api/v1/follow_requests/{ada}/authorize", nil, [404]),
        ("POST", "/api/v1/follow_requests/{ada}/reject", nil, [404]),
        ("POST", "/api/v1/accounts/{dora}/follow", nil, [403, 422]),
        ("POST", "/api/v1/accounts/{dora}/block", nil, [403, 422]),
        ("POST", "/api/v1/accounts/{dora}/mute", nil, [403, 422]),
    ]

    @Test func contentOfOthersCannotBeChanged() async throws {
        try await Self.refuse { api, world in
            for row in Self.foreign {
                let path = world.ids.reduce(row.path) { $0.replacing("{\($1.key)}", with: $1.value) }
                let response = try await api.send(
                    .init(rawValue: row.method) ?? .get, path, as: try world.person("dora"),
                    row.form.map { .form(world.ids.reduce($0) { $0.replacing("{\($1.key)}", with: $1.value) }) })
                Self.expect(row.codes, response, "\(row.method) \(row.path)")
            }
        }
    }

    // MARK: Helpers

    /// The tables that the tests' own tokens change.
    private static let tokenTables = ["token", "sequence"]

    /// Runs requests that must not change anything.
    static func refuse(_ body: @escaping @Sendable (WebAPI, EndpointWorld) async throws -> Void) async throws {
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            let before = try await Fingerprint(api.test)
            try await body(api, world)
            let changes = before.changes(to: try await Fingerprint(api.test)).filter { !tokenTables.contains($0) }
            #expect(changes.isEmpty, "changed: \(changes)")
        }
    }

    private static func expect(
        _ codes: [Int], _ endpoint: APIEndpoint, _ api: WebAPI, _ world: EndpointWorld, as person: Member?
    ) async throws {
        let response = try await api.send(
            endpoint.method, endpoint.path(world.ids), as: person, endpoint.body(world.ids))
        expect(codes, response, endpoint.testDescription)
    }

    static func expect(_ codes: [Int], _ response: WebResponse, _ name: String) {
        #expect(codes.contains(response.status), "\(name): \(response.summary), not \(codes)")
        let problems = response.json.map { EntityShape.error.check($0) } ?? ["no JSON"]
        #expect(problems.isEmpty, "\(name): \(problems) in \(response.summary)")
    }
}
