import FeedAPI
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Notifications of servers with and without groups.
@Suite(.hangLimit)
struct NotificationsTests {
    private static let account = #"{"id":"2","username":"ada","acct":"ada","display_name":"Ada"}"#

    private static func single(_ id: Int) -> String {
        #"{"id":"\#(id)","type":"follow","created_at":"2023-11-14T22:13:20.000Z","account":\#(account)}"#
    }

    private static func group(_ id: Int) -> String {
        """
        {"group_key":"favourite-7-\(id)","notifications_count":12,"type":"favourite","most_recent_notification_id":\(id),\
        "page_min_id":"\(id)","page_max_id":"\(id)","latest_page_notification_at":"2023-11-14T22:13:20.000Z",\
        "sample_account_ids":["2","99"],"status_id":"7"}
        """
    }

    private static func groups(_ ids: [Int]) -> String {
        """
        {"accounts":[\(account)],"statuses":[\(MediaServer.status("7"))],\
        "notification_groups":[\(ids.map(group).joined(separator: ","))]}
        """
    }

    private static func response(_ body: String, status: HTTPResponse.Status = .ok, next: String? = nil) -> Response {
        var response = Response(status: status, body: .init(byteBuffer: ByteBuffer(string: body)))
        if let next, let link = HTTPField.Name("Link") { response.headers[link] = "<\(next)>; rel=\"next\"" }
        return response
    }

    /// Reads notifications from a server.
    /// - Returns: The entries and the requested paths.
    private static func read(
        _ count: Int, isGrouped: Bool = true,
        _ respond: @escaping @Sendable (_ path: String, _ before: String?) -> Response
    ) async throws -> (entries: [NotificationEntry], paths: [String]) {
        let paths = Mutex<[String]>([])
        let entries = try await LocalServer.serving({ request in
            paths.withLock { $0.append(request.uri.path) }
            return respond(request.uri.path, request.uri.queryParameters["max_id"])
        }) { port -> Result<[NotificationEntry], any Error> in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            let entries: Result<[NotificationEntry], any Error>
            do { entries = .success(try await client.notifications(count: count, isGrouped: isGrouped)) } catch {
                entries = .failure(error)
            }
            await client.shutdown()
            return entries
        }
        return (try entries.get(), paths.withLock { $0 })
    }

    @Test func groupsAreReadPageByPage() async throws {
        let (entries, paths) = try await Self.read(9) { _, before in
            before == nil
                ? Self.response(Self.groups([9, 8]), next: "http://x/api/v2/notifications?limit=2&max_id=8")
                : Self.response(Self.groups([7]))
        }
        #expect(
            entries.map(\.id) == ["9", "8", "7"] && entries.allSatisfy { $0.count == 12 && $0.type == "favourite" })
        #expect(entries.allSatisfy { $0.accounts.map(\.id) == ["2"] && $0.status?.id == "7" && $0.json == nil })
        #expect(paths == ["/api/v2/notifications", "/api/v2/notifications"])
    }

    /// A page is used before the next one is requested.
    @Test(arguments: [true, false]) func onlyOnePageIsInMemory(isGrouped: Bool) async throws {
        let requests = Atomic(0)
        let pages = try await LocalServer.serving({ request in
            let id = 9 - requests.add(1, ordering: .sequentiallyConsistent).oldValue
            let body = isGrouped ? Self.groups([id]) : "[\(Self.single(id))]"
            return Self.response(body, next: id > 7 ? "http://x/?max_id=\(id)" : nil)
        }) { port -> [String] in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            var pages: [String] = []
            try? await client.readNotifications(count: 100, isGrouped: isGrouped) { page in
                let number = requests.load(ordering: .sequentiallyConsistent)
                pages.append(page.map(\.id).joined(separator: ",") + " after \(number)")
                return true
            }
            await client.shutdown()
            return pages
        }
        #expect(pages == ["9 after 1", "8 after 2", "7 after 3"])
    }

    /// Older servers respond with an error to requests for groups, and some with a web page.
    @Test(arguments: [404, 405, 200])
    func serverWithoutGroupsIsAskedForSingleNotifications(status: Int) async throws {
        let (entries, paths) = try await Self.read(1) { path, _ in
            path.hasPrefix("/api/v2")
                ? Self.response("<!DOCTYPE html>", status: .init(code: status))
                : Self.response("[\(Self.single(5)),\(Self.single(4))]")
        }
        #expect(entries.map(\.id) == ["5"] && entries.first?.accounts.first?.username == "ada")
        #expect(entries.first?.json == Array(Self.single(5).utf8))
        #expect(paths == ["/api/v2/notifications", "/api/v1/notifications"])
    }

    @Test func faultyNotificationsAreSkipped() async throws {
        let (entries, _) = try await Self.read(5, isGrouped: false) { _, _ in
            Self.response(#"[\#(Self.single(5)),{"id":"4"},{"id":"3","type":"pleroma:emoji_reaction","account":null}]"#)
        }
        #expect(entries.map(\.id) == ["5", "3"] && entries[1].accounts.isEmpty)
    }

    /// A server that repeats its pages does not keep the client busy forever.
    @Test func repeatedPageEndsTheList() async throws {
        let (entries, paths) = try await Self.read(100) { _, _ in
            Self.response(Self.groups([9]), next: "http://x/?max_id=9")
        }
        #expect(entries.count == 2 && paths.count == 2)
    }

    @Test func refusalIsNoReasonToAskAgain() async throws {
        await #expect(throws: FeedClientError.self) {
            _ = try await Self.read(1) { _, _ in Self.response("{}", status: .forbidden) }
        }
    }
}
