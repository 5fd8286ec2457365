import FeedCore
import Foundation
import NIOSSL

/// The files of a certificate chain and its private key, in PEM form.
struct CertificateFiles: Sendable {
    /// A pair that has been loaded.
    struct Loaded: Sendable {
        let context: NIOSSLContext
        /// The end of the certificate's validity, in seconds since 1970.
        let expires: Int64
    }

    /// The maximum size of a file in bytes.
    private static let maximumSize = 1 << 20

    let certificate: String
    let key: String

    var stamps: [FileStamp?] { [FileStamp(certificate), FileStamp(key)] }

    /// Reads both files from the disk.
    /// - Throws: ``FeedError`` with a hint, for the operator: `.unavailable` if a file cannot be read.
    func load() throws(FeedError) -> Loaded {
        let chain = try chain()
        guard let leaf = chain.first else { throw noCertificate }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(try privateKey()))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2", "http/1.1"]
        do {
            return Loaded(
                context: try NIOSSLContext(configuration: configuration), expires: Int64(leaf.notValidAfter))
        } catch NIOSSLError.failedToLoadPrivateKey {
            throw FeedError(
                .malformed, "the key \(key) does not belong to the certificate \(certificate)",
                hint: "The chain must begin with the certificate of this server; both files must come from one request."
            )
        } catch {
            throw FeedError(
                .malformed, "the certificate \(certificate) cannot be used", hint: Self.certificateHint, cause: error)
        }
    }

    private static let certificateHint =
        "It must be in PEM form: the certificate of this server, then the certificates of its issuers, as in fullchain.pem."

    private var noCertificate: FeedError {
        FeedError(.malformed, "\(certificate) contains no certificate", hint: Self.certificateHint)
    }

    private func chain() throws(FeedError) -> [NIOSSLCertificate] {
        let bytes = try Self.read(certificate, option: "--tls-cert")
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(bytes) else { throw noCertificate }
        return chain
    }

    private func privateKey() throws(FeedError) -> NIOSSLPrivateKey {
        let bytes = try Self.read(key, option: "--tls-key")
        guard !Self.isEncrypted(bytes) else {
            throw FeedError(
                .malformed, "the key \(key) is encrypted",
                hint: "Remove the passphrase with openssl pkey -in \(key) -out plain.pem, and protect the file instead."
            )
        }
        guard let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
            throw FeedError(
                .malformed, "\(key) contains no private key", hint: "It must be in PEM form, such as privkey.pem.")
        }
        return key
    }

    /// Whether a PEM file holds a key with a passphrase (PKCS #8 or the older form of OpenSSL).
    static func isEncrypted(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || text.contains("Proc-Type: 4,ENCRYPTED")
    }

    /// - Returns: At least one byte, because NIOSSL does not expect an empty file.
    private static func read(_ path: String, option: String) throws(FeedError) -> [UInt8] {
        // O_NONBLOCK: a pipe must not block.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, option, errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumSize + 1)
        var count = 0
        while count < bytes.count {
            let size = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            guard size >= 0 else { throw unreadable(path, option, errno) }
            if size == 0 { break }
            count += size
        }
        guard count <= maximumSize else {
            throw FeedError(.malformed, "\(path) is too large for a PEM file", hint: "Check \(option).")
        }
        return count == 0 ? [UInt8(ascii: "\n")] : Array(bytes.prefix(count))
    }

    private static func unreadable(_ path: String, _ option: String, _ code: Int32) -> FeedError {
        FeedError(
            .unavailable, "cannot read \(path): \(String(cString: strerror(code)))",
            hint: "Check \(option), and that the user of this server may read the file.")
    }
}

/// Identifies the content of a file without reading it. A replaced file has another inode; a modified file has another
/// time or size, or at least another time of its last change, which programs cannot set.
struct FileStamp: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let seconds: Int64
    private let nanoseconds: Int64
    /// The time of the last change, also of owner and mode, which decide whether the file can be read.
    private let changedSeconds: Int64
    private let changedNanoseconds: Int64
    private let size: Int64

    /// Follows symbolic links, since certbot replaces links; `nil` if the file does not exist.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        seconds = Int64(status.st_mtim.tv_sec)
        nanoseconds = Int64(status.st_mtim.tv_nsec)
        changedSeconds = Int64(status.st_ctim.tv_sec)
        changedNanoseconds = Int64(status.st_ctim.tv_nsec)
        size = Int64(status.st_size)
    }
}
