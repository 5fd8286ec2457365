import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import NIOCore
import Testing

/// An application and a user with a browser, in front of the server.
struct Person {
    struct Response {
        let status: Int
        let headers: HTTPFields
        let text: String

        var location: String? { headers[.location] }
        var object: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
        }
    }

    let client: TestClient
    var cookie: String?

    init(_ client: TestClient) { self.client = client }

    /// Runs `body` with a server and the account `ada`, whose password is `secret`.
    static func served(
        _ test: TestServices, _ body: @escaping @Sendable (TestServices, inout Person) async throws -> Void
    ) async throws {
        _ = try await test.account("ada")
        var person = Person(TestClient(test.services))
        try await body(test, &person)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ fields: [String: String]? = nil, headers: HTTPFields = [:]
    ) async throws -> Response {
        var headers = headers
        if fields != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        if method != .get, !headers.contains(.origin), let name = HTTPField.Name("Sec-Fetch-Site") {
            headers[name] = headers[name] ?? "same-origin"
        }
        headers[.cookie] = headers[.cookie] ?? cookie
        let body = fields.map { ByteBuffer(string: HTMLForm.encoded($0)) }
        return try await client.execute(uri: path, method: method, headers: headers, body: body) {
            Response(status: $0.status.code, headers: $0.headers, text: String(buffer: $0.body))
        }
    }

    /// Registers an application.
    func application(
        name: String = "App", redirect: String = "https://app.test/cb", scopes: String = "read write"
    ) async throws -> (id: String, secret: String) {
        let response = try await send(
            .post, "/api/v1/apps", ["client_name": name, "redirect_uris": redirect, "scopes": scopes])
        return (
            try #require(response.object["client_id"] as? String),
            try #require(response.object["client_secret"] as? String)
        )
    }

    /// Opens the authorization page and keeps its cookie.
    mutating func open(_ query: [String: String]) async throws -> Response {
        let response = try await send(.get, "/oauth/authorize?" + HTMLForm.encoded(query))
        if let set = response.headers[.setCookie] { cookie = String(set.prefix { $0 != ";" }) }
        return response
    }

    /// Opens the page, logs in and submits the decision.
    mutating func allow(_ query: [String: String], password: String = "secret", decision: String = "allow") async throws
        -> Response
    {
        var fields = HTMLForm.hidden(in: try await open(query).text)
        fields["username"] = "ada"
        fields["password"] = password
        fields["decision"] = decision
        return try await send(.post, "/oauth/authorize", fields)
    }

    /// The code that the application receives.
    mutating func code(_ query: [String: String]) async throws -> String {
        let location = try #require(try await allow(query).location)
        return try #require(HTMLForm.query(of: location)["code"])
    }

    func token(_ fields: [String: String]) async throws -> Response { try await send(.post, "/oauth/token", fields) }

    /// Whether a token is valid.
    func works(_ token: String) async throws -> Bool {
        let headers: HTTPFields = [.authorization: "Bearer " + token]
        return try await send(.get, "/api/v1/accounts/verify_credentials", headers: headers).status == 200
    }
}
