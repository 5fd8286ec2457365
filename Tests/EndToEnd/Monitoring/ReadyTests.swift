import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `/ready` and `/health` of the real server. ``FullDiskTests`` has the full disk.
@Suite(.hangLimit)
struct ReadyTests {
    @Test func serverIsReadyWhileItCanWrite() async throws {
        let server = try await ServerProcess.start()
        let ready = try await RawHTTP.send(port: server.port, "GET", "/ready")
        #expect(ready.status == 200 && ready.text == "OK" && ready.headers["cache-control"] == "no-store")
        let path = server.data + "/feed.sqlite"
        try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
        try await Wait.until("the missing file is noticed") {
            try await RawHTTP.send(port: server.port, "GET", "/ready").status == 503
        }
        let refused = try await RawHTTP.send(port: server.port, "GET", "/ready")
        #expect(
            refused.text.contains("\"error\":\"The database file is missing") && refused.headers["retry-after"] != nil)
        #expect(!refused.text.contains(server.folder.path), "\(refused.text)")
        #expect(try await RawHTTP.send(port: server.port, "GET", "/health").status == 200)
        try FileManager.default.moveItem(atPath: path + ".aside", toPath: path)
        try await Wait.until("the file is back") {
            try await RawHTTP.send(port: server.port, "GET", "/ready").status == 200
        }
        #expect(try await server.stop() == 0)
    }

    /// Anyone may ask, so asking must not cost a write each.
    @Test func probesAreRare() async throws {
        let server = try await ServerProcess.start()
        func commits() async throws -> Int { Int(try await server.metric("feedserver_commit_jobs_count")) }
        let start = ContinuousClock.now
        let before = try await commits()
        for _ in 0..<50 { #expect(try await RawHTTP.send(port: server.port, "GET", "/ready").status == 200) }
        let more = try await commits() - before
        let seconds = Int((ContinuousClock.now - start).components.seconds)
        // Maintenance may write as well.
        #expect(more <= 10 + 3 * (seconds + 1))
    }
}
