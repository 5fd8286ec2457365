import Foundation
import NIOSSL

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
