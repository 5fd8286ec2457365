import FeedCore
import Foundation
import NIOCore

/// Why a server cannot listen, in words for the operator.
enum ListenFailure {
    /// - Returns: `error` itself when it has nothing to do with listening.
    static func explain(_ error: any Error, _ settings: ServeSettings) -> any Error {
        switch error {
        case let error as IOError: explain(error, settings)
        case is SocketAddressError, is SocketAddressError.UnknownHost:
            FeedError(.malformed, "there is no host \(settings.host)", hint: hostHint, cause: error)
        default: error
        }
    }

    private static let hostHint =
        "Check --host: 127.0.0.1 is for this machine alone, 0.0.0.0 for all that can reach it."

    private static func explain(_ error: IOError, _ settings: ServeSettings) -> FeedError {
        let address = settings.address(port: settings.port)
        switch error.errnoCode {
        case EADDRINUSE:
            return FeedError(
                .conflict, "\(address) is in use",
                hint: "Stop the program that uses it, or choose another port with --port.",
                cause: error)
        case EACCES:
            return FeedError(
                .forbidden, "not allowed to listen on \(address)", hint: "Choose a port above 1023 with --port.",
                cause: error)
        case EADDRNOTAVAIL:
            return FeedError(
                .malformed, "\(settings.host) is no address of this machine", hint: hostHint, cause: error)
        default:
            let reason = String(cString: strerror(error.errnoCode))
            return FeedError(
                .unavailable, "cannot listen on \(address): \(reason)", hint: "Check --host and --port.", cause: error)
        }
    }
}
