import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The programs write their results to standard output, and detect when that fails.
@Suite(.hangLimit)
struct OutputTests {
    /// Creates a feed whose timeline exceeds the capacity of a pipe.
    private static func filled() async throws -> ServerProcess {
        let server = try await ServerProcess.start()
        let record = #"{"kind":"account","username":"ada"}"#
        let statuses = (1...200).map { number in
            #"{"kind":"status","n":\#(number),"author":"ada","created_at":"2023-01-01T00:\#(10 + number / 60):"#
                + "\(10 + number % 50)Z\",\"text\":\"\(String(repeating: "text ", count: 80))\"}"
        }
        let file = try server.folder.file("feed.ndjson", ([record] + statuses).joined(separator: "\n") + "\n")
        let done = try await server.admin("import", file)
        #expect(done.code == 0, "\(done.error)")
        return server
    }

    private static func shell(_ script: String, _ server: ServerProcess) async throws -> Finished {
        try await Tool.run(
            "bash", ["-c", script, Programs.feedclient, server.address], environment: try ClientHome().environment)
    }

    @Test func brokenPipeIsSilent() async throws {
        let server = try await Self.filled()
        let script = #""$0" timeline public --limit 200 --json --server "$1" | head -1; exit ${PIPESTATUS[0]}"#
        let done = try await Self.shell(script, server)
        #expect(done.code == 141 && done.error.isEmpty, "\(done.code) \(done.error)")
        #expect(done.text.split(separator: "\n").count == 1)
    }

    @Test func fullDiskAndClosedOutputAreErrors() async throws {
        let server = try await Self.filled()
        let full = try await Self.shell(#""$0" timeline public --json --server "$1" > /dev/full"#, server)
        #expect(full.code == 8 && full.error.contains("Is the disk full?"), "\(full.error)")
        let closed = try await Self.shell(#""$0" timeline public --json --server "$1" >&-"#, server)
        #expect(closed.code == 8 && closed.error.contains("output is closed"), "\(closed.error)")
        #expect(!closed.error.contains("disk full"))
    }
}
