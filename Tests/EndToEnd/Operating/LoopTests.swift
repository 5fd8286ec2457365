import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Repeated operations with the programs as users have them: optimized builds reveal races that debug builds hide.
@Suite(.hangLimit, .serialized)
struct LoopTests {
    /// Downloads in small chunks over many connections, one after another.
    @Test func repeatedDownloadsSucceed() async throws {
        let server = try await FileServer.start()
        let content = SampleBytes.make(8 << 20, seed: 9)
        try await server.store("loop.bin", content)
        let folder = try TemporaryFolder()
        for round in 0..<40 {
            let done = try await Tool.run(
                Programs.feedclient,
                [
                    "download", "loop.bin", "--server", "http://127.0.0.1:\(server.port)", "--restart",
                    "--connections", String(1 + round % 8), "-o", folder.path + "/loop.bin", "--progress", "json",
                ])
            try #require(done.code == 0, "round \(round): \(done.code) \(done.error)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/loop.bin")) == content, "round \(round)")
        }
    }

    /// Posts, reads and deletes from several clients at once.
    @Test func concurrentPostsSucceed() async throws {
        let server = try await FileServer.start(["--no-rate-limits"])
        let headers = [FileServer.authorization(server.ada), "Content-Type: application/x-www-form-urlencoded"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<8 {
                group.addTask {
                    for number in 0..<100 {
                        let form = Data("status=post+\(client)+\(number)+%23loop+%40ada".utf8)
                        let posted = try await RawHTTP.send(
                            port: server.port, "POST", "/api/v1/statuses", headers: headers, body: form)
                        try #require(posted.status == 200, "\(posted.text)")
                        let page = try await RawHTTP.send(
                            port: server.port, "GET", "/api/v1/timelines/home", headers: headers)
                        try #require(page.status == 200, "\(page.text)")
                    }
                }
            }
            try await group.waitForAll()
        }
        let account = try await RawHTTP.send(port: server.port, "GET", "/api/v1/accounts/lookup?acct=ada")
        #expect(account.text.contains("\"statuses_count\":800"), "\(account.text)")
        #expect(try await server.process.stop() == 0)
    }
}
