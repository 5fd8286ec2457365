import AsyncHTTPClient
import FeedTestSupport
import Foundation
import NIOCore
import NIOHTTP1
import NIOWebSocket
import TestKit
import Testing

@testable import FeedClientKit

/// Streams of servers that offer only WebSockets.
@Suite(.hangLimit)
struct WebSocketTests {
    private static func message(_ event: String, _ payload: String, id: String? = nil) -> String {
        let payload = payload.replacingOccurrences(of: "\"", with: "\\\"")
        let position = id.map { ",\"id\":\"\($0)\"" } ?? ""
        return "{\"stream\":[\"hashtag\"],\"event\":\"\(event)\",\"payload\":\"\(payload)\"\(position)}"
    }

    private static func text(_ event: String, _ payload: String, id: String? = nil) -> [UInt8] {
        WebSocketServer.frame(.text, message(event, payload, id: id))
    }

    /// The content of an event in short.
    private static func name(_ event: StreamEvent) -> String {
        switch event.content {
        case .resync: "resync"
        case .update(let entry): "update " + entry.status.id
        case .statusUpdate(let entry): "edit " + entry.status.id
        case .delete(let id): "delete " + id
        case .notification(let entry): "notification " + entry.id
        case .conversation: "conversation"
        case .filtersChanged: "filters"
        case .other(let type, _): "other " + type
        }
    }

