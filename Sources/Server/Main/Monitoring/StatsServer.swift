import FeedCore
import FeedStore
import FeedWeb
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Answers each connection to the server's ``StatsSocket`` with one ``ServerStats`` in JSON.
struct StatsServer: Service {
    private let socket: StatsSocket
    /// The listening socket.
    private let descriptor: Int32
    private let logger: Logger
    private let stats: @Sendable () async -> ServerStats

    /// Creates the socket, so that it exists before the server announces its address.
    /// - Throws: ``FeedError`` `.storage` if the file system does not support sockets.
    private init(
        _ socket: StatsSocket, logger: Logger, stats: @escaping @Sendable () async -> ServerStats
    ) throws(FeedError) {
        self.socket = socket
        self.logger = logger
        self.stats = stats
        descriptor = try socket.listen()
    }

    /// The service; empty, with a line in the log, if the file system does not support sockets.
    static func make(
        _ database: FeedDatabase, folder: String, monitor: ServerMonitor, startup: ServerStartup, logger: Logger
    ) -> [any Service] {
        if !database.isShared { StatsSocket.removeAll(in: folder) }
        do {
            let server = try StatsServer(StatsSocket(data: folder), logger: logger) {
                await ServerStats.collect(monitor, database, addresses: startup.addresses)
            }
            return [server]
        } catch {
            logger.warning("feedserver stats is not available", metadata: ["error": "\(error)"])
            return []
        }
    }

    func run() async throws {
        defer { socket.remove() }
        do {
            try await cancelWhenGracefulShutdown { try await serve() }
        } catch  where !Task.isCancelled && !Task.isShuttingDownGracefully {
            logger.error("feedserver stats is no longer available", metadata: ["error": "\(error)"])
        } catch {}
        // Returning earlier would stop the server.
        try? await gracefulShutdown()
    }

    private func serve() async throws {
        let listener = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup).bind(descriptor) { client in
            client.eventLoop.makeSucceededFuture(client)
        }
        // Fails only if the server is already stopping.
        try? await AcceptPause.install(on: listener.channel, logger: logger)
        try await listener.executeThenClose { clients in
            // One after the other: a response fits into the buffer of a socket.
            for try await client in clients { try? await answer(client) }
        }
    }

    private func answer(_ client: any Channel) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(await stats())
        try await client.writeAndFlush(ByteBuffer(bytes: json + Data("\n".utf8))).get()
        try await client.close().get()
    }
}

/// Asks running servers for their figures.
enum StatsReader {
    private static let maximumBytes = 1 << 16

    /// The figures of all servers of a data folder on this machine, in no particular order.
    static func read(data: String) -> [ServerStats] {
        StatsSocket.all(in: data).compactMap { socket in
            guard let descriptor = socket.connect() else { return nil }
            defer { close(descriptor) }
            return try? JSONDecoder().decode(ServerStats.self, from: contents(descriptor))
        }
    }

    /// Everything that the server sends until it closes the connection.
    private static func contents(_ descriptor: Int32) -> Data {
        var (contents, block) = (Data(), [UInt8](repeating: 0, count: 4096))
        while contents.count < maximumBytes {
            let count = recv(descriptor, &block, block.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            contents.append(contentsOf: block[..<count])
        }
        return contents
    }
}
