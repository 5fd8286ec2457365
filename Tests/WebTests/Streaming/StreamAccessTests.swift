import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// Access to streams, the limits of their number, and the events that end them.
@Suite(.hangLimit)
struct StreamAccessTests {
    @Test func refusalsAreOrdinaryResponses() async throws {
        try await StreamWorld.run { world in
            let login = world.services.login.tokens
            func token(_ scopes: String) async throws -> String {
                try await login.create(
                    for: world.ada.account.id, scopes: try ScopeSet(parsing: scopes),
                    application: ClientApplication(name: "limited"))
            }
            let (statuses, notifications) = (try await token("read:statuses"), try await token("read:notifications"))
            let foreign = try await world.store.list(of: world.bob.account)
            let cases: [(path: String, token: String?, status: Int)] = [
                ("/user", nil, 401), ("/user", "wrong-wrong-wrong-wrong", 401), ("/user", notifications, 403),
                ("/user/notification", statuses, 403), ("/user/notification", notifications, 200),
                ("/public", "wrong-wrong-wrong-wrong", 401), ("/public", notifications, 403),
                ("/public?access_token=wrong-wrong-wrong-wrong", nil, 401), ("/list", statuses, 400),
                ("/list?list=\(foreign.id)", statuses, 404), ("/list?list=999999999999999999999", statuses, 404),
                ("/direct", nil, 401), ("/hashtag", nil, 400), ("/hashtag?tag=a%20b", nil, 400),
                ("/user?since=x", statuses, 400), ("/public?since=-", nil, 400), ("", nil, 400),
                ("?stream=nowhere", nil, 400), ("?stream=user", nil, 401), ("?stream=public", nil, 200),
                ("?stream=user&access_token=\(statuses)", nil, 200), ("/nowhere", nil, 404),
            ]
            for (path, token, status) in cases {
                let client = try EventStreamClient(port: world.port, path, token: token)
                let response = try await client.opened()
                #expect(response.status == status, "\(path): \(response.text)")
                if status != 200 { #expect(response.text.hasPrefix("{\"error\":\""), "\(path)") }
                client.disconnect()
            }
            try await Wait.until("the end of all streams") { world.streams.count == 0 }
        }
    }

    /// As in Mastodon.
    @Test func notificationsNeedTheirScope() async throws {
        try await StreamWorld.run { world in
            let token = try await world.services.login.tokens.create(
                for: world.ada.account.id, scopes: try ScopeSet(parsing: "read:statuses"),
                application: ClientApplication(name: "limited"))
            let stream = try await world.open("/user", as: (world.ada.account, token))
            let id = try await world.post("hello @ada", by: world.bob)
            let last = try await world.post("last", by: world.bob)
            #expect(try await stream.summary(2) == ["update \(id)", "update \(last)"])
        }
    }

    @Test func loginsThatEndTakeTheirStreamsWithThem() async throws {
        let ends: [(String, @Sendable (StreamWorld) async throws -> Void)] = [
            ("a revoked token", { try await $0.services.login.tokens.revoke($0.ada.token) }),
            ("a new password", { _ = try await $0.store.accounts.setPassword("x", of: $0.ada.account.id) }),
            ("a suspension", { _ = try await $0.store.moderation.perform(.suspend, on: $0.ada.account.id) }),
        ]
        for (name, end) in ends {
            try await StreamWorld.run { world in
                let (ada, bob) = (
                    try await world.open("/user", as: world.ada), try await world.open("/user", as: world.bob)
                )
                let anonymous = try await world.open("/public")
                try await end(world)
                try await ada.closed()
                #expect(ada.events.last?.name == "dropped" && ada.events.last?["reason"] == "unauthorized", "\(name)")
                let id = try await world.post("still here", by: world.bob)
                for stream in [bob, anonymous] { #expect(try await stream.summary(1) == ["update \(id)"], "\(name)") }
                #expect(!ada.text.contains("still here"), "\(name)")
            }
        }
    }

    @Test func numberOfStreamsIsLimited() async throws {
        var limits = Limits()
        limits.streams.perAccount = 2
        limits.streams.perAddress = 3
        try await StreamWorld.run(limits: limits) { world in
            var ada = [try await world.open("/user", as: world.ada), try await world.open("/direct", as: world.ada)]
            let third = try EventStreamClient(port: world.port, "/public", token: world.ada.token)
            let refusal = try await third.opened()
            #expect(refusal.status == 429 && refusal.headers["retry-after"] != nil, "\(refusal.text)")
            let anonymous = try await world.open("/public")
            let fourth = try await EventStreamClient(port: world.port, "/public").opened()
            #expect(fourth.status == 429)
            let elsewhere = try await world.open("/public", from: "127.0.0.9")
            ada.removeLast().disconnect()
            try await Wait.until("a free place") { world.streams.count == 3 }
            _ = try await world.open("/user", as: world.ada)
            #expect(!anonymous.isClosed && !elsewhere.isClosed)
        }
    }

    @Test func shutdownTellsClientsWhenToReturn() async throws {
        try await StreamWorld.run { world in
            let streams = [
                try await world.open("/user", as: world.ada), try await world.open("/public"),
                try await world.open("/public/local"),
            ]
            let id = try await world.post("last words", by: world.bob)
            for stream in streams { #expect(try await stream.summary(1) == ["update \(id)"]) }
            world.streams.shutDown()
            for stream in streams {
                try await stream.closed()
                let last = try #require(stream.events.last)
                #expect(last.name == "shutdown" && last["reason"] == "shutdown" && last.retry ?? 0 >= 1000)
                #expect(stream.text.hasSuffix("\n\n"))
            }
            let late = try await EventStreamClient(port: world.port, "/public").opened()
            #expect(late.status == 503 && late.headers["retry-after"] != nil)
        }
    }

    /// A client that never reads is dropped at the limit of its buffer, and delays nobody.
    @Test func slowReadersAreDropped() async throws {
        try await StreamWorld.run { world in
            let request = "GET /api/v1/streaming/public HTTP/1.1\r\nHost: feed.test\r\n\r\n"
            let stalled = try HeldConnections(1, port: world.port, sending: Data(request.utf8), receiveBuffer: 4096)
            try await Wait.until("the first stream") { world.streams.count == 1 }
            let reading = try await world.open("/public")
            var ids: [String] = []
            let text = String(repeating: "much to read ", count: 38)
            while world.streams.count == 2 {
                // Far less than what the buffers of one connection take.
                for _ in 0..<20 { ids.append(try await world.post(text, by: world.bob)) }
                // However busy the machine is, the other client reads fast enough, and the publisher is not behind.
                _ = try await reading.events(ids.count)
                guard ids.count < 2000 else {
                    Issue.record("nobody was dropped")
                    return
                }
            }
            #expect(try await reading.summary(ids.count) == ids.map { "update \($0)" })
            #expect(!reading.isClosed)
            _ = stalled
        }
    }

    /// The first request on a connection that asks for another protocol is the last one that the decoder reads.
    @Test func refusedUpgradesCloseTheConnection() async throws {
        try await StreamWorld.run { world in
            let upgrade = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
            for (head, status) in [(upgrade, 200), ("CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n", 405)] {
                let connection = try CollectingConnection(port: world.port, sending: Data(head.utf8))
                try await Wait.until("the end") { connection.isClosed }
                let response = try RawHTTP.parse(connection.bytes)
                #expect(response.status == status && response.headers["connection"] == "close", "\(head)")
            }
        }
    }
}
