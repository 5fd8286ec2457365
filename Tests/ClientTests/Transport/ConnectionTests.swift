import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// How a client connects, and whether it can.
@Suite(.hangLimit)
struct ConnectionTests {
    private static func use<Value>(_ client: FeedClient, _ body: (FeedClient) async throws -> Value) async throws
        -> Value
    {
        let result: Result<Value, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await client.shutdown()
        return try result.get()
    }

    @Test func requestsCarryTheChosenFields() async throws {
        let seen = Mutex<HTTPFields>([:])
        try await LocalServer.serving({ request in
            seen.withLock { $0 = request.headers }
            return MediaServer.json("[]")
        }) { port in
            var options = ConnectionOptions()
            options.userAgent = "Reader/2"
            options.headers = ["X-Place": "sea", "Accept": "application/ld+json"]
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"), options: options)
            _ = try await Self.use(client) { try await $0.lists() }
        }
        let fields = seen.withLock { $0 }
        #expect(fields[.userAgent] == "Reader/2" && fields[.accept] == "application/ld+json")
        #expect(HTTPField.Name("X-Place").flatMap { fields[$0] } == "sea")
    }

    /// One attempt is enough to find out that a server accepts requests without answering them; a lost connection is
    /// still tried again.
    @Test func silentServerIsAskedOnce() async throws {
        let requests = Mutex<[String]>([])
        try await LocalServer.serving({ request in
            requests.withLock { $0.append(request.uri.string) }
            try await Task.sleep(for: .seconds(Wait.seconds))
            return MediaServer.json("[]")
        }) { port in
            var options = ConnectionOptions()
            // Long enough for a busy machine to connect.
            options.responseSeconds = 5
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"), options: options)
            let (lists, ping) = try await Self.use(client) { client in
                let lists = await #expect(throws: FeedClientError.self) { try await client.lists() }
                let ping = await #expect(throws: FeedClientError.self) { _ = try await client.ping() }
                return (lists, ping)
            }
            #expect(lists?.code == .network && lists?.message == "The server does not respond in time")
            #expect(ping?.code == .network)
            // The server may get to read them later than the client gives up, and in any order.
            try await Wait.until("both requests have arrived") { requests.withLock { $0.count } >= 2 }
        }
        #expect(requests.withLock { $0.sorted() } == ["/api/v1/lists", "/health"])
    }

    // MARK: Proxies

    @Test(
        arguments: [
            ([:], nil), (["ALL_PROXY": "socks5://one:1"], "socks5://one:1"),
            (["ALL_PROXY": "http://one:1", "https_proxy": "two:2"], "http://two:2"),
            (["http_proxy": "http://one:1"], nil),
            (["ALL_PROXY": "one:1", "NO_PROXY": "other, .example"], nil),
            (["ALL_PROXY": "one:1", "no_proxy": "*"], nil),
            (["ALL_PROXY": "one:1", "NO_PROXY": "eed.example"], "http://one:1"), (["ALL_PROXY": ""], nil),
            (["all_proxy": "http://ada:secret@one"], "http://ada:secret@one:1080"),
        ] as [([String: String], String?)])
    func environmentNamesTheProxy(variables: [String: String], proxy: String?) throws {
        let found = try ProxySettings.from(environment: variables, for: ServerAddress("https://feed.example"))
        let expected = try proxy.map { try ProxySettings($0) }
        #expect(found == expected)
        for local in ["http://127.0.0.1:8080", "https://localhost", "http://[::1]:80"] {
            let address = try ServerAddress(local)
            let proxy = try ProxySettings.from(environment: variables, for: address)
            #expect(proxy == nil)
        }
    }

    @Test(arguments: ["", "ftp://one:1", "http://", "http://one:0", "socks5://ada@one:1", "http://one:1/path"])
    func otherAddressesAreRefused(text: String) {
        let error = #expect(throws: FeedClientError.self) { try ProxySettings(text) }
        #expect(error?.code == .usage)
    }

    /// The tunnel is asked for the server, whose name only the proxy has to know.
    @Test func connectionsAreMadeThroughTheProxy() async throws {
        let targets = Mutex<[String]>([])
        let code = try await TestHTTPServer.serving({ request in
            targets.withLock { $0.append("\(request.method.rawValue) \(request.uri.string)") }
            return Response(status: .forbidden)
        }) { port in
            var options = ConnectionOptions()
            options.proxy = try ProxySettings("http://127.0.0.1:\(port)")
            let client = FeedClient(server: try ServerAddress("http://feed.invalid"), options: options)
            let error = await #expect(throws: FeedClientError.self) {
                try await Self.use(client) { try await $0.lists() }
            }
            return error?.code
        }
        #expect(targets.withLock { $0.first } == "CONNECT feed.invalid:80")
        #expect(code == .network || code == .unreachable)
    }

    // MARK: State

    @Test func monitorTellsWhenTheServerIsBack() async throws {
        let monitor = ConnectionMonitor()
        #expect(monitor.present == nil)
        var changes = monitor.changes.makeAsyncIterator()
        monitor.record(FeedClientError(.unreachable, "gone"))
        let first = await changes.next()
        #expect(first == .offline)
        // Nobody waits longer than necessary.
        async let back: Void = monitor.wait(.seconds(86_400))
        try await Wait.until("somebody waits") { monitor.observerCount == 2 }
        monitor.record(FeedClientError(.notFound, "none", status: 404))
        let second = await changes.next()
        #expect(second == .online)
        try await back
        #expect(monitor.present == .online)
    }

    @Test func outboxIsSentWhenTheServerIsBack() async throws {
        let folder = try TemporaryFolder()
        let server = MediaServer()
        let account = OutboxAccount(server: "http://127.0.0.1", username: "ada")
        try await server.run { client in
            let outbox = Outbox(folder: folder.path)
            client.connection.record(.offline)
            try await outbox.add(OutboxPost(draft: Draft(text: "hello")), for: account).release()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await outbox.sendWhenOnline(account, with: client) }
                _ = try? await client.lists()
                try await Wait.until("the post is sent") { server.bodies("POST /api/v1/statuses").count == 1 }
                group.cancelAll()
                try? await group.waitForAll()
            }
        }
    }
}
