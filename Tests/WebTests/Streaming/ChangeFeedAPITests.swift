import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import TestKit
import Testing

@Suite("GET /api/v1/changes", .hangLimit) struct ChangeFeedAPITests {
    private static let path = "/api/v1/changes"

    private static func position(_ page: JSONValue) throws -> String { try #require(page["position"]?.text) }

    private static func events(_ page: JSONValue?) -> [String] {
        page?["changes"]?.list?.compactMap { $0["event"]?.text } ?? []
    }

    @Test func firstRequestReturnsThePresentPosition() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            _ = try await api.post("before", by: ada)
            // There is nothing to wait for.
            let page = try await api.must(.get, Self.path + "?wait=30", as: ada)
            let log = api.test.store.database.log
            #expect(try Self.position(page) == "\(log.epoch)-\(log.sequence)")
            #expect(page["changes"]?.list == [] && page["more"]?.flag == false)
        }
    }

    @Test func changesHaveTheirStatusAsTheCallerSeesIt() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let start = try Self.position(try await api.must(.get, Self.path, as: bob))
            let id = try await api.post("hello", by: ada)
            try await api.must(.post, "/api/v1/statuses/\(id)/favourite", as: bob)
            let secret = try await api.post("secret", by: ada, "private")
            try await api.must(.delete, "/api/v1/statuses/\(secret)", as: ada)
            let page = try await api.must(.get, Self.path + "?since=" + start, as: bob)
            let change = try #require(page["changes"]?[0])
            #expect(Self.events(page) == ["update"] && change["id"]?.text == id)
            #expect(
                change["status"]?["content"]?.text == "<p>hello</p>" && change["status"]?["favourited"]?.flag == true)
            guard case .object(let members) = change else { return }
            #expect(Set(members.keys) == ["position", "event", "id", "at", "status"])
            let end = try Self.position(page)
            #expect(Self.events(try await api.must(.get, Self.path + "?since=" + end, as: bob)) == [])
            // A bare number belongs to the current epoch.
            let number = try #require(start.split(separator: "-").last)
            #expect(Self.events(try await api.must(.get, Self.path + "?since=\(number)", as: bob)) == ["update"])
            let own = try await api.must(.get, Self.path + "?since=" + start, as: ada)
            #expect(Self.events(own) == ["update", "notification", "delete"])
        }
    }

    /// For clients that read timelines anyway. Edits keep their status.
    @Test func newStatusesCanBeLeftOut() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let start = try Self.position(try await api.must(.get, Self.path, as: bob))
            let id = try await api.post("hello", by: ada)
            _ = try await api.must(.put, "/api/v1/statuses/\(id)", as: ada, .form("status=goodbye"))
            let page = try await api.must(.get, Self.path + "?without=update&since=" + start, as: bob)
            #expect(Self.events(page) == ["update", "status.update"])
            #expect(page["changes"]?[0]?["id"]?.text == id && page["changes"]?[0]?["status"] == .null)
            #expect(page["changes"]?[1]?["status"]?["content"]?.text == "<p>goodbye</p>")
        }
    }

    @Test func pagesAreLimited() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let start = try Self.position(try await api.must(.get, Self.path, as: ada))
            for number in 0..<45 { _ = try await api.post("post \(number)", by: ada) }
            for (limit, count) in [("", 40), ("&limit=x", 40), ("&limit=3", 3), ("&limit=0", 1), ("&limit=999", 45)] {
                let page = try await api.must(.get, Self.path + "?since=\(start)" + limit, as: ada)
                #expect(page["changes"]?.list?.count == count, "\(limit)")
                #expect(page["more"]?.flag == (count < 45), "\(limit)")
                #expect(page["changes"]?.list?.last?["position"] == page["position"], "\(limit)")
            }
        }
    }

    @Test func positionThatCannotBeReplayedGetsAResync() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            _ = try await api.post("hello", by: ada)
            let log = api.test.store.database.log
            for since in ["999999", "99999999999999999999", "other-1", "\(log.epoch)x-1", "\(log.epoch)-999999"] {
                let page = try await api.must(.get, Self.path + "?wait=30&since=" + since, as: ada)
                let change = try #require(page["changes"]?[0])
                #expect(Self.events(page) == ["resync"] && change["id"] == .null && change["status"] == .null)
                #expect(try Self.position(page) == "\(log.epoch)-\(log.sequence)" && page["more"]?.flag == false)
            }
        }
    }

    @Test func narrowScopeIsNotEnough() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for scopes in ["read:statuses read:notifications", "write", "follow"] {
                let limited = try await api.limited(ada, scopes: scopes)
                #expect(try await api.send(.get, Self.path, as: limited).status == 403, "\(scopes)")
            }
        }
    }
}

