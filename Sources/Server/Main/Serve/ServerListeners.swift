import FeedAPI
import FeedCore
import FeedTerminal
import FeedWeb
import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Waits for all listening sockets, announces the address, and ends the server when one of them fails.
final class ServerListeners: Sendable {
    private struct State {
        /// The number of sockets that are not bound yet.
        var remaining: Int
        /// The TCP port, if one is bound.
        var port: Int?
        var problem: (any Error)?
    }

    private let settings: ServeSettings
    private let demo: DemoFeed
    private let logger: Logger
    private let state: Mutex<State>

    /// The error that prevented the server from starting or from accepting connections, if any.
    var failure: (any Error)? { state.withLock { $0.problem } }

    /// The addresses on which the server listens.
    var addresses: [String] {
        let socket = settings.socket.map { [$0.address] } ?? []
        return (settings.listensOnTCP ? [settings.address(port: port ?? settings.port)] : []) + socket
    }

    /// The configured public URL, if any.
    var baseURL: String? { settings.baseURL }

    /// The TCP port of the server, once it is bound.
    var port: Int? { state.withLock { $0.port } }

    init(settings: ServeSettings, demo: DemoFeed, logger: Logger) {
        self.settings = settings
        self.demo = demo
        self.logger = logger
        let sockets = [settings.listensOnTCP, settings.socket != nil, settings.tls?.redirectPort != nil]
        state = Mutex(State(remaining: sockets.count { $0 }))
    }

    /// Runs after a socket is bound. After the last one, sets the demo password and announces the address, so that a
    /// second server that fails to start on the same folder does not change the password of the first one.
    func run(_ channel: any Channel) async {
        state.withLock { state in
            if let port = channel.localAddress?.port { state.port = port }
        }
        if channel.localAddress?.port == nil { settings.socket?.restrictAccess() }
        await finish(channel)
    }

    /// Runs after the port that redirects to https is bound.
    func redirectIsBound(_ channel: any Channel) async { await finish(channel) }

    /// Stops the server when a listening socket has failed: without it, the process would live on until its last
    /// connection ends.
    func listenerFailed(_ error: IOError) {
        let failure = FeedError(
            .unavailable, "the server can no longer accept connections", hint: "Start it again.", cause: error)
        let isFirst = state.withLock { state in
            defer { state.problem = state.problem ?? failure }
            return state.problem == nil
        }
        guard isFirst else { return }
        logger.critical("a listening socket has failed", metadata: ["error": "\(error)"])
        // Once, because a second signal would end the process at once.
        kill(getpid(), SIGTERM)
    }

    private func finish(_ channel: any Channel) async {
        let isReady = state.withLock { state in
            state.remaining -= 1
            return state.remaining == 0
        }
        guard isReady else { return }
        do {
            announce(try await demo.login(settings))
            if try await demo.isFeedEmpty() {
                StandardError.line("the feed has no accounts yet; add the first one with:")
                StandardError.line("  feedserver account add NAME --role admin --data \(demo.folder)")
            }
        } catch {
            state.withLock { $0.problem = error }
            // Closing the channel stops the server before anyone can log in with the documented default password.
            try? await channel.close()
        }
    }

    private func announce(_ login: DemoFeed.Login?) {
        let address = port.map(settings.address) ?? settings.socket?.address ?? settings.address(port: settings.port)
        if let login {
            let link = settings.baseURL ?? port.map(settings.localAddress) ?? address
            StandardError.line(
                "open \(link) in a browser; in a Mastodon app or with feedclient login \(link), "
                    + "log in as \(login.username) with \(login.password)")
        }
        try? FileHandle.standardOutput.write(contentsOf: Data("listening on \(address)\n".utf8))
    }
}

/// Converts errors of binding a listening socket to errors with a hint.
enum ListenError {
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

/// The servers of all listening sockets. As one service, they stop accepting connections at the same time, and have the
/// same time to finish their requests.
struct ListenerGroup: Service {
    let servers: [any Service]

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for server in servers { group.addTask { try await server.run() } }
        }
    }
}

/// The queue of connections waiting to be accepted.
enum ListenQueue {
    /// The maximum allowed by the system. In a burst, clients whose connection does not fit retry only after a second.
    static var maximum: Int {
        let text = try? String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 4096
    }
}

/// The plain HTTP port that redirects to https.
struct RedirectServer: Service {
    private let server: HTTPServer
    private let settings: ServeSettings
    private let port: Int

    /// - Parameters:
    ///   - port: The plain HTTP port.
    ///   - limiter: Counts its connections together with the connections of the other ports.
    init(
        _ settings: ServeSettings, _ services: Services, port: Int, limiter: ConnectionLimiter,
        listeners: ServerListeners, logger: Logger
    ) {
        self.settings = settings
        self.port = port
        let redirect = HTTPSRedirect(
            configured: settings.baseURL, challenges: settings.tls?.acmeFolder.map { ACMEChallenges(folder: $0) },
            port: { listeners.port ?? settings.port })
        server = HTTPServer(
            RequestHandler(redirect, services), limiter: limiter, address: .tcp(host: settings.host, port: port),
            backlog: ListenQueue.maximum
        ) { channel in
            // Fails only if the server is already stopping.
            try? await AcceptBackoff.install(on: channel, logger: logger, onLoss: listeners.listenerFailed)
            await listeners.redirectIsBound(channel)
        }
    }

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            var settings = settings
            (settings.port, settings.tls) = (port, nil)
            throw ListenError.explain(error, settings, option: "--redirect-port")
        }
    }
}
