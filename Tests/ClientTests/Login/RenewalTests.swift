import AsyncHTTPClient
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOHTTP1
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Tokens that expire, and their renewal.
@Suite(.hangLimit)
struct RenewalTests {
    private static let application = ApplicationRegistration(clientID: "id", clientSecret: "secret", scopes: "read")

    private let folder: TemporaryFolder
    private let store: CredentialStore

    init() throws {
        folder = try TemporaryFolder()
        store = CredentialStore(folder: folder.path)
    }

    private static func token(_ access: String, expiresAt: Int64 = 0) -> RenewableToken {
        RenewableToken(access: access, refresh: "r-" + access, expiresAt: expiresAt, application: application)
    }

    private func save(_ token: RenewableToken, of name: String = "ada") throws -> CredentialStore.Login {
        let login = CredentialStore.Login(
            server: "https://feed.example", username: name, credential: .renewable(token), isOwn: true)
        try store.save(login)
        return login
    }

    private static func issuing(_ text: String) -> MediaServer {
        MediaServer(special: [("POST /oauth/token", { @Sendable in MediaServer.json(text) })])
    }

    /// The renewable token of a login; `nil` for any other.
    private static func token(of login: CredentialStore.Login) -> RenewableToken? {
        if case .renewable(let token) = login.credential { token } else { nil }
    }

