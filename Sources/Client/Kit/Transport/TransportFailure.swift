import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL

/// Translates the errors of AsyncHTTPClient and SwiftNIO into those of the client.
enum TransportFailure {
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
        let hint = ConnectionFailure.hint(for: error) ?? "Check the address, and whether the server is running."
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

    /// The descriptions of the errors name system calls, so they are for traces only.
    private static func otherMessage(for error: any Error) -> String {
        switch error {
        case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout:
            "The server does not respond in time"
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
