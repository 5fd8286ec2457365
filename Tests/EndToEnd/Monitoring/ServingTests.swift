import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A folder with an SQLite database is served by one process at a time.
@Suite(.hangLimit)
struct ServingTests {
    @Test func secondServerNamesTheFirst() async throws {
        let server = try await ServerProcess.start()
        let second = try await Tool.run(Programs.feedserver, ["serve", "--data", server.data, "--port", "0"])
        #expect(second.code == 1 && second.text.isEmpty)
        #expect(
            second.error.hasPrefix(
                "error: \(server.data) is already being served by process \(server.processID)\nhint: "),
            "\(second.error)")
        // Other commands keep working.
        try await server.addAccount("ada")
        #expect(try await server.admin("account", "list").text.contains("ada"))
        #expect(try await RawHTTP.send(port: server.port, "GET", "/health").status == 200)
        // A crash leaves no lock behind.
        try await server.stop(SIGKILL)
        let next = try await ServerProcess.start(folder: server.folder)
        #expect(try await next.admin("account", "list").text.contains("ada"))
        #expect(try await next.stop() == 0)
    }
}
