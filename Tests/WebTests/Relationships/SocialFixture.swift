import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import NIOCore
import Testing

/// Several accounts with a token each, in front of the server.
struct SocialFixture {
    struct Person {
        let account: Account
        let token: String
        var id: String { String(account.id) }
    }

    let test: TestServices
    private(set) var people: [String: Person] = [:]

    init(_ names: String...) async throws {
        test = try TestServices()
        for name in names {
            let (account, token) = try await test.account(name)
            people[name] = Person(account: account, token: token)
        }
    }

    func person(_ name: String) throws -> Person { try #require(people[name]) }

    func run(_ body: @Sendable (SocialClient) async throws -> Void) async throws {
        try await body(SocialClient(client: TestClient(test.services), people: people))
    }
}

/// Sends requests as one of the accounts.
struct SocialClient {
    struct Response {
        let status: Int
        let body: Data
        let links: LinkHeader

        func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: body)
        }

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    let client: TestClient
    let people: [String: SocialFixture.Person]

    func id(_ name: String) throws -> String { try #require(people[name]).id }

    /// `{name}` in the path is a placeholder for that account's id.
    func send(
        _ name: String?, _ method: HTTPRequest.Method, _ path: String, _ body: String = "",
        type: String = "application/x-www-form-urlencoded"
    ) async throws -> Response {
        var headers: HTTPFields = [.contentType: type]
        if let name { headers[.authorization] = "Bearer " + (try #require(people[name])).token }
        let address = people.reduce(path) { $0.replacing("{\($1.key)}", with: $1.value.id) }
        return try await client.execute(
            uri: address, method: method, headers: headers, body: body.isEmpty ? nil : ByteBuffer(string: body)
        ) { response in
            let link = try #require(HTTPField.Name("Link"))
            return Response(
                status: response.status.code, body: Data(response.body.readableBytesView),
                links: LinkHeader(response.headers[link] ?? ""))
        }
    }

    /// Performs an action on another account, and returns the resulting relationship.
    @discardableResult
    func relate(_ name: String, _ verb: String, _ other: String, _ body: String = "") async throws
        -> Entity.Relationship
    {
        try await send(name, .post, "/api/v1/accounts/{\(other)}/\(verb)", body).decoded()
    }

    /// All entries of a list, following its links.
    func walk<Entry: Decodable>(_ name: String?, _ path: String, of type: Entry.Type = Entry.self) async throws
        -> [[Entry]]
    {
        var pages: [[Entry]] = []
        var address: String? = path
        while let current = address, pages.count < 100 {
            let response = try await send(name, .get, current)
            pages.append(try response.decoded([Entry].self))
            address = response.links.next?.replacing("http://feed.test", with: "")
        }
        return pages
    }
}
