import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// Streams over WebSocket, over real sockets.
@Suite(.hangLimit)
struct WebSocketTests {
    private static func open(
        _ world: StreamWorld, _ query: String = "", headers: [String] = []
    ) async throws -> WebSocketConnection {
        let socket = try WebSocketConnection(port: world.port, query, headers: headers)
        let response = try await socket.opened()
        try #require(response.status == 101, "\(response.status) \(response.text)")
        #expect(response.headers["sec-websocket-accept"] == WebSocketConnection.accept)
        #expect(response.headers["upgrade"] == "websocket" && response.headers["transfer-encoding"] == nil)
        #expect(response.headers["sec-websocket-extensions"] == nil && response.headers["x-request-id"] != nil)
        return socket
    }

    private static func subscribe(_ stream: String, _ more: String = "") -> String {
        "{\"type\":\"subscribe\",\"stream\":\"\(stream)\"\(more)}"
    }

    /// The stream, the event and the id of each message.
    private static func summary(_ messages: [WebSocketConnection.Frame]) -> [String] {
        messages.map { message in
            let payload = message["payload"] as? String ?? ""
            let object = (try? JSONSerialization.jsonObject(with: Data(payload.utf8))) as? [String: Any]
            let stream = (message["stream"] as? [String] ?? []).joined(separator: ",")
            return "\(stream) \(message["event"] ?? "") \(object?["id"] ?? payload)"
        }
    }

    @Test func severalStreamsShareASocket() async throws {
        try await StreamWorld.run { world in
            let socket = try await Self.open(world, "?stream=user&access_token=\(world.ada.token)")
            let one = try await world.post("one", by: world.bob)
            #expect(Self.summary(try await socket.messages(1)) == ["user update \(one)"])
            socket.say(Self.subscribe("public"))
            socket.say(Self.subscribe("hashtag", ",\"tag\":\"Bikes\""))
            // Subscriptions are complete once a later message has been answered.
            socket.say("?")
            let refusal = try await socket.messages(2)[1]
            #expect(refusal["error"] as? String != nil && refusal["status"] as? Int == 400)
            try await Wait.until("the subscriptions") { world.streams.subscriptionCount == 3 }
            let two = try await world.post("#bikes", by: world.bob)
            let three = Self.summary(try await socket.messages(5).suffix(3))
            #expect(Set(three) == ["user update \(two)", "public update \(two)", "hashtag,Bikes update \(two)"])
            #expect(socket.messages.suffix(3).allSatisfy { $0["id"] as? String == world.position })
            socket.say("{\"type\":\"unsubscribe\",\"stream\":\"user\"}")
            socket.say("{\"type\":\"unsubscribe\",\"stream\":\"hashtag\",\"tag\":\"bikes\"}")
            try await Wait.until("the end of two subscriptions") { world.streams.subscriptionCount == 1 }
            let last = try await world.post("last", by: world.bob)
            #expect(Self.summary(try await socket.messages(6).suffix(1)) == ["public update \(last)"])
        }
    }

    @Test func missedEventsAreSentBeforeLiveOnes() async throws {
        try await StreamWorld.run { world in
            let start = world.position
            let one = try await world.post("one", by: world.bob)
            let two = try await world.post("two", by: world.bob)
            let socket = try await Self.open(world, "?stream=user&since=\(start)&access_token=\(world.ada.token)")
            let wanted = ["user update \(one)", "user update \(two)"]
            #expect(Self.summary(try await socket.messages(2)) == wanted)
            socket.say(Self.subscribe("public", ",\"since\":\"\(start)\""))
            let more = wanted.map { $0.replacing("user", with: "public") }
            #expect(Self.summary(try await socket.messages(4)) == wanted + more)
            socket.say(Self.subscribe("public:local", ",\"since\":\"other-1\""))
            #expect(Self.summary(try await socket.messages(5).suffix(1)) == ["public:local resync {}"])
        }
    }

    /// Browsers cannot set headers, and a token in the query would appear in logs.
    @Test func tokenIsTheSubprotocol() async throws {
        try await StreamWorld.run { world in
            let socket = try await Self.open(
                world, "?stream=user", headers: ["Sec-WebSocket-Protocol: \(world.ada.token)"])
            #expect(try await socket.opened().headers["sec-websocket-protocol"] == world.ada.token)
            let id = try await world.post("one", by: world.bob)
            #expect(Self.summary(try await socket.messages(1)) == ["user update \(id)"])
            let header = try await Self.open(
                world, "?stream=user", headers: ["Authorization: Bearer \(world.ada.token)"])
            #expect(try await header.opened().headers["sec-websocket-protocol"] == nil)
        }
    }

    @Test func handshakesAreRefusedWithOrdinaryResponses() async throws {
        try await StreamWorld.run { world in
            for (query, status) in [
                ("?stream=user", 401), ("?access_token=wrong-wrong-wrong-wrong", 401), ("?stream=nowhere", 400),
                ("?stream=public&since=x", 400), ("?stream=list&list=7&access_token=\(world.ada.token)", 404),
            ] {
                let socket = try WebSocketConnection(port: world.port, query)
                let response = try await socket.opened()
                #expect(response.status == status && response.headers["upgrade"] == nil, "\(query)")
                // The decoder reads no further request.
                try await Wait.until("the end of the connection") { socket.isClosed }
            }
            let old = try await WebSocketConnection(port: world.port, "?stream=public", version: "8").opened()
            #expect(old.status == 426 && old.headers["sec-websocket-version"] == "13")
            #expect(world.streams.count == 0)
        }
    }

