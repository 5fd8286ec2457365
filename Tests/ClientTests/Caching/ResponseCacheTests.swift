import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Stored responses, and the policies for their use.
@Suite(.hangLimit)
struct ResponseCacheTests {
    private static let account = #"{"id":"1","username":"ada","acct":"ada","display_name":"NAME"}"#

    /// The account, compressed with gzip.
    private static let compressedAccount =
        "H4sIAAAAAAACA6tWykxRslIyVNJRKi1OLcpLzE0FchNTEoECicnJJXBOSmZxQU5iZTxUhZ+jr6tSLQBh"
        + "d53fPgAAAA=="

    /// A server whose account has a new name in each response.
    private final class Server: Sendable {
        private let log = Mutex<[String]>([])
        let control: String?
        let tag: String?

        init(control: String? = nil, tag: String? = nil) { (self.control, self.tag) = (control, tag) }

        var count: Int { log.withLock { $0.count } }

        @Sendable func respond(_ request: Request) -> Response {
            let number = log.withLock { log in
                log.append(request.uri.path)
                return log.count
            }
            var headers = HTTPFields()
            headers[.cacheControl] = control
            headers[.eTag] = tag
            if let tag, request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
            return MediaServer.json(ResponseCacheTests.account.replacing("NAME", with: "\(number)"), .ok, headers)
        }
    }

    /// Reads the account several times.
    private struct Reader {
        let port: Int
        let cache: ResponseCache

        func name(_ policy: CachePolicy) async throws -> String {
            try await use(policy) { try await $0.account(named: "ada").display_name }
        }

        func use<Value>(_ policy: CachePolicy, _ body: (FeedClient) async throws -> Value) async throws -> Value {
            let client = FeedClient(
                server: try ServerAddress("http://127.0.0.1:\(port)"), cache: cache, policy: policy)
            let result: Result<Value, any Error>
            do { result = .success(try await body(client)) } catch { result = .failure(error) }
            await client.shutdown()
            return try result.get()
        }
    }

    private static func reading(
        _ server: Server, owner: String = "a", limit: Int64 = 1 << 20, now: (@Sendable () -> Int64)? = nil,
        _ test: (Reader) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let cache = ResponseCache(folder: folder.path, owner: owner, limit: limit, now: now)
        try await TestHTTPServer.serving(server.respond) { port in try await test(Reader(port: port, cache: cache)) }
    }

    @Test func policiesDecideWhoAnswers() async throws {
        let server = Server()
        try await Self.reading(server) { reader in
            let missing = await #expect(throws: FeedClientError.self) { try await reader.name(.cacheOnly) }
            #expect(missing?.code == .unreachable && missing?.hint?.contains("feedclient sync") == true)
            #expect(server.count == 0)
            let first = try await reader.name(.cacheElseLoad)
            #expect(first == "1")
            #expect(try await reader.name(.cacheElseLoad) == "1")
            #expect(try await reader.name(.maximumAge(.seconds(60))) == "1")
            #expect(try await reader.name(.reload) == "2")
            #expect(try await reader.name(.cacheOnly) == "2")
            // Without headers, nothing is fresh.
            #expect(try await reader.name(.useProtocol) == "3")
            #expect(try await reader.name(.cacheOnly) == "3")
        }
    }

    @Test func freshResponseNeedsNoRequest() async throws {
        let time = Mutex<Int64>(1_000_000)
        let server = Server(control: "max-age=60")
        try await Self.reading(server, now: { time.withLock { $0 } }) { reader in
            let first = try await reader.name(.useProtocol)
            #expect(first == "1")
            time.withLock { $0 += 59_000 }
            #expect(try await reader.name(.useProtocol) == "1")
            time.withLock { $0 += 1000 }
            #expect(try await reader.name(.useProtocol) == "2")
            // The clock was set back.
            time.withLock { $0 -= 120_000 }
            #expect(try await reader.name(.maximumAge(.seconds(60))) == "3")
        }
    }

