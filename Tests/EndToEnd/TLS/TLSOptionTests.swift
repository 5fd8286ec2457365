import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Options and files that cannot be used: one line and a hint.
@Suite(.hangLimit, .enabled(if: TestCertificates.isInstalled, "apt install openssl"))
struct TLSOptionTests {
    private static let pair = ["--tls-cert", "/nonexistent/cert.pem", "--tls-key", "/nonexistent/key.pem"]

    @Test(arguments: [
        (["--tls-cert", "cert.pem"], "require each other"), (["--tls-key", "key.pem"], "require each other"),
        (["--redirect-port", "80"], "--redirect-port requires --tls-cert"),
        (["--acme-dir", "/tmp"], "--acme-dir requires --redirect-port"),
        (pair + ["--acme-dir", "/tmp"], "--acme-dir requires --redirect-port"),
        (pair + ["--redirect-port", "0"], "--redirect-port must be 1 to 65535"),
        (pair + ["--redirect-port", "65536"], "--redirect-port must be 1 to 65535"),
        (pair + ["--redirect-port", "http"], "--redirect-port"),
        (pair + ["--port", "8443", "--redirect-port", "8443"], "must differ from --port"),
        (pair + ["--redirect-port", "80", "--base-url", "http://feed.example"], "begins with https://"),
        (pair + ["--redirect-port", "80", "--acme-dir", "/nonexistent"], "/nonexistent is not a folder"),
        (pair + ["--listen", "unix:/tmp/feed.socket"], "--tls-cert requires a port"),
    ])
    func invalidOptionsAreRejected(arguments: [String], words: String) async throws {
        let done = try await Tool.run(Programs.feedserver, ["serve", "--data", "/nonexistent"] + arguments)
        #expect(done.code == 64 && done.text.isEmpty && done.error.contains(words), "\(done.error)")
    }

    @Test func variablesSetTheOptions() async throws {
        let done = try await Tool.run(
            Programs.feedserver, ["serve", "--data", "/nonexistent"], environment: ["FEEDSERVER_TLS_CERT": "cert.pem"])
        #expect(done.code == 64 && done.error.contains("require each other"), "\(done.error)")
        let port = try await Tool.run(
            Programs.feedserver, ["serve", "--data", "/nonexistent"], environment: ["FEEDSERVER_REDIRECT_PORT": "x"])
        #expect(port.code == 64 && port.error.contains("FEEDSERVER_REDIRECT_PORT"), "\(port.error)")
    }

    private struct Row {
        let certificate: String
        let key: String
        let words: String
    }

    @Test func unusableFilesAreExplained() async throws {
        let certificates = try await TestCertificates()
        let (pair, other) = (try await certificates.issue(), try await certificates.issue("other"))
        let empty = try certificates.folder.file("empty", "")
        let broken = try certificates.folder.file("broken", "-----BEGIN CERTIFICATE-----\nAAAA\n")
        let (old, new) = (certificates.folder.path + "/old.key", certificates.folder.path + "/new.key")
        try await certificates.openssl(["ec", "-in", pair.key, "-aes256", "-passout", "pass:x", "-out", old])
        try await certificates.openssl(["pkcs8", "-topk8", "-in", pair.key, "-passout", "pass:x", "-out", new])
        let missing = certificates.folder.path + "/missing"
        let rows = [
            Row(certificate: missing, key: pair.key, words: "cannot read \(missing): No such file or directory"),
            Row(certificate: pair.certificate, key: missing, words: "cannot read \(missing): No such file"),
            Row(certificate: pair.key, key: pair.key, words: "contains no certificate"),
            Row(certificate: empty, key: pair.key, words: "contains no certificate"),
            Row(certificate: broken, key: pair.key, words: "contains no certificate"),
            Row(certificate: pair.certificate, key: pair.certificate, words: "contains no private key"),
            Row(certificate: pair.certificate, key: empty, words: "contains no private key"),
            Row(certificate: pair.certificate, key: other.key, words: "does not belong to the certificate"),
            Row(certificate: pair.certificate, key: old, words: "is encrypted"),
            Row(certificate: pair.certificate, key: new, words: "is encrypted"),
            Row(certificate: "/", key: pair.key, words: "cannot read /"),
        ]
        for row in rows {
            let done = try await Tool.run(
                Programs.feedserver,
                [
                    "serve", "--data", certificates.folder.path + "/data", "--port", "0", "--tls-cert",
                    row.certificate, "--tls-key", row.key,
                ])
            let lines = done.error.split(separator: "\n")
            #expect(done.code == 1 && done.text.isEmpty, "\(row): \(done.error)")
            #expect(lines.count == 2 && lines[0].hasPrefix("error: ") && lines[1].hasPrefix("hint: "), "\(done.error)")
            #expect(done.error.contains(row.words), "\(row.words): \(done.error)")
        }
    }

    @Test func occupiedRedirectPortIsExplained() async throws {
        let certificates = try await TestCertificates()
        let pair = try await certificates.issue()
        let taken = try await ServerProcess.start()
        let done = try await Tool.run(
            Programs.feedserver,
            ["serve", "--data", certificates.folder.path + "/data", "--port", "0", "--redirect-port", "\(taken.port)"]
                + pair.options)
        #expect(done.code == 1 && done.text.isEmpty, "\(done.text)")
        #expect(done.error.contains("http://127.0.0.1:\(taken.port) is in use"), "\(done.error)")
        #expect(done.error.contains("--redirect-port"), "\(done.error)")
        try await taken.stop()
    }
}
