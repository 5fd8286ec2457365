import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// Why no connection came about, in plain words. Pure.
enum ConnectFailure {
    /// - Returns: `nil` when it is something else: there was a connection, and what was asked may have been done.
    static func words(for error: any Error) -> String? {
        switch error {
        case let error as HTTPClientError where error == .connectTimeout || error == .tlsHandshakeTimeout:
            "it does not answer in time"
        case let error as NIOConnectionError: connectionWords(error)
        case let error as IOError: systemWords(error)
        default: tlsWords("\(String(reflecting: type(of: error))) \(error)")
        }
    }

    private static func connectionWords(_ error: NIOConnectionError) -> String {
        let reasons = error.connectionErrors.compactMap { $0.error as? IOError }.compactMap(systemWords)
        if let reason = reasons.first { return reason }
        let isUnknown = error.connectionErrors.isEmpty && (error.dnsAError != nil || error.dnsAAAAError != nil)
        return isUnknown ? "there is no such host" : "no connection"
    }

    private static func systemWords(_ error: IOError) -> String? {
        switch error.errnoCode {
        case ECONNREFUSED: "it refuses the connection"
        case ENETUNREACH, EHOSTUNREACH: "there is no way to it from here"
        default: nil
        }
    }

    /// The library does not hand on the module whose errors these are, so they are known by their names.
    private static func tlsWords(_ text: String) -> String? {
        guard text.hasPrefix("NIOSSL.") else { return nil }
        if text.contains("CERTIFICATE_VERIFY_FAILED") { return "its certificate is not one to trust" }
        if text.contains("failedToValidateHostname") || text.contains("unableToValidateCertificate") {
            return "its certificate is for another host"
        }
        return text.contains("handshakeFailed") ? "it does not speak TLS; perhaps it is http, not https" : nil
    }
}
