import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import TestKit
import Testing

@Suite(.hangLimit)
struct CORSRuleTests {
    static let asked = ["Origin": "https://app.test", "Access-Control-Request-Method": "PUT"]
    static let closed = ["Access-Control-Allow-Origin": "", "Access-Control-Expose-Headers": ""]
    static let open = ["Access-Control-Allow-Origin": "*", "Access-Control-Allow-Credentials": ""]

    static let endpoints: [Endpoint] = [
        Endpoint(
            method: .options, path: "/api/v1/statuses", headers: asked, status: 204,
            responseHeaders: [
                "Access-Control-Allow-Origin": "*", "Access-Control-Max-Age": "86400",
                "Access-Control-Allow-Headers":
                    "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID",
                "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
            ]),
        Endpoint(method: .options, path: "/oauth/token", headers: asked, status: 204, responseHeaders: open),
        Endpoint(method: .options, path: "/oauth//token/", headers: asked, status: 204, responseHeaders: open),
        Endpoint(method: .options, path: "/api/v1/statuses", status: 405, responseHeaders: open),
        Endpoint(path: "/api/v1/instance", headers: ["Origin": "https://app.test"], status: 200, responseHeaders: open),
        Endpoint(path: "/api/v1/timelines/home", status: 401, responseHeaders: open),
        Endpoint(path: "/api/v1/nothing", status: 404, responseHeaders: open),
        Endpoint(path: "/nodeinfo/2.0", status: 200, responseHeaders: open),
        Endpoint(path: "/.well-known/nodeinfo", status: 200, responseHeaders: open),
        Endpoint(method: .options, path: "/oauth/authorize", headers: asked, status: 405, responseHeaders: closed),
        Endpoint(path: "/oauth/authorize", headers: asked, status: 400, responseHeaders: closed),
        Endpoint(method: .options, path: "/oauth/token/x", headers: asked, status: 404, responseHeaders: closed),
        Endpoint(method: .options, path: "/files/x", headers: asked, status: 405, responseHeaders: closed),
        Endpoint(method: .put, path: "/files/x", headers: asked, body: "x", status: 401, responseHeaders: closed),
        Endpoint(path: "/", headers: asked, status: 200, responseHeaders: closed),
    ]

    /// Browsers show scripts of other origins only the fields that are exposed.
    @Test func scriptsCanReadTheFieldsOfAPage() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            _ = try await api.post("hello", by: ada)
            let page = try await api.send(.get, "/api/v1/timelines/home?limit=1", as: ada)
            let exposed = try #require(page.headers[.accessControlExposeHeaders])
                .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            for name in ["ETag", "Link", "X-Request-Id"] {
                #expect(page.headers.contains(try #require(HTTPField.Name(name))), "\(name)")
                #expect(exposed.contains(name.lowercased()), "\(name)")
            }
            #expect(exposed.contains("last-event-id") && exposed.contains("x-ratelimit-remaining"))
        }
    }

    @Test func onlyTheAPIAllowsCrossOriginRequests() async throws {
        let test = try TestServices()
        let client = TestClient(test.services)
        for endpoint in Self.endpoints { try await EndpointTests.check(endpoint, client) }
    }
}
