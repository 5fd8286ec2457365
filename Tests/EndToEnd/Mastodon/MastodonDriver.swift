import FeedTestSupport
import Foundation
import Testing

/// A program in `Drivers/` that lets a foreign program do what people do. It goes on after a step that failed and prints
/// a line for each.
struct MastodonDriver: Sendable, CustomTestStringConvertible {
    let name: String
    /// Further options of `serve`.
    var options: [String] = []
    var enforcesRateLimits = false

    var testDescription: String { name }

    /// Runs it with a server of its own, on which the four people all drivers know have accounts.
    func run(with client: MastodonClient) async throws {
        let server = try await ServerProcess.start(options, enforcesRateLimits: enforcesRateLimits)
        for name in ["ada", "bob", "cleo", "dora"] { try await server.addAccount(name) }
        let done = try await client.drive(script, server)
        let failed = done.text.split(separator: "\n").filter { $0.hasPrefix("FAIL") }.joined(separator: "\n")
        #expect(done.code == 0, "\(failed.isEmpty ? String((done.text + done.error).suffix(2000)) : failed)")
        // A driver that does nothing proves nothing.
        #expect(done.text.contains("\nok "))
        try await server.stop()
    }

    private var script: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Drivers/\(name).py")
    }
}
