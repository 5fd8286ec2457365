import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A parser of others reads the microformats of the pages.
@Suite(.hangLimit)
struct MicroformatTests {
    @Test(.enabled(if: MastodonClient.mf2py.isInstalled, "it is not installed: scripts/foreign-clients"))
    func entriesAndCardsAreComplete() async throws {
        let server = try await ServerProcess.start()
        for name in ["ada", "bob"] { try await server.addAccount(name) }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Drivers/mf2_pages.py")
        let arguments = [server.address, try await server.token("ada"), try await server.token("bob")]
        let done = try await MastodonClient.mf2py.drive(script, arguments: arguments)
        let failed = done.text.split(separator: "\n").filter { $0.hasPrefix("FAIL") }.joined(separator: "\n")
        #expect(done.code == 0, "\(failed.isEmpty ? String((done.text + done.error).suffix(2000)) : failed)")
        // A script without steps would prove nothing.
        #expect(done.text.contains("ok "))
        try await server.stop()
    }
}
