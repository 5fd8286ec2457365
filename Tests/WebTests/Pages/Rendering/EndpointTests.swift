import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

/// A request, and what its response must and must not contain.
struct Endpoint: CustomTestStringConvertible, Sendable {
    var method = HTTPRequest.Method.get
    var path: String
    var headers: [String: String] = [:]
    var body = ""
    var status: Int
    var has: [String] = []
    var lacks: [String] = []
    /// The response's headers by name; an empty value means "absent", `*` means "any".
    var responseHeaders: [String: String] = [:]

    var testDescription: String { "\(method) \(path.prefix(60)) → \(status)" }
}

@Suite(.hangLimit)
struct EndpointTests {
    static let form = ["Content-Type": "application/x-www-form-urlencoded"]
    static let long = String(repeating: "n", count: 10_240)

    static let pages: [Endpoint] = [
        Endpoint(path: "/health", status: 200, has: ["OK"]),
        Endpoint(
            path: "/", status: 200, has: ["<!DOCTYPE html>", "hello &lt;world&gt;", "href=\"/@ada\"", "Test feed"],
            lacks: ["followers only", "<world>", "~/"], responseHeaders: ["Content-Type": "text/html; charset=utf-8"]),
        Endpoint(path: "/@ada", status: 200, has: ["@ada", "hello &lt;world&gt;"], lacks: ["followers only"]),
        Endpoint(path: "/@ADA", status: 200),
        Endpoint(path: "/@nobody", headers: ["Accept": "text/html"], status: 404, has: ["<!DOCTYPE html>", "404"]),
        Endpoint(path: "/@nobody", status: 404, has: ["\"error\""]),
        Endpoint(path: "/tags/Tag", status: 200, has: ["hello"]),
        Endpoint(path: "/assets/style.css", status: 200, responseHeaders: ["Content-Type": "text/css; charset=utf-8"]),
        Endpoint(path: "/assets/page.mustache", status: 404),
        Endpoint(path: "/assets/..%2Fpage.mustache", status: 404),
        Endpoint(path: "/avatars/ada", status: 200, responseHeaders: ["Content-Type": "image/png"]),
        Endpoint(path: "/headers/ada", status: 200, responseHeaders: ["Content-Type": "image/png"]),
        Endpoint(path: "/avatars/nobody", status: 404),
        Endpoint(path: "/badges/member.png", status: 200, responseHeaders: ["Content-Type": "image/png"]),
        Endpoint(path: "/badges/king.png", status: 404),
        Endpoint(path: "/nothing/here", status: 404, has: ["\"error\""], responseHeaders: ["Allow": ""]),
        Endpoint(method: .delete, path: "/api/v1/instance", status: 405, responseHeaders: ["Allow": "GET, HEAD"]),
        Endpoint(method: .patch, path: "/files/x", status: 405, responseHeaders: ["Allow": "DELETE, GET, HEAD, PUT"]),
    ]

    static let api: [Endpoint] = [
        Endpoint(
            path: "/api/v1/instance", status: 200,
            has: ["\"uri\":\"feed.test\"", "4.3.0 (compatible", "\"streaming_api\":\"ws://feed.test\""]),
        Endpoint(path: "/api/v1/instance/", status: 200),
        Endpoint(
            path: "/api/v1/timelines/public", status: 200, has: ["hello &lt;world&gt;", "http://feed.test/@ada"],
            lacks: ["followers only", "favourited"],
            responseHeaders: ["Link": "*", "X-Content-Type-Options": "nosniff"]),
        Endpoint(path: "/api/v1/timelines/public?limit=0", status: 200, has: ["hello"]),
        Endpoint(path: "/api/v1/timelines/public?limit=-5&max_id=", status: 200, has: ["hello"]),
        Endpoint(path: "/api/v1/timelines/public?max_id=99999999999999999999999", status: 200, has: ["hello"]),
        Endpoint(path: "/api/v1/timelines/public?max_id=x", status: 400, has: ["max_id"]),
        Endpoint(path: "/api/v1/timelines/public?since_id=%00", status: 422),
        Endpoint(
            path: "/api/v1/timelines/public", headers: ["Authorization": "Bearer wrong-wrong-wrong-wrong"], status: 401),
        Endpoint(path: "/api/v1/statuses/1", status: 404, has: ["Record not found"]),
        Endpoint(path: "/api/v1/statuses/x", status: 404),
        Endpoint(path: "/api/v1/statuses/99999999999999999999999", status: 404),
        Endpoint(path: "/api/v1/accounts/1", status: 404),
        Endpoint(path: "/api/v1/accounts/1/statuses", status: 404),
        Endpoint(
            path: "/api/v1/accounts/verify_credentials", status: 401,
            responseHeaders: ["WWW-Authenticate": "Bearer realm=\"feedserver\""]),
        Endpoint(method: .post, path: "/api/v1/statuses", headers: form, body: "status=x", status: 401),
    ]