    @Test(
        arguments: [
            (#"{"access_token":"t"}"#, nil),
            (#"{"access_token":"t","refresh_token":"r"}"#, Milliseconds.valid.upperBound),
            (#"{"access_token":"t","expires_in":60}"#, nil),
            (#"{"access_token":"t","refresh_token":"r","expires_in":0}"#, Milliseconds.valid.upperBound),
            (#"{"access_token":"t","refresh_token":"r","expires_in":"60"}"#, Milliseconds.valid.upperBound),
            (#"{"access_token":"t","refresh_token":"r","expires_in":60}"#, 61_000),
            (#"{"access_token":"t","refresh_token":"r","expires_in":9223372036854775807}"#, 253_402_300_800_000),
        ] as [(String, Int64?)])
    func onlyATokenWithARefreshTokenIsRenewed(json: String, expiresAt: Int64?) throws {
        let issued = try JSONDecoder().decode(IssuedToken.self, from: Data(json.utf8))
        let credential = issued.credential(for: Self.application, now: 1000)
        guard let expiresAt else {
            #expect(credential == .token("t"))
            return
        }
        let token = RenewableToken(access: "t", refresh: "r", expiresAt: expiresAt, application: Self.application)
        #expect(credential == .renewable(token))
    }

    @Test func expiringTokenIsReplacedAndStored() async throws {
        let login = try save(Self.token("old"))
        try store.save(.init(server: "https://feed.example", username: "bob", credential: .token("x")))
        let server = Self.issuing(#"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#)
        let renewed = try await server.run { [store] in try await $0.renewed(login, in: store) }
        let token = try #require(Self.token(of: renewed))
        #expect(token.access == "new" && token.refresh == "r2" && token.expiresAt > Milliseconds.now)
        #expect(try store.logins().map(\.username) == ["bob", "ada"] && store.logins()[1] == renewed)
        let body = try #require(server.bodies("POST /oauth/token").first)
        #expect(body == "grant_type=refresh_token&client_id=id&client_secret=secret&refresh_token=r-old")
        // It lasts for an hour.
        _ = try await server.run { [store] in try await $0.renewed(renewed, in: store) }
        #expect(server.lines.count == 1)
    }

    /// A server revokes the login if a refresh token is used twice.
    @Test func commandsThatRunAtTheSameTimeRenewOnce() async throws {
        let login = try save(Self.token("old"))
        _ = try save(Self.token("of bob", expiresAt: .max), of: "bob")
        let server = Self.issuing(#"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#)
        let tokens = try await server.run { [store] client in
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<5 {
                    group.addTask { try await client.renewed(login, in: store).credential.accessToken }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(tokens == Array(repeating: "new", count: 5) && server.lines.count == 1)
    }

    @Test func refreshTokenRemainsIfTheServerSendsNoOther() async throws {
        let login = try save(Self.token("old"))
        let server = Self.issuing(#"{"access_token":"new","expires_in":3600}"#)
        let renewed = try await server.run { [store] in try await $0.renewed(login, in: store) }
        #expect(Self.token(of: renewed)?.refresh == "r-old")
    }

    @Test func expiredLoginAsksForAnother() async throws {
        let login = try save(Self.token("old"))
        let server = MediaServer(special: [
            ("POST /oauth/token", { MediaServer.error(.badRequest, "invalid_grant") })
        ])
        let thrown = try await server.run { [store] client in
            await #expect(throws: FeedClientError.self) { try await client.renewed(login, in: store) }
        }
        #expect(thrown?.code == .unauthorized && thrown?.hint?.hasPrefix("Log in again: feedclient login ") == true)
        #expect(try store.logins() == [login])
    }

    @Test func requestsCarryTheAccessToken() async throws {
        let client = FeedClient(
            server: try ServerAddress("https://feed.example"), credential: .renewable(Self.token("t", expiresAt: .max)))
        #expect(client.request("/x").headers.first(name: "Authorization") == "Bearer t")
        #expect(client.plainRequest("https://feed.example/y").headers.first(name: "Authorization") == "Bearer t")
        #expect(client.plainRequest("https://other.example/y").headers.first(name: "Authorization") == nil)
        await client.shutdown()
    }

    // MARK: Refused tokens

    /// Accepts one access token at a time.
    private final class Server: Sendable {
        struct State {
            var accepted = "new"
            var requests: [String] = []
        }

        let state = Mutex(State())

        @Sendable func respond(_ request: Request) -> Response {
            let path = request.uri.path
            let (accepted, token) = state.withLock { state in
                state.requests.append(request.method.rawValue + " " + path)
                return (state.accepted, request.headers[.authorization])
            }
            if path == "/oauth/token" { return MediaServer.json(#"{"access_token":"new","refresh_token":"r2"}"#) }
            guard token == "Bearer " + accepted else { return MediaServer.error(.unauthorized, "The token is invalid") }
            return MediaServer.json(request.method == .get ? "[]" : #"{"id":"5","title":"Sailors"}"#)
        }
    }

    private static let unlimited = Milliseconds.valid.upperBound

    private func using(_ server: Server, _ body: (FeedClient) async throws -> Void) async throws {
        let login = try save(Self.token("old", expiresAt: Self.unlimited))
        try await TestHTTPServer.serving(server.respond) { [store] port in
            let address = try ServerAddress("http://127.0.0.1:\(port)")
            let renewing = FeedClient(server: address)
            let renewal: FeedClient.Renewal = { _ in
                try await renewing.renewed(login, in: store, isRejected: true).credential
            }
            let client = FeedClient(server: address, credential: login.credential, renewal: renewal)
            let result: Result<Void, any Error>
            do { result = .success(try await body(client)) } catch { result = .failure(error) }
            await client.shutdown()
            await renewing.shutdown()
            try result.get()
        }
    }

    /// The server has not said when the token expires.
    @Test func refusedTokenIsReplacedAndTheRequestRepeated() async throws {
        let server = Server()
        try await using(server) { client in
            let lists = try await client.lists()
            #expect(lists.isEmpty)
            let made = try await client.createList("Sailors")
            #expect(made.id == "5")
        }
        let requests = ["GET /api/v1/lists", "POST /oauth/token", "GET /api/v1/lists", "POST /api/v1/lists"]
        #expect(server.state.withLock { $0.requests } == requests)
        let token = try Self.token(of: #require(store.logins().first))
        #expect(token?.access == "new" && token?.refresh == "r2" && token?.expiresAt == Self.unlimited)
    }

    /// Otherwise, a post would seem to have an unknown outcome.
    @Test func failedConnectionLeavesTheRefusal() async throws {
        let server = Server()
        try await TestHTTPServer.serving(server.respond) { port in
            let renewal: FeedClient.Renewal = { _ in throw FeedClientError(.network, "The connection was lost") }
            let client = FeedClient(
                server: try ServerAddress("http://127.0.0.1:\(port)"),
                credential: .renewable(Self.token("old", expiresAt: Self.unlimited)), renewal: renewal)
            let error = await #expect(throws: FeedClientError.self) { try await client.createList("Sailors") }
            #expect(error?.status == 401)
            await client.shutdown()
        }
        #expect(server.state.withLock { $0.requests } == ["POST /api/v1/lists"])
    }

    /// The server does not accept the earlier refresh token again.
    @Test func cancelledRequestDoesNotLoseTheNewToken() async throws {
        let login = try save(Self.token("old"))
        let (start, starting) = AsyncStream.makeStream(of: Void.self)
        let renewing = Mutex<Task<Void, any Error>?>(nil)
        let task = { @Sendable in renewing.withLock { $0 } }
        let server = MediaServer(special: [
            (
                "POST /oauth/token",
                { @Sendable in
                    task()?.cancel()
                    return MediaServer.json(#"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#)
                }
            )
        ])
        try await server.run { [store] client in
            let task = Task {
                for await _ in start { break }
                _ = try await client.renewed(login, in: store)
            }
            renewing.withLock { $0 = task }
            starting.yield()
            _ = await task.result
        }
        let token = try Self.token(of: #require(store.logins().first))
        #expect(token?.access == "new" && token?.refresh == "r2")
    }

    /// A form is sent again, but not forever.
    @Test func newTokenThatIsRefusedIsAnError() async throws {
        let server = Server()
        server.state.withLock { $0.accepted = "none" }
        try await using(server) { client in
            let error = await #expect(throws: FeedClientError.self) { try await client.createList("Sailors") }
            #expect(error?.code == .unauthorized && error?.status == 401)
        }
        let requests = ["POST /api/v1/lists", "POST /oauth/token", "POST /api/v1/lists"]
        #expect(server.state.withLock { $0.requests } == requests)
    }
}