    @Test func violationsCloseTheSocket() async throws {
        let cases: [(name: String, code: Int, send: @Sendable (WebSocketConnection) -> Void)] = [
            ("an unmasked frame", 1002, { $0.send(0x81, Data("{}".utf8), isMasked: false) }),
            ("a frame that claims 1 GB", 1009, { $0.send(0x81, Data("{".utf8), claiming: 1 << 30) }),
            ("a frame that claims 2^63 bytes", 1009, { $0.send(0x82, Data(), claiming: 1 << 63) }),
            ("a frame of 64 KiB and a byte", 1009, { $0.send(0x81, Data(count: 65_537)) }),
            ("a binary message", 1003, { $0.send(0x82, Data([1])) }),
            ("invalid UTF-8", 1007, { $0.send(0x81, Data([0xFF])) }),
            (
                "invalid UTF-8 in fragments", 1007,
                {
                    $0.send(0x01, Data([0xC3]))
                    $0.send(0x80, Data([0x28]))
                }
            ),
            ("a continuation of nothing", 1002, { $0.send(0x80, Data()) }),
            (
                "a message inside another", 1002,
                {
                    $0.send(0x01, Data("a".utf8))
                    $0.send(0x81, Data("b".utf8))
                }
            ),
            (
                "fragments without end", 1009,
                { socket in
                    socket.send(0x01, Data(count: 60_000))
                    for _ in 0..<10 { socket.send(0x00, Data(count: 1000)) }
                }
            ),
            ("a fragmented ping", 1002, { $0.send(0x09, Data()) }),
            ("a ping of 126 bytes", 1002, { $0.send(0x89, Data(count: 126)) }),
            ("a reserved bit", 1002, { $0.send(0xC1, Data("{}".utf8)) }),
            ("an unknown opcode", 1002, { $0.send(0x83, Data()) }),
        ]
        try await StreamWorld.run { world in
            for (name, code, send) in cases {
                let socket = try await Self.open(world, "?stream=public")
                send(socket)
                #expect(try await socket.closeCode() == code, "\(name)")
                try await Wait.until("the end after \(name)") { world.streams.count == 0 }
                socket.disconnect()
            }
        }
    }

    @Test func closeAndPingAreAnswered() async throws {
        try await StreamWorld.run { world in
            let socket = try await Self.open(world)
            socket.send(0x89, Data("are you there".utf8))
            try await Wait.until("a pong") {
                socket.frames.contains { $0.opcode == 10 && $0.text == "are you there" }
            }
            socket.send(0x88, Data([0x03, 0xE9]))
            #expect(try await socket.closeCode() == 1001)
            try await Wait.until("the end") { world.streams.count == 0 }
        }
    }

    @Test func clientsThatDoNotAnswerPingsAreClosed() async throws {
        try await StreamWorld.run(heartbeat: 100) { world in
            let silent = try await Self.open(world, "?stream=public")
            try await Wait.until("pings and then the end") {
                silent.isClosed && silent.frames.contains { $0.opcode == 9 }
            }
            // The client may notice the end before the server has.
            try await Wait.until("the end of the stream") { world.streams.count == 0 }
        }
    }

    @Test func thousandSubscriptionsAreTooMany() async throws {
        try await StreamWorld.run { world in
            let socket = try await Self.open(world)
            for number in 0..<1000 { socket.say(Self.subscribe("hashtag", ",\"tag\":\"tag\(number)\"")) }
            let refused = try await socket.messages(1000 - StreamLimits.subscriptions)
            #expect(
                refused.allSatisfy { $0["status"] as? Int == 429 } && refused.count == 1000 - StreamLimits.subscriptions
            )
            #expect(world.streams.subscriptionCount == StreamLimits.subscriptions)
            // Open streams keep working, and a place that becomes free can be used.
            let id = try await world.post("#tag7", by: world.bob)
            #expect(
                Self.summary(try await socket.messages(refused.count + 1).suffix(1)) == ["hashtag,tag7 update \(id)"])
            socket.say("{\"type\":\"unsubscribe\",\"stream\":\"hashtag\",\"tag\":\"tag0\"}")
            socket.say(Self.subscribe("public"))
            try await Wait.until("the new subscription") { world.streams.subscribes(to: .public) }
        }
    }

    @Test func refusedSubscriptionsHaveTheirStatus() async throws {
        try await StreamWorld.run { world in
            let socket = try await Self.open(world)
            for (message, status) in [
                (Self.subscribe("user"), 401), (Self.subscribe("nowhere"), 400), (Self.subscribe("hashtag"), 400),
                ("not JSON", 400), (Self.subscribe("user", ",\"since\":\"x\""), 400),
            ] {
                let count = socket.messages.count
                socket.say(message)
                #expect(try await socket.messages(count + 1).last?["status"] as? Int == status, "\(message)")
            }
            #expect(world.streams.subscriptionCount == 0 && world.streams.count == 1)
        }
    }

    @Test func endsHaveTheirReason() async throws {
        try await StreamWorld.run { world in
            let (ada, bob) = (
                try await Self.open(world, "?stream=user&access_token=\(world.ada.token)"),
                try await Self.open(world, "?stream=public")
            )
            try await world.services.login.tokens.revoke(world.ada.token)
            #expect(try await ada.closeCode() == 1008)
            world.streams.shutDown()
            #expect(try await bob.closeCode() == 1012)
            #expect(bob.messages.last?["event"] as? String == "shutdown")
        }
    }
}
