import FeedTestSupport
import Foundation
import Testing

/// What people do all day, with programs nobody here wrote. Each driver in `Drivers/` is a program of its own:
/// it goes on after a step that failed and prints a line for each.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct MastodonClientTests {
    static let libraryDrivers = [
        "mastodon_login", "mastodon_statuses", "mastodon_timelines", "mastodon_social", "mastodon_notifications",
        "mastodon_profile", "mastodon_pages", "mastodon_instance", "mastodon_register",
        "mastodon_limits",
    ]

    /// The others would run into the limits two of them look at.
    private static let options = [
        "mastodon_instance": [], "mastodon_limits": ["--rate-limit", "40"],
        "mastodon_register": ["--no-rate-limits", "--open-registration"],
    ]

    static let tootDrivers = ["toot_login", "toot_statuses", "toot_social", "toot_pages"]

    @Test(
        .enabled(if: MastodonClient.mastodonPy.isThere, "it is not installed: scripts/foreign-clients"),
        arguments: libraryDrivers)
    func mastodonPy(driver: String) async throws { try await Self.run(driver, with: .mastodonPy) }

    @Test(
        .enabled(if: MastodonClient.oldMastodonPy.isThere, "it is not installed: scripts/foreign-clients"),
        arguments: libraryDrivers)
    func mastodonPyOfDebian12(driver: String) async throws { try await Self.run(driver, with: .oldMastodonPy) }

    @Test(
        .enabled(if: MastodonClient.toot.isThere, "it is not installed: scripts/foreign-clients"),
        arguments: tootDrivers)
    func toot(driver: String) async throws { try await Self.run(driver, with: .toot) }

    @Test(
        .enabled(if: MastodonClient.oldToot.isThere, "it is not installed: scripts/foreign-clients"),
        arguments: tootDrivers)
    func tootOfDebian12(driver: String) async throws { try await Self.run(driver, with: .oldToot) }

    /// A server of its own with the four people all drivers know.
    private static func run(_ driver: String, with client: MastodonClient) async throws {
        let server = try await ServerProcess.start(options[driver] ?? ["--no-rate-limits"])
        for name in ["ada", "bob", "cleo", "dora"] { try await server.addAccount(name) }
        let done = try await client.drive(script(driver), server)
        let failed = done.text.split(separator: "\n").filter { $0.hasPrefix("FAIL") }.joined(separator: "\n")
        #expect(done.code == 0, "\(failed.isEmpty ? String((done.text + done.error).suffix(2000)) : failed)")
        // A driver that does nothing proves nothing.
        #expect(done.text.contains("\nok ") || done.code != 0)
        try await server.stop()
    }

    private static func script(_ driver: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Drivers/\(driver).py")
    }
}
