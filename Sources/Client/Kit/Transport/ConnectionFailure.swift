import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// Explains why no connection could be established. Pure.
enum ConnectionFailure {
    /// - Returns: `nil` for any other error, after which the server may have processed the request.
    static func reason(for error: any Error) -> String? {
        switch error {
        case let error as HTTPClientError where error == .connectTimeout || error == .tlsHandshakeTimeout:
            return "it does not respond in time"
        case let error as NIOConnectionError: return reason(forConnection: error)
        case let error as IOError: return reason(forErrno: error.errnoCode)
        default: break
        }
        #if canImport(Network)
            // On Apple platforms, connections use Network.framework.
            if let error = error as? HTTPClient.NWPOSIXError { return reason(forErrno: error.errorCode.rawValue) }
            if error is HTTPClient.NWTLSError { return "a secure connection failed" }
        #endif
        return reason(forTLS: "\(String(reflecting: type(of: error))) \(error)")
    }

    private static func reason(forConnection error: NIOConnectionError) -> String {
        let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
        if let reason = codes.lazy.compactMap(reason(forErrno:)).first { return reason }
        let isUnknownHost = error.connectionErrors.isEmpty && (error.dnsAError != nil || error.dnsAAAAError != nil)
        return isUnknownHost ? "there is no such host" : "no connection could be established"
    }

    private static func reason(forErrno code: CInt) -> String? {
        switch code {
        case ECONNREFUSED: "it refuses the connection"
        case ENETUNREACH, EHOSTUNREACH: "there is no route to it"
        default: nil
        }
    }

    /// AsyncHTTPClient does not re-export the module that defines these errors, so that only their names identify them.
    private static func reason(forTLS text: String) -> String? {
        guard text.hasPrefix("NIOSSL.") else { return nil }
        if text.contains("CERTIFICATE_VERIFY_FAILED") { return "its certificate is not trusted" }
        if text.contains("failedToValidateHostname") || text.contains("unableToValidateCertificate") {
            return "its certificate is for another host"
        }
        return text.contains("handshakeFailed") ? "it does not support TLS; perhaps it uses http, not https" : nil
    }
}
