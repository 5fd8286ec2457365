import FeedTestSupport
import Foundation
import TestKit
import Testing

/// feedclient with trusted and untrusted certificates.
@Suite(.hangLimit, .enabled(if: TestCertificates.isInstalled, "apt install openssl"))
struct SecureClientTests {
    @Test func privateAuthorityIsTrusted() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        try await server.addAccount("ada")
        let home = try ClientHome()
        let login = try await home.run(
            "login", server.secureAddress, "--username", "ada", "--password-stdin", "--cacert", certificates.authority,
            input: "secretsecret\n")
        #expect(login.code == 0, "\(login.error)")
        let path = home.folder.path + "/large"
        try SampleBytes.make(3_000_000).write(to: URL(fileURLWithPath: path))
        // The login remembers the authority.
        #expect(try await home.run("whoami").code == 0)
        let uploaded = try await home.run("upload", path)
        #expect(uploaded.code == 0, "\(uploaded.error)")
        let done = try await home.run(
            "download", "large", "--output", home.folder.path + "/copy", "--connections", "4", "--cacert",
            certificates.authority)
        #expect(done.code == 0, "\(done.error)")
        #expect(try await Tool.run("/usr/bin/cmp", [path, home.folder.path + "/copy"]).code == 0)
        // The option takes precedence over the variable.
        let both = try await home.run(
            "ping", "--cacert", certificates.authority, environment: ["SSL_CERT_FILE": "/nonexistent"])
        #expect(both.code == 0, "\(both.error)")
        let other = try await ClientHome().run(
            "ping", "--server", server.secureAddress, environment: ["SSL_CERT_FILE": certificates.authority])
        #expect(other.code == 0, "\(other.error)")
        try await server.stop()
    }

    /// The certificate of the server, and what the client says about it.
    enum Case: String, CaseIterable, Sendable {
        case unknownAuthority, selfSigned, expired, otherHost

        func pair(_ certificates: TestCertificates) async throws -> TestCertificates.Pair {
            switch self {
            case .unknownAuthority: try await certificates.issue()
            case .selfSigned: try await certificates.selfSigned("self")
            case .expired: try await certificates.issue(days: -1)
            case .otherHost: try await certificates.issue(for: "DNS:other.example")
            }
        }

        var words: String {
            switch self {
            case .unknownAuthority: "its certificate is from an unknown authority"
            case .selfSigned: "its certificate is self-signed"
            case .expired: "its certificate expired on 20"
            case .otherHost: "its certificate is for another host"
            }
        }

        var hint: String {
            switch self {
            case .unknownAuthority, .selfSigned: "--cacert FILE"
            case .expired: "Check the clock"
            case .otherHost: "Use a host name that is in the certificate"
            }
        }

        /// Whether the authority is trusted, so that only the other problem remains.
        var isTrusted: Bool { self == .expired || self == .otherHost }
    }

    @Test(arguments: Case.allCases) func untrustedCertificateIsExplained(row: Case) async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await row.pair(certificates).options)
        let home = try ClientHome()
        let trust = row.isTrusted ? ["SSL_CERT_FILE": certificates.authority] : [:]
        for arguments in [
            ["ping", "--server", server.secureAddress], ["download", server.secureAddress + "/files/a"],
        ] {
            let done = try await Tool.run(
                Programs.feedclient, arguments, environment: home.environment.merging(trust) { _, new in new },
                folder: home.folder.path)
            #expect(done.code == 5, "\(arguments): \(done.error)")
            #expect(done.error.contains(row.words) && done.error.contains("hint: "), "\(done.error)")
            #expect(done.error.contains(row.hint) && !done.error.contains("NIOSSL"), "\(done.error)")
        }
        try await server.stop()
        // No request was made.
        #expect(!server.log.contains("path="))
    }

    @Test func selfSignedCertificateCanBeTrusted() async throws {
        let certificates = try await TestCertificates()
        let pair = try await certificates.selfSigned("self")
        let server = try await ServerProcess.start(pair.options)
        let done = try await ClientHome().run(
            "ping", "--server", server.secureAddress, "--cacert", pair.certificate)
        #expect(done.code == 0, "\(done.error)")
        try await server.stop()
    }

    @Test func unusableAuthoritiesAreExplained() async throws {
        let home = try ClientHome()
        let empty = try home.folder.file("empty", "")
        for (file, words) in [("/nonexistent", "cannot be read"), (empty, "contains no certificate")] {
            let option = try await home.run("ping", "--server", "https://localhost:1", "--cacert", file)
            #expect(option.code == 2 && option.error.contains(words), "\(option.error)")
            let variable = try await home.run(
                "ping", "--server", "https://localhost:1", environment: ["SSL_CERT_FILE": file])
            #expect(variable.code == 2 && variable.error.contains("SSL_CERT_FILE: "), "\(variable.error)")
        }
    }

    @Test(arguments: [["ping"], ["timeline", "public"]])
    func plainHTTPToTheTLSPortIsExplained(command: [String]) async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        let done = try await ClientHome().run(command + ["--server", "http://127.0.0.1:\(server.port)"])
        #expect(done.code == 1 && done.error.contains("Use an address that begins with https://"), "\(done.error)")
        try await server.stop()
        withExtendedLifetime(certificates) {}
    }

    @Test func plainHTTPNeedsNoAuthorities() async throws {
        let server = try await ServerProcess.start()
        let done = try await ClientHome().run(
            "ping", "--server", server.address, environment: ["SSL_CERT_FILE": "/nonexistent"])
        #expect(done.code == 0, "\(done.error)")
        try await server.stop()
    }
}