@Suite("Waiting for changes", .hangLimit) struct ChangeFeedWaitTests {
    /// Sends a request that waits, and calls `act` once it does.
    private static func wait(
        _ api: WebAPI, as viewer: Member, _ act: @Sendable () async throws -> Void
    ) async throws -> WebResponse {
        let path = "/api/v1/changes"
        let start = try #require(try await api.must(.get, path, as: viewer)["position"]?.text)
        async let response = api.send(.get, path + "?wait=30&since=" + start, as: viewer)
        try await Wait.until("the request waits") { api.test.store.database.log.waiting > 0 }
        try await act()
        return try await response
    }

    @Test func waitEndsWithTheFirstVisibleChange() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let response = try await Self.wait(api, as: bob) {
                _ = try await api.post("secret", by: ada, "direct")
                _ = try await api.post("hello", by: ada)
            }
            var page = response.json
            // On a busy machine, the wait may have ended before the post.
            while page?["changes"]?.list?.isEmpty == true, let position = page?["position"]?.text {
                page = try await api.must(.get, "/api/v1/changes?wait=30&since=" + position, as: bob)
            }
            #expect(page?["changes"]?.list?.map { $0["status"]?["content"]?.text } == ["<p>hello</p>"])
            #expect(api.test.store.database.log.waiting == 0)
        }
    }

    @Test func waitingRequestsDoNotDelayOthers() async throws {
        try await WebAPI.run { api in
            let bob = try await api.person("bob")
            let start = try #require(try await api.must(.get, "/api/v1/changes", as: bob)["position"]?.text)
            let path = "/api/v1/changes?wait=30&since=" + start
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await api.must(.get, path, as: bob) } }
                try await Wait.until("the requests wait") { api.test.store.database.log.waiting == 8 }
                try await api.must(.get, "/api/v1/timelines/home", as: bob)
                // Eight is the limit of an account.
                let refused = try await api.send(.get, path, as: bob)
                #expect(refused.status == 503 && refused.headers[.retryAfter] != nil)
                _ = try await api.post("hello", by: bob)
            }
        }
    }

    @Test func revokedTokenEndsTheWait() async throws {
        try await WebAPI.run { api in
            let bob = try await api.person("bob")
            let response = try await Self.wait(api, as: bob) {
                try await api.test.services.login.tokens.revoke(bob.token)
            }
            #expect(response.status == 401)
        }
    }

    @Test func suspensionEndsTheWait() async throws {
        try await WebAPI.run { api in
            let bob = try await api.person("bob")
            let response = try await Self.wait(api, as: bob) {
                _ = try await api.test.store.moderation.perform(.suspend, on: try #require(Int64(bob.id)))
            }
            #expect(response.status == 403)
        }
    }

    @Test func shutdownEndsTheWaitWithAnEmptyPage() async throws {
        try await WebAPI.run { api in
            let bob = try await api.person("bob")
            let log = api.test.store.database.log
            let response = try await Self.wait(api, as: bob) { log.endWaiting() }
            #expect(response.status == 200 && response.json?["changes"]?.list == [])
            #expect(response.json?["position"]?.text == "\(log.epoch)-\(log.sequence)")
        }
    }

    /// A timer of the connection's event loop.
    @Test func waitEndsAfterItsTime() async throws {
        let test = try TestServices()
        let (_, token) = try await test.account("ada")
        try await LiveServer.run(ConnectionLimits(), test, test.services) { server in
            let sequence = test.store.database.log.sequence
            let response = try await RawHTTP.send(
                port: server.port, "GET", "/api/v1/changes?wait=1&since=\(sequence)",
                headers: ["Authorization: Bearer " + token])
            #expect(response.status == 200 && response.text.contains(#""changes":[]"#))
        }
    }

    /// Another client, whose wait began earlier and would therefore end earlier, still waits.
    @Test func clientThatLeavesEndsItsWait() async throws {
        let test = try TestServices()
        let (ada, token) = try await test.account("ada")
        try await LiveServer.run(ConnectionLimits(), test, test.services) { server in
            let log = test.store.database.log
            let head = [
                "GET /api/v1/changes?wait=30&since=\(log.sequence) HTTP/1.1", "Host: a",
                "Authorization: Bearer " + token, "", "",
            ]
            let request = Data(head.joined(separator: "\r\n").utf8)
            // The publisher always waits.
            try await Wait.until("the publisher waits") { log.waiting == 1 }
            let staying = try CollectingConnection(port: server.port, sending: request)
            try await Wait.until("one request waits") { log.waiting == 2 }
            let leaving = try CollectingConnection(port: server.port, sending: request)
            try await Wait.until("both requests wait") { log.waiting == 3 }
            leaving.disconnect()
            try await Wait.until("one wait ends") { log.waiting < 3 }
            try await test.store.post("hello", by: ada)
            try await Wait.until("a response") { !staying.bytes.isEmpty }
            try await Wait.until("the end of the response") { staying.bytes.suffix(1) == Data("}".utf8) }
            #expect(String(decoding: staying.bytes, as: UTF8.self).contains("<p>hello</p>"))
            try await Wait.until("only the publisher waits") { log.waiting == 1 }
        }
    }
}
