import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import NIOCore
import Testing

/// An account with a token.
struct Member: Sendable {
    let name: String
    let id: String
    let token: String
}

/// A response of the server.
struct WebResponse: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: body) }

    /// The first characters, for messages.
    var summary: String { "\(status) \(text.prefix(300))" }
}

/// The body of a request.
struct WebBody: Sendable {
    var type: String
    var bytes: Data

    static func form(_ text: String) -> WebBody {
        .init(type: "application/x-www-form-urlencoded", bytes: Data(text.utf8))
    }
    static func json(_ text: String) -> WebBody { .init(type: "application/json", bytes: Data(text.utf8)) }

    /// A form with files and other fields.
    static func files(
        _ files: [(name: String, bytes: [UInt8])], _ fields: [(name: String, value: String)] = []
    ) -> WebBody {
        var bytes = Data()
        for file in files {
            let head = "Content-Disposition: form-data; name=\"\(file.name)\"; filename=\"secret name.png\""
            bytes += Data("--B\r\n\(head)\r\n\r\n".utf8) + Data(file.bytes) + Data("\r\n".utf8)
        }
        return .init(type: "multipart/form-data; boundary=B", bytes: bytes + multipart(fields).bytes)
    }

    /// A form with one part per field.
    static func multipart(_ fields: [(name: String, value: String)]) -> WebBody {
        let parts = fields.map {
            "--B\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.value)\r\n"
        }
        return .init(type: "multipart/form-data; boundary=B", bytes: Data((parts.joined() + "--B--\r\n").utf8))
    }
}

/// The server, as applications see it.
struct WebAPI: Sendable {
    let test: TestServices
    let client: TestClient

    /// Runs `body` with a new server.
    static func run(
        limits: Limits = Limits(), registration: RegistrationPolicy.Mode = .closed,
        _ body: @escaping @Sendable (WebAPI) async throws -> Void
    ) async throws {
        let test = try TestServices(limits: limits, registration: registration)
        try await run(test, test.services, body)
    }

    /// Runs `body` with a server that has the services of `test`, possibly with changes.
    static func run(
        _ test: TestServices, _ services: Services, _ body: @escaping @Sendable (WebAPI) async throws -> Void
    ) async throws {
        let client = TestClient(services)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await services.mediaQueue.run() }
            defer { group.cancelAll() }
            try await body(WebAPI(test: test, client: client))
        }
    }

    func person(_ name: String) async throws -> Member {
        let (account, token) = try await test.account(name)
        return Member(name: name, id: String(account.id), token: token)
    }

    /// An administrator, with a token for everything.
    func admin(_ name: String) async throws -> Member {
        let scopes = ScopeSet(names: ScopeSet.all.names + ["admin:read", "admin:write"])
        let (account, token) = try await test.account(name, role: .admin, scopes: scopes)
        return Member(name: name, id: String(account.id), token: token)
    }

    /// A token of the same account with other scopes.
    func limited(_ person: Member, scopes: String) async throws -> Member {
        let token = try await test.services.login.tokens.create(
            for: Int64(person.id), scopes: try ScopeSet(parsing: scopes),
            application: ClientApplication(name: "limited"))
        return Member(name: person.name, id: person.id, token: token)
    }

    /// Sends a request, one second after the previous one, so that times differ.
    func send(
        _ method: HTTPRequest.Method, _ path: String, as person: Member? = nil, _ body: WebBody? = nil,
        headers more: [String: String] = [:]
    ) async throws -> WebResponse {
        test.store.clock.now += 1000
        var headers = HTTPFields()
        if let person { headers[.authorization] = "Bearer " + person.token }
        if let body { headers[.contentType] = body.type }
        for (name, value) in more { headers[try #require(HTTPField.Name(name))] = value }
        return try await client.execute(
            uri: path, method: method, headers: headers, body: body.map { ByteBuffer(bytes: $0.bytes) }
        ) { WebResponse(status: $0.status.code, headers: $0.headers, body: Data($0.body.readableBytesView)) }
    }

    /// Posts a status, and returns its id.
    func post(
        _ text: String, by person: Member, _ visibility: String = "public", replyTo: String? = nil, more: String = ""
    ) async throws -> String {
        let encoded = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let reply = replyTo.map { "&in_reply_to_id=" + $0 } ?? ""
        let form = "status=\(encoded)&visibility=\(visibility)" + reply + more
        let response = try await send(.post, "/api/v1/statuses", as: person, .form(form))
        return try #require(response.json?["id"]?.text, "posting: \(response.summary)")
    }

    /// Sends a request that must succeed.
    @discardableResult
    func must(
        _ method: HTTPRequest.Method, _ path: String, as person: Member, _ body: WebBody? = nil
    ) async throws -> JSONValue {
        let response = try await send(method, path, as: person, body)
        try #require(response.status == 200, "\(method) \(path): \(response.summary)")
        return try #require(response.json)
    }
}
