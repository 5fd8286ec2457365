import FeedTestSupport
import Foundation
import TestKit

/// A certificate authority and certificates that it has signed, made with openssl in a temporary folder.
struct TestCertificates: Sendable {
    /// The paths of a certificate and its key.
    struct Pair: Sendable {
        let certificate: String
        let key: String

        /// The options of `serve`.
        var options: [String] { ["--tls-cert", certificate, "--tls-key", key] }
    }

    static var isInstalled: Bool { Tool.isInstalled("openssl") }

    static let local = "DNS:localhost,IP:127.0.0.1"

    let folder: TemporaryFolder
    /// The path of the authority's certificate.
    var authority: String { folder.path + "/ca.pem" }

    init() async throws {
        folder = try TemporaryFolder()
        _ = try await selfSigned("ca", for: "DNS:authority.test")
    }

    /// A certificate that its own key has signed, as of a private authority.
    func selfSigned(_ name: String, for names: String = local) async throws -> Pair {
        let pair = pair(name)
        try await openssl(
            ["req", "-x509", "-days", "30", "-subj", "/CN=\(name)", "-addext", "subjectAltName=" + names, "-out"]
                + [pair.certificate] + Self.newKey(pair))
        return pair
    }

    /// A certificate that the authority has signed.
    /// - Parameter days: Its validity; -1 for one that has expired.
    func issue(_ name: String = "server", for names: String = local, days: Int = 30) async throws -> Pair {
        let pair = pair(name)
        let request = folder.path + "/\(name).csr"
        try await openssl(["req", "-subj", "/CN=\(name)", "-out", request] + Self.newKey(pair))
        let extensions = try folder.file("\(name).ext", "subjectAltName=" + names)
        try await openssl([
            "x509", "-req", "-in", request, "-CA", authority, "-CAkey", folder.path + "/ca.key", "-CAcreateserial",
            "-days", "\(days)", "-extfile", extensions, "-out", pair.certificate,
        ])
        return pair
    }

    func openssl(_ arguments: [String]) async throws {
        let done = try await Tool.run("openssl", arguments, folder: folder.path)
        guard done.code == 0 else { throw OpenSSLFailure(arguments: arguments, text: done.error) }
    }

    private func pair(_ name: String) -> Pair {
        Pair(certificate: folder.path + "/\(name).pem", key: folder.path + "/\(name).key")
    }

    private static func newKey(_ pair: Pair) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", pair.key]
    }
}

struct OpenSSLFailure: Error, CustomStringConvertible {
    let arguments: [String]
    let text: String

    var description: String { "openssl \(arguments.joined(separator: " ")): \(text)" }
}

extension ServerProcess {
    /// The address of a server with `--tls-cert`.
    var secureAddress: String { "https://127.0.0.1:\(port)" }
}
