import FeedTestSupport
import Foundation
import HTTPTypes
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// What a synchronization stores besides timelines: notifications over several pages, and threads.
@Suite(.hangLimit)
struct AccountSyncTests {
    /// A server without a change feed, whose account has notifications with the ids 1 to `count`.
    private final class Server: Sendable {
        struct State {
            var count = 0
            /// The notifications that have been removed.
            var removed: Set<Int> = []
            /// The JSON of the statuses of the home timeline, the newest first.
            var home: [String] = []
            /// The contexts of statuses by their ids; `nil` for a failure.
            var contexts: [String: String?] = [:]
            var requests: [String] = []
        }

        let state = Mutex(State())

        func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

        /// The requests for a path since the last call.
        func requests(_ name: String) -> Int {
            state.withLock { state in
                defer { state.requests = [] }
                return state.requests.count { $0.hasSuffix(name) }
            }
        }

        @Sendable func respond(_ request: Request) -> Response {
            let path = request.uri.path
            let state = state.withLock { state in
                state.requests.append(path)
                return state
            }
            switch path {
            case "/api/v1/timelines/home": return MediaServer.json("[\(state.home.joined(separator: ","))]")
            case "/api/v1/notifications": return notifications(request, state)
            case _ where path.hasSuffix("/context"):
                let context = state.contexts[String(path.dropLast(8).split(separator: "/").last ?? "")]
                guard let context else { return MediaServer.error(.notFound, "Record not found") }
                return context.map { MediaServer.json($0) } ?? MediaServer.error(.serviceUnavailable, "busy")
            default: return MediaServer.error(.notFound, "Record not found")
            }
        }

        private func notifications(_ request: Request, _ state: State) -> Response {
            let query = request.uri.queryParameters
            let before = query["max_id"].flatMap { Int($0) } ?? .max
            let all = (0..<state.count).map { $0 + 1 }.reversed().filter { !state.removed.contains($0) && $0 < before }
            let ids = all.prefix(query["limit"].flatMap { Int($0) } ?? 40)
            var headers = HTTPFields()
            if let link = HTTPField.Name("Link"), all.count > ids.count, let last = ids.last {
                headers[link] = #"<http://127.0.0.1/x?max_id=\#(last)>; rel="next""#
            }
            return MediaServer.json("[\(ids.map(AccountSyncTests.notification).joined(separator: ","))]", .ok, headers)
        }
    }

    private static func notification(_ id: Int) -> String {
        #"{"id":"\#(id)","type":"mention","created_at":"2026-01-01T00:00:00.000Z","status":\#(MediaServer.status("9\(id)"))}"#
    }