    /// The first events of a stream.
    /// - Parameter last: The name of the last event, if it is not a matter of their number.
    private static func events(
        _ count: Int = .max, until last: String? = nil, port: Int, silence: TimeAmount = .seconds(Int64(Wait.seconds)),
        credential: Credential? = nil,
        _ received: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> [String] {
        var client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"), credential: credential)
        await client.streams.shutdown()
        client.streams = Transport(for: .streams(silence: silence))
        var names: [String] = []
        do {
            for try await event in client.events(of: .hashtag("swift ö")) {
                names.append(name(event))
                received(names.count)
                if names.count == count || names.last == last { break }
            }
        } catch {
            await client.shutdown()
            throw error
        }
        await client.shutdown()
        return names
    }

    @Test func eventsArriveOverAWebSocket() async throws {
        let update = Self.text("update", MediaServer.status("7"))
        let script =
            update + Self.text("status.update", MediaServer.status("8")) + Self.text("delete", "9")
            + WebSocketServer.frame(.text, #"{"event":"filters_changed"}"#)
            + WebSocketServer.frame(.text, "not JSON") + WebSocketServer.frame(.binary, "nothing")
            + Self.text("announcement", "{}")
        try await WebSocketServer.serving([script]) { server, port in
            let names = try await Self.events(6, port: port, credential: .token("secret"))
            #expect(names == ["resync", "update 7", "edit 8", "delete 9", "filters", "other announcement"])
            let request = try #require(server.requests.first)
            #expect(request.uri == "/api/v1/streaming?stream=hashtag&tag=swift%20%C3%B6")
            #expect(request.headers["Authorization"] == ["Bearer secret"])
            #expect(request.headers["Host"] == ["127.0.0.1:\(port)"])
        }
    }

    @Test func fragmentsAreJoined() async throws {
        let text = Self.message("delete", "12345")
        let script =
            WebSocketServer.frame(.text, String(text.prefix(9)), isFinal: false)
            + WebSocketServer.frame(.ping, "between")
            + WebSocketServer.frame(.continuation, String(text.dropFirst(9)))
        try await WebSocketServer.serving([script]) { _, port in
            let names = try await Self.events(2, port: port)
            #expect(names == ["resync", "delete 12345"])
        }
    }

    @Test func pingIsAnsweredWithAMask() async throws {
        let script = WebSocketServer.frame(.ping, "hello") + Self.text("delete", "1")
        try await WebSocketServer.serving([script]) { server, port in
            let names = try await Self.events(2, port: port)
            #expect(names == ["resync", "delete 1"])
            try await Wait.until("the pong has arrived") { server.frames.contains { $0.opcode == .pong } }
            let pong = try #require(server.frames.first { $0.opcode == .pong })
            #expect(pong.maskKey != nil && String(buffer: pong.unmaskedData) == "hello")
        }
    }

    @Test func lostConnectionIsResumed() async throws {
        let first = Self.text("delete", "1", id: "e-1") + WebSocketServer.frame(.connectionClose, "")
        try await WebSocketServer.serving([first, Self.text("delete", "2", id: "e-2")]) { server, port in
            let names = try await Self.events(3, port: port)
            #expect(names == ["resync", "delete 1", "delete 2"])
            #expect(server.requests.last?.uri.contains("since=e-1") == true)
        }
    }

    /// A server without positions cannot resume.
    @Test func pageIsReadAgainWithoutPositions() async throws {
        try await WebSocketServer.serving([Self.text("delete", "1"), Self.text("delete", "2")]) { server, port in
            let names = try await Self.events(4, port: port) { if $0 == 2 { server.closeAll() } }
            #expect(names == ["resync", "delete 1", "resync", "delete 2"])
        }
    }

    /// On a busy machine, later connections may seem silent as well before their first message arrives, so the server sends
    /// it on each of them.
    @Test func silentServerIsLeft() async throws {
        let scripts: [[UInt8]] = [[]] + Array(repeating: Self.text("delete", "2"), count: 1000)
        try await WebSocketServer.serving(scripts) { _, port in
            let names = try await Self.events(until: "delete 2", port: port, silence: .seconds(1))
            #expect(names.count > 2 && names.dropLast().allSatisfy { $0 == "resync" }, "\(names)")
        }
    }

    /// Frames that claim too much, lone continuations, reserved opcodes, and fragments without end.
    @Test(arguments: [
        [0x81, 127, 0, 0, 0, 0, 0x40, 0, 0, 0], [0x80, 1, 65], [0x83, 0], [0x81, 127, 0xFF, 0xFF],
        [UInt8](repeating: 1, count: 1) + [1, 65] + Array(repeatElement([UInt8(0), 1, 65], count: 2000).joined()),
    ])
    func violationEndsTheConnection(bytes: [UInt8]) async throws {
        var script = bytes
        // An incomplete length is no violation before the connection ends.
        if bytes.count == 4 { script += [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] }
        try await WebSocketServer.serving([script, Self.text("delete", "2")]) { _, port in
            let names = try await Self.events(3, port: port)
            #expect(names == ["resync", "resync", "delete 2"])
        }
    }

    // MARK: Proxies

    private static func options(_ proxy: String) throws -> ConnectionOptions {
        var options = ConnectionOptions()
        options.proxy = try ProxySettings(proxy)
        return options
    }

    /// Only the proxy has to know the name of the server.
    @Test(arguments: ["http://ada:secret@127.0.0.1", "socks5://127.0.0.1"])
    func webSocketLeadsThroughTheProxy(address: String) async throws {
        try await WebSocketServer.serving([Self.text("delete", "1")]) { server, port in
            try await TunnelProxy.serving(to: port) { proxy in
                let client = FeedClient(
                    server: try ServerAddress("http://feed.invalid"), credential: .token("secret"),
                    options: try Self.options("\(address):\(proxy.port)"))
                var names: [String] = []
                for try await event in client.events(of: .hashtag("swift")) {
                    names.append(Self.name(event))
                    if names.count == 2 { break }
                }
                await client.shutdown()
                #expect(names == ["resync", "delete 1"])
                #expect(!proxy.targets.isEmpty && proxy.targets.allSatisfy { $0 == "feed.invalid:80" })
                let isHTTP = address.hasPrefix("http")
                #expect(
                    proxy.heads.last?.contains("Proxy-Authorization: Basic YWRhOnNlY3JldA==\r\n") ?? false == isHTTP)
                #expect(server.requests.last?.headers["Host"] == ["feed.invalid"])
            }
        }
    }

    @Test(arguments: ["http://127.0.0.1", "socks5://127.0.0.1"])
    func refusalOfTheProxyIsReported(address: String) async throws {
        try await TunnelProxy.serving(to: nil) { proxy in
            let transport = Transport(options: try Self.options("\(address):\(proxy.port)"))
            let error = await #expect(throws: FeedClientError.self) {
                _ = try await WebSocketConnector(transport: transport).connect(
                    HTTPClientRequest(url: "http://feed.invalid/api/v1/streaming"))
            }
            await transport.shutdown()
            #expect(error?.code == .network && error?.message == "The proxy does not connect to feed.invalid")
            #expect(proxy.targets == ["feed.invalid:80"])
        }
    }

    /// The end of a task does not wait for the next message.
    @Test func cancelledReaderEnds() async throws {
        try await WebSocketServer.serving([[]]) { _, port in
            let (opened, opens) = AsyncStream.makeStream(of: Void.self)
            let task = Task { try await Self.events(2, port: port) { _ in opens.yield() } }
            for await _ in opened { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }
    }
}