    static let classic: [Endpoint] = [
        Endpoint(
            method: .post, path: "/ViewStatus.aspx", body: "userName=ada&password=secret", status: 200,
            has: ["hello <world>"]),
        Endpoint(path: "/ViewStatus.aspx?userName=ada&password=secret", status: 200, has: ["followers only"]),
        Endpoint(
            method: .post, path: "/ViewStatus.aspx", headers: form, body: "userName=ada&password=wrong", status: 401,
            has: ["Wrong username or password"]),
        Endpoint(method: .post, path: "/ViewStatus.aspx", body: "userName=nobody&password=x", status: 401),
        Endpoint(method: .post, path: "/ViewStatus.aspx", body: "this is no form", status: 400),
        Endpoint(method: .post, path: "/ViewStatus.aspx", body: "", status: 400),
        Endpoint(method: .post, path: "/ViewStatus.aspx", body: "userName=\(long)&password=x", status: 401),
        Endpoint(method: .post, path: "/ViewStatus.aspx", body: String(repeating: "x", count: 20_000), status: 413),
        Endpoint(path: "/FileDownload.aspx", status: 400),
        Endpoint(path: "/FileDownload.aspx?file=nothing.txt", status: 404),
        Endpoint(path: "/FileDownload.aspx?file=../feed.sqlite", status: 400, lacks: ["SQLite"]),
        Endpoint(path: "/FileDownload.aspx?file=%2e%2e%2ffeed.sqlite", status: 400, lacks: ["SQLite"]),
        Endpoint(path: "/FileDownload.aspx?file=a%00b", status: 400),
        Endpoint(path: "/FileDownload.aspx?file=\(long)", status: 400),
        Endpoint(
            method: .post, path: "/FileUpload.aspx", status: 401, has: ["HTTP Basic"],
            responseHeaders: ["WWW-Authenticate": "Basic realm=\"feedserver\", Bearer realm=\"feedserver\""]),
        Endpoint(
            method: .post, path: "/FileUpload.aspx?userName=ada&password=wrong", status: 401,
            has: ["Wrong username or password"],
            responseHeaders: ["WWW-Authenticate": "Basic realm=\"feedserver\", Bearer realm=\"feedserver\""]),
        Endpoint(
            method: .post, path: "/FileUpload.aspx", headers: ["Authorization": "Bearer wrong-wrong-wrong-wrong"],
            status: 401,
            responseHeaders: ["WWW-Authenticate": "Basic realm=\"feedserver\", Bearer realm=\"feedserver\""]),
        Endpoint(path: "/files/..", status: 400),
        Endpoint(path: "/files/%2e%2e%2ffeed.sqlite", status: 400, lacks: ["SQLite"]),
        Endpoint(path: "/files/a%00b", status: 400),
        Endpoint(path: "/files/a%zz", status: 400),
        Endpoint(path: "/files/%ff", status: 400),
        Endpoint(path: "/files/\(long)", status: 414),
        Endpoint(path: "/files/nothing.txt", status: 404),
        Endpoint(method: .put, path: "/files/x.txt", body: "x", status: 401),
    ]

    @Test func everyEndpointSendsTheExpectedResponse() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        try await test.store.post("hello <world> #tag", by: ada)
        try await test.store.post("followers only", by: ada, .followers)
        let client = TestClient(test.services)
        for endpoint in Self.pages + Self.api + Self.classic { try await Self.check(endpoint, client) }
        #expect(try await test.store.accounts.counts() == (1, 2))
    }

    static func check(_ endpoint: Endpoint, _ client: TestClient) async throws {
        var headers = HTTPFields()
        for (name, value) in endpoint.headers { headers[try #require(HTTPField.Name(name))] = value }
        try await client.execute(
            uri: endpoint.path, method: endpoint.method, headers: headers,
            body: endpoint.body.isEmpty ? nil : ByteBuffer(string: endpoint.body)
        ) { response in
            let text = String(buffer: response.body)
            let name = Comment(rawValue: endpoint.testDescription + "\n" + String(text.prefix(300)))
            #expect(response.status.code == endpoint.status, name)
            for part in endpoint.has { #expect(text.contains(part), "\(name): \(part)") }
            for part in endpoint.lacks { #expect(!text.contains(part), "\(name): not \(part)") }
            for (header, value) in endpoint.responseHeaders {
                let headerName = try #require(HTTPField.Name(header))
                let found = response.headers[headerName] ?? ""
                if value == "*" { #expect(!found.isEmpty, name) } else { #expect(found == value, name) }
            }
        }
    }
}
