import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A certificate that is replaced while the server runs.
@Suite(.hangLimit, .enabled(if: TestCertificates.isInstalled, "apt install openssl"))
struct CertificateReloadTests {
    private static let kept = "cannot load the new certificate; the previous one stays in use"

    /// Whether the server shows a certificate of this authority.
    private static func isTrusted(_ server: ServerProcess, by authority: String) async throws -> Bool {
        try await Tool.run(
            "/usr/bin/curl", ["-s", "--max-time", "300", "--cacert", authority, server.secureAddress + "/health"]
        ).text == "OK"
    }

    private static func replace(_ pair: TestCertificates.Pair, with new: TestCertificates.Pair) throws {
        for (old, new) in [(pair.certificate, new.certificate), (pair.key, new.key)] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: new))
            try bytes.write(to: URL(fileURLWithPath: old), options: .atomic)
        }
    }

    private static func count(_ text: String, in server: ServerProcess) -> Int {
        server.log.components(separatedBy: text).count - 1
    }

    @Test func replacedFilesAreUsedForNewConnections() async throws {
        let (first, second) = (try await TestCertificates(), try await TestCertificates())
        let pair = try await first.issue()
        let server = try await ServerProcess.start(pair.options)
        #expect(try await Self.isTrusted(server, by: first.authority))
        try Self.replace(pair, with: try await second.issue())
        try await Wait.until("the new certificate is used") {
            try await Self.isTrusted(server, by: second.authority)
        }
        #expect(try await !Self.isTrusted(server, by: first.authority))
        try await Wait.until("the change is logged") { Self.count("loaded the certificate", in: server) > 0 }
        #expect(try await server.stop() == 0)
        #expect(Self.count("loaded the certificate", in: server) == 1)
    }

    @Test func brokenFilesChangeNothing() async throws {
        let certificates = try await TestCertificates()
        let pair = try await certificates.issue()
        let server = try await ServerProcess.start(pair.options)
        _ = try certificates.folder.file("server.pem", "nonsense")
        try await Wait.until("the failure is logged") { Self.count(Self.kept, in: server) > 0 }
        #expect(server.log.contains("contains no certificate"))
        #expect(try await Self.isTrusted(server, by: certificates.authority))
        // A key that does not belong to the certificate is another failure.
        let other = try await certificates.issue("other")
        try Self.replace(pair, with: .init(certificate: other.certificate, key: certificates.folder.path + "/ca.key"))
        try await Wait.until("the failure is logged") { server.log.contains("does not belong to the certificate") }
        #expect(try await Self.isTrusted(server, by: certificates.authority))
        // The server recovers when the files are right.
        try Self.replace(pair, with: other)
        try await Wait.until("the certificate is loaded") { Self.count("loaded the certificate", in: server) > 0 }
        #expect(try await Self.isTrusted(server, by: certificates.authority))
        try await server.stop()
    }

    @Test func hangupLoadsTheFiles() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        try await Wait.until("the hangup is handled") {
            kill(server.processID, SIGHUP)
            try await Task.sleep(for: .milliseconds(100))
            return Self.count("loaded the certificate", in: server) > 0
        }
        #expect(try await Self.isTrusted(server, by: certificates.authority))
        #expect(try await server.stop() == 0)
    }

    @Test func expiredCertificateIsReported() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue(days: -1).options)
        try await Wait.until("the warning is logged") { server.log.contains("the certificate has expired") }
        try await server.stop()
    }
}
