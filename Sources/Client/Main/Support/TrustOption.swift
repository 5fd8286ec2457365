import ArgumentParser
import FeedClientKit
import Foundation

/// The option that names the certificate authorities to trust.
struct TrustOption: ParsableArguments {
    @Option(
        help: .init(
            "Trust the certificates in this file (PEM) instead of the system's; also SSL_CERT_FILE.",
            valueName: "file"))
    var cacert: String?

    /// - Parameter address: The server. Over plain HTTP, an unusable file in the environment is ignored.
    /// - Returns: `nil` for the system's authorities.
    /// - Throws: ``FeedClientError`` `.usage` if the file contains no certificates.
    func authorities(for address: ServerAddress) throws -> CertificateAuthorities? {
        if let cacert { return try CertificateAuthorities(file: cacert) }
        guard let file = ProcessInfo.processInfo.environment["SSL_CERT_FILE"], !file.isEmpty else { return nil }
        do {
            return try CertificateAuthorities(file: file)
        } catch {
            guard address.description.hasPrefix("https:") else { return nil }
            throw FeedClientError(error.code, "SSL_CERT_FILE: " + error.message, hint: error.hint)
        }
    }
}