    @Test(arguments: ["max-age=60", "no-store"]) func olderResponseIsConfirmed(control: String) async throws {
        let time = Mutex<Int64>(1_000_000)
        let server = Server(control: control, tag: "\"x\"")
        try await Self.reading(server, now: { time.withLock { $0 } }) { reader in
            let first = try await reader.name(.useProtocol)
            #expect(first == "1")
            time.withLock { $0 += 61_000 }
            #expect(try await reader.name(.useProtocol) == "1")
            #expect(server.count == 2)
            #expect(try await reader.name(.reload) == "3")
        }
    }

    /// What this account has changed may be part of any response.
    @Test func changeOfTheAccountEndsFreshness() async throws {
        let time = Mutex<Int64>(1_000_000)
        let server = Server(control: "max-age=60")
        try await Self.reading(server, now: { time.withLock { $0 } }) { reader in
            #expect(try await reader.name(.useProtocol) == "1")
            try await reader.use(.useProtocol) { try await $0.clearNotifications() }
            time.withLock { $0 += 1 }
            #expect(try await reader.name(.maximumAge(.seconds(60))) == "3")
            #expect(try await reader.name(.useProtocol) == "3")
            let refused = await #expect(throws: FeedClientError.self) {
                try await reader.use(.cacheOnly) { try await $0.clearNotifications() }
            }
            #expect(refused?.code == .unreachable && server.count == 3)
        }
    }

    @Test func responsesBelongToTheirOwner() async throws {
        let server = Server()
        let folder = try TemporaryFolder()
        try await TestHTTPServer.serving(server.respond) { port in
            let readers = ["a", "b"].map {
                Reader(port: port, cache: ResponseCache(folder: folder.path, owner: $0))
            }
            for reader in readers { _ = try await reader.name(.useProtocol) }
            #expect(try await readers[0].name(.cacheOnly) == "1")
            try await readers[0].cache.removeAll()
            await #expect(throws: FeedClientError.self) { try await readers[0].name(.cacheOnly) }
            #expect(try await readers[1].name(.cacheOnly) == "2")
        }
    }

    /// The number of results that was asked for does not matter without a network.
    @Test func pageWithAnotherLimitIsBetterThanNone() async throws {
        let names = Mutex<[String]>([])
        let folder = try TemporaryFolder()
        let cache = ResponseCache(folder: folder.path, owner: "a")
        try await LocalServer.serving({ request in
            names.withLock { $0.append(request.uri.query ?? "") }
            return MediaServer.json("[\(MediaServer.status("7"))]")
        }) { port in
            let reader = Reader(port: port, cache: cache)
            _ = try await reader.use(.useProtocol) { try await $0.statuses(of: .public, count: 20) }
            let found = try await reader.use(.cacheOnly) { try await $0.statuses(of: .public, count: 3) }
            #expect(found.map(\.status.id) == ["7"])
        }
        #expect(names.withLock { $0 } == ["limit=20"])
    }

    @Test func oldestResponsesMakeRoom() async throws {
        let server = Server()
        try await Self.reading(server, limit: 150) { reader in
            for name in ["ada", "bob", "cyd"] {
                _ = try await reader.use(.useProtocol) { try await $0.account(named: name) }
            }
            let stored = try await reader.use(.cacheOnly) { try await $0.account(named: "cyd").display_name }
            #expect(stored == "3")
            await #expect(throws: FeedClientError.self) {
                try await reader.use(.cacheOnly) { try await $0.account(named: "ada") }
            }
        }
    }

    /// A cache on a full or foreign disk does not prevent reading.
    @Test func unusableFolderIsIgnored() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        let server = Server()
        try await TestHTTPServer.serving(server.respond) { port in
            let reader = Reader(port: port, cache: ResponseCache(folder: folder.path + "/file", owner: "a"))
            for number in ["1", "2"] {
                let name = try await reader.name(.useProtocol)
                #expect(name == number)
            }
        }
    }

    @Test func compressedResponsesAreDecoded() async throws {
        let compressed = try #require(Data(base64Encoded: Self.compressedAccount))
        try await LocalServer.serving({ request in
            #expect(request.headers[.acceptEncoding]?.contains("gzip") == true)
            var headers = HTTPFields()
            headers[.contentEncoding] = "gzip"
            return Response(
                status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: compressed)))
        }) { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            let name = try? await client.account(named: "ada").display_name
            await client.shutdown()
            #expect(name == "NAME")
        }
    }
}
