import Foundation
import NIOSSL

/// The certificate authorities that a client trusts instead of the system's.
public struct CertificateAuthorities: Sendable {
    let certificates: [NIOSSLCertificate]

    /// - Parameter file: The path of a file with certificates in PEM form. A self-signed certificate of a server is its
    ///   own authority.
    /// - Throws: ``FeedClientError`` `.usage` if the file cannot be read or contains no certificate.
    public init(file: String) throws(FeedClientError) {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw FeedClientError(
                .usage, "The certificates in \(file) cannot be read", hint: "Check the path and its permissions.")
        }
        guard !bytes.isEmpty, let found = try? NIOSSLCertificate.fromPEMBytes(Array(bytes)), !found.isEmpty else {
            throw FeedClientError(
                .usage, "\(file) contains no certificate",
                hint: "It must be in PEM form, beginning with -----BEGIN CERTIFICATE-----.")
        }
        certificates = found
    }
}
