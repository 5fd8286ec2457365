import FeedCore
import Foundation
import NIOCore

/// Converts errors of binding the listening socket to errors with a hint.
enum ListenFailure {
    /// - Parameter option: The option that sets the port.
    /// - Returns: A ``FeedError`` with a hint, or `error` itself if it is not related to listening.
    static func explain(_ error: any Error, _ settings: ServeSettings, option: String = "--port") -> any Error {
        switch error {
        case let error as IOError: explain(error, settings, option)
        case is SocketAddressError, is SocketAddressError.UnknownHost:
            FeedError(.malformed, "cannot resolve host \(settings.host)", hint: hostHint, cause: error)
        default: error
        }
    }

    private static let hostHint =
        "Check --host: 127.0.0.1 accepts connections from this machine only, 0.0.0.0 from all networks."

    private static func explain(_ error: IOError, _ settings: ServeSettings, _ option: String) -> FeedError {
        let address = settings.listensOnTCP ? settings.address(port: settings.port) : settings.socket?.address ?? ""
        switch error.errnoCode {
        case EADDRINUSE:
            return FeedError(
                .conflict, "\(address) is in use",
                hint: "Stop the program that uses it, or choose another port with \(option).",
                cause: error)
        case EACCES:
            return FeedError(
                .forbidden, "no permission to listen on \(address)",
                hint: "Choose a port above 1023 with \(option), or grant the program CAP_NET_BIND_SERVICE.",
                cause: error)
        case EADDRNOTAVAIL:
            return FeedError(
                .malformed, "\(settings.host) is not an address of this machine", hint: hostHint, cause: error)
        default:
            let reason = String(cString: strerror(error.errnoCode))
            return FeedError(
                .unavailable, "cannot listen on \(address): \(reason)", hint: "Check --host, \(option) and --listen.",
                cause: error)
        }
    }
}
