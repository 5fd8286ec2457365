import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The server closes polls by itself.
@Suite(.hangLimit, .onSQLite)
struct PollClosingTests {
    /// A poll that ended while the server was down is closed when it starts again, and its people are notified.
    @Test func pollThatEndedDuringDowntimeIsClosed() async throws {
        let server = try await ServerProcess.start()
        for name in ["ada", "bob"] { try await server.addAccount(name) }
        let (ada, bob) = (try await server.token("ada"), try await server.token("bob"))
        let form = "status=which%3F&poll[options][]=a&poll[options][]=b&poll[expires_in]=300"
        let posted = try await Self.send(server, "POST", "/api/v1/statuses", ada, form)
        let id = try #require(posted["id"] as? String)
        _ = try await Self.send(server, "POST", "/api/v1/polls/\(id)/votes", bob, "choices[]=0")
        #expect(try await RawHTTP.send(port: server.port, "GET", "/@ada/\(id)").text.contains("Open until"))
        try await server.stop()

        try DatabaseFile.execute("UPDATE poll SET expires_at = 1000", data: server.data)
        let next = try await ServerProcess.start(folder: server.folder)
        try await Wait.until("the poll is closed") {
            try await Self.send(next, "GET", "/api/v1/polls/\(id)", bob)["expired"] as? Bool == true
        }
        for token in [ada, bob] {
            let told = try await RawHTTP.send(
                port: next.port, "GET", "/api/v1/notifications?types[]=poll",
                headers: ["Authorization: Bearer \(token)"])
            #expect(told.text.contains("\"type\":\"poll\""), "\(told.text)")
        }
        #expect(try await RawHTTP.send(port: next.port, "GET", "/@ada/\(id)").text.contains("Closed <time"))
        try await next.stop()
    }

    private static func send(
        _ server: ServerProcess, _ method: String, _ path: String, _ token: String, _ form: String? = nil
    ) async throws -> [String: Any] {
        var headers = ["Authorization: Bearer \(token)"]
        if form != nil { headers.append("Content-Type: application/x-www-form-urlencoded") }
        let response = try await RawHTTP.send(
            port: server.port, method, path, headers: headers, body: Data((form ?? "").utf8))
        let entity = try? JSONSerialization.jsonObject(with: response.body) as? [String: Any]
        return try #require(entity, "\(method) \(path): \(response.status) \(response.text)")
    }
}
