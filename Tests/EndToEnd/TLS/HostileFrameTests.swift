import FeedTestSupport
import Foundation
import TestKit
import Testing

/// HTTP/2 frames that no correct client sends, written by Python programs in `Drivers/`.
@Suite(
    .hangLimit,
    .enabled(if: MastodonClient.h2.isInstalled && TestCertificates.isInstalled, "scripts/foreign-clients"))
struct HostileFrameTests {
    /// The growth of the server's memory that a single connection may cause, in bytes.
    private static let maximumGrowth = 200 << 20

    private static func driver(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Drivers/\(name).py")
    }

    @Test func hostileConnectionsEndAloneAndInBoundedMemory() async throws {
        let certificates = try await TestCertificates()
        // A case waits for the limit of time.
        let server = try await ServerProcess.start(
            try await certificates.issue().options, environment: ["FEED_TIMEOUT": "15"])
        try await server.addAccount("ada")
        let path = try certificates.folder.file("large", "")
        try SampleBytes.make(10_000_000).write(to: URL(fileURLWithPath: path))
        let stored = try await Tool.run(
            "/usr/bin/curl",
            [
                "-s", "--cacert", certificates.authority, "-H",
                "Authorization: Bearer " + (try await server.token("ada")),
                "-w", "%{http_code}", "-T", path, server.secureAddress + "/files/large",
            ])
        #expect(stored.text.hasSuffix("201"), "\(stored.text)")
        let before = try Self.memory(of: server)
        let done = try await MastodonClient.h2.drive(
            Self.driver("hostile"), arguments: ["\(server.port)", certificates.authority])
        let failed = done.text.split(separator: "\n").filter { $0.hasPrefix("FAIL") }.joined(separator: "\n")
        #expect(done.code == 0, "\(failed.isEmpty ? String((done.text + done.error).suffix(2000)) : failed)")
        #expect(done.text.contains("\nok rapid_reset\n"), "\(done.text)")
        let after = try Self.memory(of: server)
        #expect(after - before < Self.maximumGrowth, "\(before) to \(after) bytes")
        #expect(try await server.stop() == 0)
    }

    @Test func shutdownIsAnnounced() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        let done = try await MastodonClient.h2.drive(
            Self.driver("shutdown"), arguments: ["\(server.port)", certificates.authority, "\(server.processID)"])
        #expect(done.code == 0 && done.text.contains("ok goaway"), "\(done.text)\(done.error)")
        // The driver has sent the signal; a second one would end the server at once.
        #expect(try await server.stop(0) == 0)
    }

    /// `RssAnon` in bytes.
    private static func memory(of server: ServerProcess) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(server.processID)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        let kibibytes = try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
        return kibibytes * 1024
    }
}
