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

    /// The absolute path of the file; `nil` without the option.
    var file: String? {
        cacert.map { $0.hasPrefix("/") ? $0 : FileManager.default.currentDirectoryPath + "/" + $0 }
    }

    /// The file that a login to this server has named.
    static func remembered(for address: ServerAddress) -> String? {
        guard address.description.hasPrefix("https:") else { return nil }
        let logins = try? GlobalOptions.credentials.logins()
        return logins?.first { $0.server == address.description && $0.cacert != nil }?.cacert
    }

    /// The option comes first, then the file of the login, then `SSL_CERT_FILE`.
    /// - Parameter address: The server. Over plain HTTP, an unusable file in the environment is ignored.
    /// - Returns: `nil` for the system's authorities.
    /// - Throws: ``FeedClientError`` `.usage` if the file contains no certificates.
    func authorities(for address: ServerAddress) throws -> CertificateAuthorities? {
        if let cacert { return try CertificateAuthorities(file: cacert) }
        if let file = Self.remembered(for: address) {
            do {
                return try CertificateAuthorities(file: file)
            } catch {
                throw FeedClientError(error.code, error.message, hint: "Log in again with --cacert FILE.")
            }
        }
        guard let file = ProcessInfo.processInfo.environment["SSL_CERT_FILE"], !file.isEmpty else { return nil }
        do {
            return try CertificateAuthorities(file: file)
        } catch {
            guard address.description.hasPrefix("https:") else { return nil }
            throw FeedClientError(error.code, "SSL_CERT_FILE: " + error.message, hint: error.hint)
        }
    }
}
