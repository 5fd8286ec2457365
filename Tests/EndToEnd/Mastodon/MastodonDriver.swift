import FeedTestSupport
import Foundation
import Testing

/// A script in `Drivers/` that runs a third-party client through common tasks. It continues after a failed step and
/// prints a line for each.
struct MastodonDriver: Sendable, CustomTestStringConvertible {
    let name: String
    /// Additional options of `serve`.
    var options: [String] = []
    var enforcesRateLimits = false

    var testDescription: String { name }

    /// Runs the script against a new server with the four accounts that all drivers use.
    func run(with client: MastodonClient) async throws {
        let server = try await ServerProcess.start(options, enforcesRateLimits: enforcesRateLimits)
        for name in ["ada", "bob", "cleo", "dora"] { try await server.addAccount(name) }
        let done = try await client.drive(script, server)
        let failed = done.text.split(separator: "\n").filter { $0.hasPrefix("FAIL") }.joined(separator: "\n")
        #expect(done.code == 0, "\(failed.isEmpty ? String((done.text + done.error).suffix(2000)) : failed)")
        // A script without steps would prove nothing.
        #expect(done.text.contains("\nok "))
        try await server.stop()
    }

    private var script: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Drivers/\(name).py")
    }
}
