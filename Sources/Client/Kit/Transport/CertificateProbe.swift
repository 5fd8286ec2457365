import FeedAPI
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Finds out why the certificate of a server is not trusted, which the error of the connection does not tell. It repeats
/// the TLS handshake, looks at the certificates and closes; nothing is sent.
enum CertificateProbe {
    private static let limit = TimeAmount.seconds(Int64(Timeout.seconds(10)))

    /// - Returns: `nil` if the server does not show a certificate.
    static func problem(of url: String) async -> CertificateProblem? {
        guard let url = URL(string: url), url.scheme?.lowercased() == "https", let host = url.host() else { return nil }
        // The host of an IPv6 address has brackets.
        let name = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        let chain = await chain(of: name, port: url.port ?? 443)
        return CertificateProblem(chain: chain, now: Int(Date().timeIntervalSince1970))
    }

    private static func chain(of host: String, port: Int) async -> [NIOSSLCertificate] {
        let received = FoundChain()
        guard let context = try? NIOSSLContext(configuration: .makeClientConfiguration()) else { return [] }
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(limit)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(
                        context: context, serverHostname: isAddress(host) ? nil : host,
                        customVerificationCallback: { chain, result in
                            received.chain.withLock { $0 = chain }
                            result.succeed(.failed)
                        })
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        guard let channel = try? await bootstrap.connect(host: host, port: port).get() else { return [] }
        let timeout = channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        // The handshake fails as soon as the certificates have been seen, which closes the connection.
        try? await channel.closeFuture.get()
        timeout.cancel()
        return received.chain.withLock { $0 }
    }

    /// Server name indication does not permit addresses.
    private static func isAddress(_ host: String) -> Bool {
        (try? SocketAddress(ipAddress: host, port: 0)) != nil
    }

    private final class FoundChain: Sendable {
        let chain = Mutex<[NIOSSLCertificate]>([])
    }
}

/// The reason why a client does not trust the certificate of a server.
enum CertificateProblem: Equatable, Sendable {
    case expired(Date)
    case notYetValid(Date)
    /// It is signed with its own key.
    case selfSigned
    /// The authority that has signed it is unknown.
    case unknownIssuer

    /// - Parameters:
    ///   - chain: The certificates of the server, its own one first.
    ///   - now: Seconds since 1970.
    init?(chain: [NIOSSLCertificate], now: Int) {
        guard let leaf = chain.first else { return nil }
        // An issuer in the chain may have expired as well.
        if let ended = chain.map(\.notValidAfter).filter({ $0 < now }).max() {
            self = .expired(Date(timeIntervalSince1970: Double(ended)))
        } else if let start = chain.map(\.notValidBefore).filter({ $0 > now }).max() {
            self = .notYetValid(Date(timeIntervalSince1970: Double(start)))
        } else {
            self = (try? CertificateNames(der: leaf.toDERBytes()))?.isSelfIssued == true ? .selfSigned : .unknownIssuer
        }
    }

    var reason: String {
        switch self {
        case .expired(let date): "its certificate expired on \(Self.day(date))"
        case .notYetValid(let date): "its certificate is not valid before \(Self.day(date))"
        case .selfSigned: "its certificate is self-signed"
        case .unknownIssuer: "its certificate is from an unknown authority"
        }
    }

    var hint: String {
        switch self {
        case .expired, .notYetValid:
            "Check the clock of this machine. If it is right, the operator of the server must renew the certificate."
        case .selfSigned, .unknownIssuer: Self.trustHint
        }
    }

    static let trustHint =
        "If the server is yours, trust its authority or its own certificate with --cacert FILE; otherwise, do not log in."

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}

/// The issuer and the subject of a certificate as encoded bytes (RFC 5280 §4.1).
struct CertificateNames: Equatable {
    let issuer: ArraySlice<UInt8>
    let subject: ArraySlice<UInt8>

    var isSelfIssued: Bool { issuer.elementsEqual(subject) }

    /// - Parameter der: The certificate in DER form; `nil` if it is malformed.
    init?(der: [UInt8]) {
        var outer = DERReader(der[...])
        guard let certificate = outer.next(tag: 0x30) else { return nil }
        var body = DERReader(certificate)
        guard let contents = body.next(tag: 0x30) else { return nil }
        var fields = DERReader(contents)
        // The version is optional; the serial number, the algorithm, the issuer, the validity and the subject follow.
        _ = fields.next(tag: 0xA0)
        guard fields.next(tag: 0x02) != nil, fields.next(tag: 0x30) != nil, let issuer = fields.next(tag: 0x30),
            fields.next(tag: 0x30) != nil, let subject = fields.next(tag: 0x30)
        else { return nil }
        (self.issuer, self.subject) = (issuer, subject)
    }
}

/// Reads the elements of a DER sequence (X.690 §8.1).
private struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The content of the next element, if it has this tag; otherwise nothing is consumed.
    mutating func next(tag: UInt8) -> ArraySlice<UInt8>? {
        var bytes = rest
        guard bytes.popFirst() == tag, let length = Self.length(&bytes), length <= bytes.count else { return nil }
        rest = bytes.dropFirst(length)
        return bytes.prefix(length)
    }

    /// Lengths of up to three bytes; longer certificates do not exist.
    private static func length(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.popFirst() else { return nil }
        guard first >= 0x80 else { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...3).contains(count), bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}

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
        guard !bytes.isEmpty, let parsed = try? NIOSSLCertificate.fromPEMBytes(Array(bytes)), !parsed.isEmpty else {
            throw FeedClientError(
                .usage, "\(file) contains no certificate",
                hint: "It must be in PEM form, beginning with -----BEGIN CERTIFICATE-----.")
        }
        certificates = parsed
    }
}
