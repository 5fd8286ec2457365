import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// Translates the errors of AsyncHTTPClient and SwiftNIO into those of the client.
enum TransportError {
    /// - Parameter url: The URL of the request that has failed, if it is known.
    /// - Returns: A ``FeedClientError``, or `CancellationError`.
    static func translate(_ error: any Error, _ url: String? = nil) -> any Error {
        switch error {
        case is CancellationError, is FeedClientError: error
        case is NIOTooManyBytesError, NIOHTTPDecompression.DecompressionError.limit:
            FeedClientError(.failed, "The server's response is larger than \(Transport.maximumBody) bytes")
        case let error as HTTPClientError where error == .cancelled: CancellationError()
        default: connectionError(error, url)
        }
    }

    private static func connectionError(_ error: any Error, _ url: String?) -> FeedClientError {
        let hint = ConnectionFailure.hint(for: error, url) ?? "Check the address, and whether the server is running."
        if let reason = ConnectionFailure.reason(for: error) {
            return unreachable(reason, url, hint: hint, cause: error)
        }
        return FeedClientError(.network, otherMessage(for: error), hint: hint, cause: error)
    }

    static func unreachable(
        _ reason: String, _ url: String?, hint: String, cause: any Error
    ) -> FeedClientError {
        let server = url.flatMap(server) ?? "the server"
        return FeedClientError(.unreachable, "Cannot connect to \(server): \(reason)", hint: hint, cause: cause)
    }

    /// The URL without its path and query, which may hold secrets.
    private static func server(of url: String) -> String? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme, let host = parts.host else {
            return nil
        }
        return "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
    }

    /// Whether the server has not responded in time.
    static func isTimeout(_ error: (any Error)?) -> Bool {
        guard let error = error as? HTTPClientError else { return false }
        return error == .deadlineExceeded || error == .readTimeout
    }

    /// The descriptions of the errors name system calls, so they are for traces only.
    private static func otherMessage(for error: any Error) -> String {
        switch error {
        case _ where isTimeout(error): "The server does not respond in time"
        case let error as HTTPClientError where error == .writeTimeout: "The server no longer accepts data"
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            "The connection was lost: the server closed it"
        case is IOError, is ChannelError: "The connection was lost"
        case HTTPParserError.invalidEOFState, NIOSSLError.uncleanShutdown: "The connection ended early"
        case is HTTPParserError: "The server did not send a valid HTTP response"
        default: "The request failed"
        }
    }
}

/// Explains why no connection could be established.
enum ConnectionFailure {
    /// - Returns: `nil` for any other error, after which the server may have processed the request.
    static func reason(for error: any Error) -> String? {
        switch error {
        case let error as HTTPClientError where error == .connectTimeout || error == .tlsHandshakeTimeout:
            return "no response in time"
        case let error as NIOConnectionError: return reason(forConnection: error)
        case let error as IOError: return reason(forErrno: error.errnoCode)
        default: break
        }
        #if canImport(Network)
            // On Apple platforms, connections use Network.framework.
            if let error = error as? HTTPClient.NWPOSIXError { return reason(forErrno: error.errorCode.rawValue) }
            if error is HTTPClient.NWTLSError { return "a secure connection failed" }
        #endif
        return reason(forTLS: error)
    }

    private static func reason(forConnection error: NIOConnectionError) -> String {
        let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
        if let reason = codes.lazy.compactMap(reason(forErrno:)).first { return reason }
        let isUnknownHost = error.connectionErrors.isEmpty && (error.dnsAError != nil || error.dnsAAAAError != nil)
        return isUnknownHost ? "no such host" : "no connection could be established"
    }

    private static func reason(forErrno code: CInt) -> String? {
        switch code {
        case ECONNREFUSED: "connection refused"
        case ENETUNREACH, EHOSTUNREACH: "no route to the host"
        default: nil
        }
    }

    /// A hint that fits better than the general one.
    /// - Parameter url: The URL of the request that has failed without a response, if it is known.
    static func hint(for error: any Error, _ url: String?) -> String? {
        if isForOtherHost(error) {
            return "Use a host name that is in the certificate; a certificate for a name is not valid for the address."
        }
        guard let url, url.lowercased().hasPrefix("http:"), isRejection(error) else { return nil }
        return "Check the address, and whether the server is running; perhaps it uses https, not http."
    }

    /// Whether a server may have ended the connection because it expected something else, as one with TLS does.
    private static func isRejection(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as IOError: error.errnoCode == ECONNRESET
        case HTTPParserError.invalidEOFState, is ChannelError: false
        default: error is HTTPParserError
        }
    }

    /// Whether the certificate of the server was rejected. The error does not tell why; ``CertificateProbe`` finds out.
    static func isUntrusted(_ error: any Error) -> Bool {
        guard case .handshakeFailed(let cause)? = error as? NIOSSLError else { return false }
        return "\(cause)".contains("CERTIFICATE_VERIFY_FAILED")
    }

    private static func isForOtherHost(_ error: any Error) -> Bool {
        switch error {
        case let error as NIOSSLExtraError:
            error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch
        case NIOSSLError.unableToValidateCertificate: true
        default: false
        }
    }

    private static func reason(forTLS error: any Error) -> String? {
        switch error {
        case _ where isForOtherHost(error): "its certificate is for another host"
        case is NIOSSLError where isUntrusted(error): "its certificate is not trusted"
        case NIOSSLError.handshakeFailed: "it does not support TLS; perhaps it uses http, not https"
        default: nil
        }
    }
}
