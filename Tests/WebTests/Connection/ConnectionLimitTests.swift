import FeedCore
import FeedTestSupport
import FeedWeb
import Foundation
import TestKit
import Testing

/// Clients that open too many connections, or are too slow on one.
@Suite(.hangLimit)
struct ConnectionLimitTests {
    private static func limits(_ change: (inout ConnectionLimits) -> Void) -> ConnectionLimits {
        var limits = ConnectionLimits()
        // Connections that a test holds do not end before the test does.
        limits.firstHead = 3_600_000
        limits.nextHead = 3_600_000
        change(&limits)
        return limits
    }

    /// The response to a refused connection. Empty while all places for refusals are taken.
    private static func refusal(_ server: LiveServer) async throws -> RawHTTP.Response {
        var found: RawHTTP.Response?
        try await Wait.until("a refusal") {
            found = try? await server.send("/health")
            return found != nil
        }
        return try #require(found)
    }

    private static func expectRefusal(_ response: RawHTTP.Response, _ message: String) {
        #expect(response.status == 503 && response.text.contains(message), "\(response.text)")
        #expect(response.headers["retry-after"] == "5" && response.headers["connection"] == "close")
        #expect(response.headers["content-length"] == "\(response.body.count)")
        #expect((try? JSONSerialization.jsonObject(with: response.body)) != nil)
    }

    @Test func fullServerAnswersEarly() async throws {
        try await LiveServer.run(Self.limits { $0.total = 3 }) { server in
            var held: HeldConnections? = try HeldConnections(3, port: server.port)
            try await server.awaitConnections(3)
            for _ in 0..<20 { Self.expectRefusal(try await Self.refusal(server), "The server is busy") }
            // A connection that was served before still is.
            let answer = try held?.ask("GET /health HTTP/1.1\r\nHost: a\r\n\r\n", until: "OK")
            #expect(answer?.hasPrefix("HTTP/1.1 200") == true)
            held = nil
            try await server.awaitConnections(0)
            #expect(try await server.send("/health").status == 200)
        }
    }

    @Test func oneAddressDoesNotUseUpTheConnections() async throws {
        let limits = Self.limits {
            $0.total = 100
            $0.addressMinimum = 4
            $0.addressDivisor = 100
        }
        try await LiveServer.run(limits) { server in
            let held = try HeldConnections(4, port: server.port)
            try await server.awaitConnections(4)
            for _ in 0..<20 {
                Self.expectRefusal(try await Self.refusal(server), "Too many connections from one address")
            }
            #expect(try await server.send("/health", from: "127.0.0.2").status == 200)
            withExtendedLifetime(held) {}
        }
    }

    /// All visitors of a proxy share its address.
    @Test func trustedProxiesAreNotLimited() async throws {
        let limits = Self.limits {
            $0.total = 100
            $0.addressMinimum = 4
            $0.addressDivisor = 100
        }
        let proxies = TrustedProxies([.network(try #require(IPNetwork("127.0.0.3")))])
        try await LiveServer.run(limits, proxies: proxies) { server in
            let held = try HeldConnections(50, port: server.port, from: "127.0.0.3")
            try await server.awaitConnections(50)
            #expect(try await server.send("/health", from: "127.0.0.3").status == 200)
            withExtendedLifetime(held) {}
        }
    }

    /// Refused clients that send nothing get their response after a short time.
    @Test func silentClientsAreRefused() async throws {
        let limits = Self.limits {
            $0.total = 1
            $0.refusalTime = 1000
        }
        try await LiveServer.run(limits) { server in
            let held = try HeldConnections(1, port: server.port)
            try await server.awaitConnections(1)
            Self.expectRefusal(
                try RawHTTP.parse(try await RawHTTP.exchange(port: server.port, Data())), "The server is busy")
            withExtendedLifetime(held) {}
        }
    }

    /// Refused clients that send nothing occupy eight places; further ones are disconnected at once.
    @Test func placesForRefusalsAreFew() async throws {
        let limits = Self.limits {
            $0.total = 1
            $0.refusalTime = 3_600_000
        }
        try await LiveServer.run(limits) { server in
            let held = try HeldConnections(1, port: server.port)
            try await server.awaitConnections(1)
            let silent = try HeldConnections(7, port: server.port)
            Self.expectRefusal(try await Self.refusal(server), "The server is busy")
            // The place of a client that has its response becomes free a moment later.
            var more: [HeldConnections] = []
            try await Wait.until("a client is disconnected without a response") {
                more.append(try HeldConnections(1, port: server.port))
                return try await RawHTTP.exchange(port: server.port, Data("GET /health HTTP/1.1\r\n\r\n".utf8)).isEmpty
            }
            #expect(!silent.areClosed)
            withExtendedLifetime((held, more)) {}
        }
    }

    @Test func requestsPerConnectionAreLimited() async throws {
        try await LiveServer.run(Self.limits { $0.requests = 3 }) { server in
            let one = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
            for count in 3...5 {
                let bytes = try await RawHTTP.exchange(
                    port: server.port, Data(String(repeating: one, count: count).utf8))
                let responses = String(decoding: bytes, as: UTF8.self).components(separatedBy: "HTTP/1.1 200 ")
                    .dropFirst()
                #expect(responses.count == 3)
                #expect(responses.map { $0.lowercased().contains("connection: close") } == [false, false, true])
                #expect(responses.allSatisfy { $0.hasSuffix("OK") })
            }
        }
    }

    static let slow: [(name: String, bytes: String)] = [
        ("headers", "GET /health HTTP/1.1\r\nHost: a\r\nX: "),
        ("body", "POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx"),
        ("nothing", ""), ("idle", "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    /// The clients neither continue nor disconnect, so only the server ends the connections.
    @Test(arguments: slow.indices)
    func slowClientsAreDisconnected(index: Int) async throws {
        let limits = Self.limits {
            $0.firstHead = 1000
            $0.nextHead = 1000
            $0.bodyWindow = 1000
        }
        try await LiveServer.run(limits) { server in
            let held = try HeldConnections(20, port: server.port, sending: Data(Self.slow[index].bytes.utf8))
            try await Wait.until("the clients are disconnected") { held.areClosed }
            // On a busy machine, a request may take longer than the limits.
            try await Wait.until("a request is served") { (try? await server.send("/health"))?.status == 200 }
        }
    }

    /// Clients that request much and read nothing; one that reads is served meanwhile.
    @Test func stalledReadersAreDisconnected() async throws {
        try await LiveServer.run(Self.limits { $0.readWindow = 5000 }) { server in
            let (_, token) = try await server.test.account("ada")
            let content = Data(repeating: 7, count: 16 << 20)
            let stored = try await RawHTTP.send(
                port: server.port, "PUT", "/files/large.bin", headers: ["Authorization: Bearer \(token)"], body: content
            )
            #expect(stored.status == 201)
            let request = "GET /files/large.bin HTTP/1.1\r\nHost: a\r\n\r\n"
            try await server.awaitConnections(0)
            let held = try HeldConnections(
                5, port: server.port, sending: Data(request.utf8), receiveBuffer: 4096)
            try await Wait.until("the responses begin") { held.haveBytes }
            // On a busy machine, this client may be too slow for a while, too.
            try await Wait.until("a client that reads is served") {
                (try? await server.send("/files/large.bin"))?.body == content
            }
            try await server.awaitConnections(0)
            withExtendedLifetime(held) {}
        }
    }
}