    private static func status(_ id: Int, replyTo parent: Int? = nil, replies: Int = 0) -> String {
        let reply = parent.map { #","in_reply_to_id":"\#($0)""# } ?? ""
        return MediaServer.status("\(id)").dropLast() + reply + #","replies_count":\#(replies)}"#
    }

    private static func context(_ ancestors: [String], _ descendants: [String]) -> String {
        #"{"ancestors":[\#(ancestors.joined(separator: ","))],"descendants":[\#(descendants.joined(separator: ","))]}"#
    }

    /// Synchronizes with a server, and reads what is stored.
    private final class Reader: Sendable {
        let fixture: StoreFixture
        private let address: ServerAddress
        private let time = Mutex<Int64>(1_700_000_000_000)

        init(port: Int) throws {
            fixture = try StoreFixture()
            address = try ServerAddress("http://127.0.0.1:\(port)")
        }

        func pass(milliseconds: Int64) { time.withLock { $0 += milliseconds } }

        func use<Value>(_ policy: CachePolicy, _ body: (FeedClient) async throws -> Value) async throws -> Value {
            let cache = ResponseCache(
                folder: fixture.folder.path, owner: StoreFixture.owner, now: { self.time.withLock { $0 } })
            let client = FeedClient(server: address, credential: .token("t"), cache: cache, policy: policy)
            let result: Result<Value, any Error>
            do { result = .success(try await body(client)) } catch { result = .failure(error) }
            await client.shutdown()
            return try result.get()
        }

        func synchronize() async throws -> SyncSummary {
            pass(milliseconds: 1000)
            return try await use(.useProtocol) { client in
                try await OfflineSync(try fixture.open(), with: client, now: { self.time.withLock { $0 } })
                    .syncAccount()
            }
        }

        /// The ids of the notifications that can be read without a network.
        func notifications(count: Int = 1000, isGrouped: Bool = false) async throws -> [Int] {
            try await use(.cacheOnly) { client in
                try await client.notifications(count: count, isGrouped: isGrouped).compactMap { Int($0.id) }
            }
        }
    }

    private static func reading(_ server: Server, _ test: @Sendable (Reader) async throws -> Void) async throws {
        try await LocalServer.serving(server.respond) { port in try await test(try Reader(port: port)) }
    }

    // MARK: Lists

    @Test func pagesAreReadDownToWhatIsStored() async throws {
        let server = Server()
        try await Self.reading(server) { reader in
            server.change { $0.count = 130 }
            #expect(try await reader.synchronize().notifications == 130)
            #expect(server.requests("/notifications") == 4)
            let kept1 = try await reader.notifications()
            #expect(kept1 == (1...130).reversed())
            server.change { $0.count = 230 }
            #expect(try await reader.synchronize().notifications == 100)
            #expect(server.requests("/notifications") == 3)
            let kept2 = try await reader.notifications()
            #expect(kept2 == (1...230).reversed())
            let kept3 = try await reader.notifications(count: 7, isGrouped: true)
            #expect(kept3 == (224...230).reversed())
            #expect(try await reader.synchronize().notifications == 0)
            #expect(server.requests("/notifications") == 1)
        }
    }

    /// Nothing is missing in the middle of what is stored: where the pages do not reach the rest, the rest is dropped.
    @Test func listHasNoGap() async throws {
        let server = Server()
        try await Self.reading(server) { reader in
            server.change { $0.count = 50 }
            _ = try await reader.synchronize()
            server.change { $0.count = 1000 }
            #expect(try await reader.synchronize().notifications == 400)
            let kept4 = try await reader.notifications()
            #expect(kept4 == (601...1000).reversed())
        }
    }

    @Test func removedNotificationsAreForgotten() async throws {
        let server = Server()
        try await Self.reading(server) { reader in
            server.change { $0.count = 60 }
            _ = try await reader.synchronize()
            server.change { state in
                state.count = 61
                state.removed = [55]
            }
            #expect(try await reader.synchronize().notifications == 1)
            let rest = try await reader.notifications()
            #expect(rest == (1...61).reversed().filter { $0 != 55 })
            server.change { $0.removed = Set(1...61) }
            #expect(try await reader.synchronize().notifications == 0)
            let kept5 = try await reader.notifications()
            #expect(kept5 == [])
        }
    }

    /// What was read after the synchronization is newer.
    @Test func lastReadPageIsShownIfItIsNewer() async throws {
        let server = Server()
        try await Self.reading(server) { reader in
            server.change { $0.count = 3 }
            _ = try await reader.synchronize()
            server.change { $0.count = 5 }
            reader.pass(milliseconds: 1000)
            let read = try await reader.use(.useProtocol) { try await $0.notifications(count: 2, isGrouped: false) }
            #expect(read.map(\.id) == ["5", "4"])
            let kept6 = try await reader.notifications(count: 2)
            #expect(kept6 == [5, 4])
        }
    }

    @Test func reactionsToAStatusFormAGroup() throws {
        func entry(_ id: Int, _ type: String, by account: String, to status: String? = nil) throws -> NotificationEntry
        {
            let person = #"{"id":"\#(account)","username":"\#(account)","acct":"\#(account)","display_name":""}"#
            let about = status.map { #","status":\#(MediaServer.status($0))"# } ?? ""
            let json = #"{"id":"\#(id)","type":"\#(type)","created_at":"","account":\#(person)\#(about)}"#
            let value = try JSONDecoder().decode(Entity.Notification.self, from: Data(json.utf8))
            return NotificationEntry(value, json: Array(json.utf8))
        }
        let groups = NotificationEntry.grouped([
            try entry(9, "favourite", by: "ada", to: "1"), try entry(8, "mention", by: "bob", to: "1"),
            try entry(7, "favourite", by: "bob", to: "1"), try entry(6, "favourite", by: "bob", to: "2"),
            try entry(5, "favourite", by: "ada", to: "1"), try entry(4, "follow", by: "cleo"),
            try entry(3, "follow", by: "dora"), try entry(2, "mention", by: "bob", to: "1"),
        ])
        #expect(groups.map(\.id) == ["9", "8", "6", "4", "2"])
        #expect(groups.map(\.count) == [3, 1, 1, 2, 1])
        #expect(groups[0].accounts.map(\.acct) == ["ada", "bob"] && groups[0].json == nil && groups[1].json != nil)
    }

    // MARK: Threads

    @Test func threadsAreStored() async throws {
        let server = Server()
        try await Self.reading(server) { reader in
            server.change { state in
                state.home = [Self.status(30, replyTo: 7, replies: 1), Self.status(29)]
                state.contexts["30"] = Self.context(
                    [Self.status(7, replies: 1)], [Self.status(31, replyTo: 30), Self.status(32, replyTo: 31)])
            }
            _ = try await reader.synchronize()
            #expect(server.requests("/context") == 1)
            let stored = try await reader.fixture.open().thread(of: "30")
            let thread = try #require(stored)
            #expect(thread.items.map(\.entry.status.id) == ["7", "30", "31", "32"])
            #expect(!thread.lacksStart && thread.missingReplies == 0)
            server.change { $0.home.insert(Self.status(33), at: 0) }
            _ = try await reader.synchronize()
            #expect(server.requests("/context") == 0)
        }
    }

    /// A status may count replies that nobody may see, and reply to one that was deleted.
    @Test func whatIsMissingIsAskedForOnceAnHour() async throws {
        let server = Server()
        try await Self.reading(server) { reader in
            server.change { state in
                state.home = [Self.status(30, replyTo: 7, replies: 3)]
                state.contexts["30"] = Self.context([], [Self.status(31, replyTo: 30)])
            }
            _ = try await reader.synchronize()
            let stored = try await reader.fixture.open().thread(of: "30")
            let thread = try #require(stored)
            #expect(thread.lacksStart && thread.missingReplies == 2)
            server.change { $0.home.insert(Self.status(33), at: 0) }
            _ = server.requests("/context")
            _ = try await reader.synchronize()
            #expect(server.requests("/context") == 0)
            reader.pass(milliseconds: 3_600_000)
            server.change { $0.home.insert(Self.status(34), at: 0) }
            _ = try await reader.synchronize()
            #expect(server.requests("/context") == 1)
        }
    }

    @Test func failedThreadsAreFetchedTheNextTime() async throws {
        let server = Server()
        try await Self.reading(server) { reader in
            server.change { state in
                state.home = [Self.status(30, replies: 1)]
                state.contexts["30"] = .some(nil)
            }
            let error = await #expect(throws: FeedClientError.self) { try await reader.synchronize() }
            #expect(error?.code == .tryLater)
            server.change { $0.contexts["30"] = Self.context([], [Self.status(31, replyTo: 30)]) }
            _ = try await reader.synchronize()
            let thread = try await reader.fixture.open().thread(of: "30")
            #expect(thread?.items.count == 2)
        }
    }

    /// The status of a mention need not be in any timeline.
    @Test func mentionsCanBeShown() async throws {
        let server = Server()
        try await Self.reading(server) { reader in
            server.change { $0.count = 1 }
            _ = try await reader.synchronize()
            let stored = try await reader.fixture.open().status("91")
            #expect(stored?.status.id == "91")
        }
    }
}
