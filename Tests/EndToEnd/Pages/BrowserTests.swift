import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Chromium uses the pages, without and with script.
@Suite(.hangLimit, .enabled(if: MastodonClient.playwright.isInstalled, "it is not installed: scripts/foreign-clients"))
struct BrowserTests {
    private static let people = ["ada", "bob", "cleo"]

    private static func run(
        _ driver: String, accounts: [String] = people, admins: [String] = [], options: [String] = [],
        arguments: [String] = []
    ) async throws {
        let server = try await ServerProcess.start(options)
        for name in accounts { try await server.addAccount(name) }
        for name in admins { try await server.addAccount(name, role: .admin) }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Drivers/\(driver).py")
        let done = try await MastodonClient.playwright.drive(script, arguments: [server.address] + arguments)
        #expect(done.code == 0, "\((done.text + done.error).suffix(4000))")
        // A script without steps would prove nothing.
        #expect(("\n" + done.text).contains("\nok "))
        try await server.stop()
    }

    @Test func visitorsReadEverythingWithoutScript() async throws {
        try await Self.run("visitor", accounts: [], options: ["--demo"])
    }

    @Test func membersReadAndWriteWithoutScript() async throws { try await Self.run("member") }

    @Test func membersReadAndWriteWithScript() async throws { try await Self.run("scripted") }

    @Test func pagesWithScriptAreLiveAndReadableWithoutAConnection() async throws { try await Self.run("connected") }

    @Test func membersChangeTheirSettingsWithoutScript() async throws { try await Self.run("settings") }

    @Test func operatorsModerateWithoutScript() async throws {
        try await Self.run(
            "administrator", accounts: ["ada", "bob"], admins: ["root"], options: ["--registration", "approval"])
    }

    @Test func formsFromElsewhereAreRefused() async throws { try await Self.run("origins") }

    @Test func hostileTextIsInert() async throws {
        try await Self.run("hostile", accounts: (0..<8).map { "h\($0)" })
    }

    @Test func pagesAreAccessible() async throws {
        try await Self.run("accessible", admins: ["root"], options: ["--open-registration"])
    }

    /// A walk, so that `make soak` runs more of it.
    @Test func noPageOfOneMemberIsShownToAnotherInARandomWalk() async throws {
        let steps = Soak.rounds(150, soaking: 2000)
        try await Self.run("walk", arguments: [String(steps), String(Soak.seed)])
    }
}
