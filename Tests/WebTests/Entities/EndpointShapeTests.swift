import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Every endpoint responds with the documented entities.
@Suite(.hangLimit)
struct EndpointShapeTests {
    @Test func everyResponseHasTheDocumentedShape() async throws {
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            for endpoint in APIEndpoint.all {
                let viewer = endpoint.usesToken ? try world.person(endpoint.viewer) : nil
                try await Self.check(endpoint, api, world, as: viewer)
            }
        }
    }

    /// Without a token, responses contain no members that describe the viewer.
    @Test func anonymousResponsesOmitViewerMembers() async throws {
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            for endpoint in APIEndpoint.all where endpoint.isOpen {
                try await Self.check(endpoint, api, world, as: nil)
            }
        }
    }

    @Test func sampleListsAreNotEmpty() async throws {
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            for endpoint in APIEndpoint.all where endpoint.method == .get && endpoint.hasEntities {
                let response = try await api.send(
                    .get, endpoint.path(world.ids), as: try world.person(endpoint.viewer))
                #expect(response.json?.list?.isEmpty == false, "\(endpoint.testDescription): \(response.summary)")
            }
        }
    }

    /// A new route must be added to the table.
    @Test func tableContainsAllRoutes() throws {
        let routes = try TestServices().services.endpoints()
            .filter { ["/api", "/oauth", "/nodeinfo", "/.well-known"].contains(where: $0.path.pattern.hasPrefix) }
            .map { "\($0.method) " + $0.path.pattern.replacing(/\{[a-z]+\}/.ignoresCase(), with: ":id") }
            .filter { !$0.hasPrefix("HEAD") }
        let known = Set(APIEndpoint.all.map { "\($0.method) " + $0.route })
        let missing = Set(routes).subtracting(known).subtracting(Self.others)
        #expect(missing.isEmpty, "missing from the table: \(missing.sorted())")
    }

    /// Pages, and endpoints that have their own tests.
    private static let others: Set<String> = [
        "GET /oauth/authorize", "POST /oauth/authorize", "GET /oauth/authorize/", "POST /oauth/authorize/",
        "GET /oauth/authorize/native", "GET /.well-known/oauth-authorization-server", "GET /.well-known/:id",
        "POST /api/v1/accounts",
        "POST /api/v1/user/password_change", "GET /api/v1/timelines/tag/:id", "GET /api/v1/tags/:id",
        "POST /api/v1/tags/:id/follow",
        "POST /api/v1/tags/:id/unfollow",
        "GET /api/v1/notifications/requests/:id", "POST /api/v1/notifications/requests/:id/accept",
        "POST /api/v1/notifications/requests/:id/dismiss",
        "GET /api/v1/timelines/list/:id",
        "GET /api/v1/streaming", "GET /api/v1/streaming/health", "GET /api/v1/streaming/user",
        "GET /api/v1/streaming/user/notification", "GET /api/v1/streaming/public", "GET /api/v1/streaming/public/local",
        "GET /api/v1/streaming/public/remote", "GET /api/v1/streaming/hashtag", "GET /api/v1/streaming/hashtag/local",
        "GET /api/v1/streaming/list", "GET /api/v1/streaming/direct",
    ]

    private static func check(
        _ endpoint: APIEndpoint, _ api: WebAPI, _ world: EndpointWorld, as viewer: Member?
    ) async throws {
        let response = try await api.send(
            endpoint.method, endpoint.path(world.ids), as: viewer, endpoint.body(world.ids))
        let name = "\(endpoint.testDescription)\(viewer == nil ? " without a token" : "")"
        guard response.status == 200, let json = response.json else {
            Issue.record("\(name): \(response.summary)")
            return
        }
        #expect(response.headers[.contentType]?.hasPrefix("application/json") == true, "\(name)")
        let problems = endpoint.shape.check(json, hasToken: viewer != nil)
        #expect(problems.isEmpty, "\(name): \(problems.prefix(12).joined(separator: "; "))")
        let repeated = RepeatedKeys.find(in: response.body)
        #expect(repeated.isEmpty, "\(name) contains repeated keys: \(Set(repeated))")
    }
}

extension APIEndpoint {
    fileprivate var usesToken: Bool {
        if case .credentials = access { false } else { true }
    }

    fileprivate var isOpen: Bool {
        switch access {
        case .anyone, .anyoneOr: true
        default: false
        }
    }

    fileprivate var hasEntities: Bool {
        if case .list(.entity(let entity)) = shape {
            entity != .rule && entity != .mutedAccount && path != "/api/v1/blocks"
        } else {
            false
        }
    }
}
