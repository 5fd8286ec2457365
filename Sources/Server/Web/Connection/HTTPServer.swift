package import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle
import Synchronization

/// Accepts connections at one address. Its graceful shutdown finishes the requests that have begun.
package struct HTTPServer: Service {
    private let setup: ConnectionPipeline
    private let address: ListenAddress
    private let backlog: Int
    private let onRunning: @Sendable (any Channel) async -> Void
    private let connections = OpenChannels()

    /// - Parameters:
    ///   - certificates: For TLS; `nil` for plain HTTP.
    ///   - backlog: The length of the queue of connections that wait to be accepted.
    ///   - onRunning: Called with the listening channel before the first connection is accepted.
    package init(
        _ handler: RequestHandler, limiter: ConnectionLimiter, certificates: TLSCertificates? = nil,
        address: ListenAddress,
        backlog: Int = 256, tasks: OpenTasks = OpenTasks(), onRunning: @escaping @Sendable (any Channel) async -> Void
    ) {
        setup = ConnectionPipeline(handler: handler, limiter: limiter, certificates: certificates, tasks: tasks)
        self.address = address
        self.backlog = backlog
        self.onRunning = onRunning
    }

    package func run() async throws {
        let quiescing = ServerQuiescingHelper(group: MultiThreadedEventLoopGroup.singleton)
        let channel = try await bind(quiescing)
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await onRunning(channel)
                // Accepts from now on. Fails only if the channel has been closed.
                try? await channel.setOption(.autoRead, value: true).get()
                try? await channel.closeFuture.get()
                let ended = channel.eventLoop.makePromise(of: Void.self)
                quiescing.initiateShutdown(promise: ended)
                try? await ended.futureResult.get()
            } onGracefulShutdown: {
                quiescing.initiateShutdown(promise: nil)
            }
        } onCancel: {
            channel.close(promise: nil)
            connections.close()
        }
        await setup.tasks.wait()
    }

    private func bind(_ quiescing: ServerQuiescingHelper) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: CInt(clamping: backlog))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.autoRead, value: false)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = quiescing.makeServerChannelHandler(channel: channel)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [setup, connections] channel in
                channel.eventLoop.makeCompletedFuture {
                    connections.add(channel)
                    try setup.add(to: channel)
                }
            }
        switch address {
        case .tcp(let host, let port): return try await bootstrap.bind(host: host, port: port).get()
        case .unix(let path):
            return try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        }
    }
}

/// The address on which a server listens.
package enum ListenAddress: Sendable {
    case tcp(host: String, port: Int)
    case unix(path: String)
}

/// The open connections of a server.
private final class OpenChannels: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        channels.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { [weak self] _ in
            _ = self?.channels.withLock { $0.removeValue(forKey: id) }
        }
    }

    func close() { for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) } }
}
