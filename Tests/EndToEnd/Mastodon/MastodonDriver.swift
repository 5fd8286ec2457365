import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A script in `Drivers/` that runs a third-party client through common tasks. It continues after a failed step and
/// prints a line for each.
struct MastodonDriver: Sendable, CustomTestStringConvertible {
    let name: String
    /// Additional options of `serve`.
    var options: [String] = []
    /// Additional variables of the server.
    var environment: [String: String] = [:]
    var enforcesRateLimits = false
    /// Additional accounts.
    var administrators: [String] = []

    /// As if the libraries that decode images were not installed.
    static let withoutImageLibraries = ["FEED_WITHOUT": "images"]

    /// The drivers to run with an older version of the same client: the parts in which the versions differ, or all of them
    /// in `make soak`.
    static func forOldVersion(_ drivers: [MastodonDriver]) -> [MastodonDriver] {
        if Soak.isEnabled { return drivers }
        let parts = ["login", "statuses", "media", "streaming"]
        return drivers.filter { driver in
            driver.environment.isEmpty && parts.contains { driver.name.hasSuffix("_" + $0) }
        }
    }

    static let accounts = ["ada", "bob", "cleo", "dora"]

    var testDescription: String { environment.isEmpty ? name : "\(name) \(environment)" }

    /// Runs the script against a new server with the four accounts that all drivers use.
    func run(with client: MastodonClient) async throws {
        let server = try await ServerProcess.start(
            options, environment: environment, enforcesRateLimits: enforcesRateLimits)
        for name in Self.accounts { try await server.addAccount(name) }
        for name in administrators { try await server.addAccount(name, role: .admin) }
        try await check(client, at: server.address)
        try await server.stop()
    }

    /// Runs the script against a server with the accounts.
    func check(_ client: MastodonClient, at address: String) async throws {
        let done = try await client.drive(script, at: address)
        let failed = done.text.split(separator: "\n").filter { $0.hasPrefix("FAIL") }.joined(separator: "\n")
        #expect(done.code == 0, "\(failed.isEmpty ? String((done.text + done.error).suffix(2000)) : failed)")
        // A script without steps would prove nothing.
        #expect(("\n" + done.text).contains("\nok "))
    }

    private var script: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Drivers/\(name).py")
    }
}
