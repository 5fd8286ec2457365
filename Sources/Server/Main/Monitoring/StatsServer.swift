import FeedAPI
import FeedCore
import FeedFolders
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
        _ database: FeedDatabase, folder: String, monitor: ServerMetrics, listeners: ServerListeners, logger: Logger
    ) -> [any Service] {
        if !database.isShared { StatsSocket.removeAll(in: folder) }
        do {
            let server = try StatsServer(StatsSocket(data: folder), logger: logger) {
                await ServerStats.collect(monitor, database, listeners)
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
        try? await AcceptBackoff.install(on: listener.channel, logger: logger)
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
enum StatsClient {
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

/// The Unix sockets in the data folder through which running servers answer `feedserver stats`.
///
/// A name contains the id of the running system, because a socket in a folder that several machines share cannot be
/// reached from another machine, but still belongs to a running server.
struct StatsSocket: Sendable, Equatable {
    /// The maximum length of a path in bytes (`sun_path` without its terminating zero).
    private static let maximumLength = 107
    private static let (folderName, ending) = ("run", ".sock")

    /// `nil` if the data folder has no folder for sockets.
    private let folder: Folder?
    private let data: String
    let name: String

    /// The path of the socket, for messages.
    var path: String { data + "/" + Self.folderName + "/" + name }

    /// The name of a new socket of this process.
    init(data: String) {
        let random = String(UInt32.random(in: .min ... .max), radix: 16)
        self.init(data: data, name: "\(Self.system)-\(getpid())-\(random)\(Self.ending)", creating: true)
    }

    private init(data: String, name: String, creating: Bool = false) {
        self.data = data
        self.name = name
        folder = try? Folder(data).folder(Self.folderName, creating: creating)
    }

    static func == (left: StatsSocket, right: StatsSocket) -> Bool { left.path == right.path }

    /// The sockets of servers on this machine, including servers that have crashed.
    static func all(in data: String) -> [StatsSocket] { all(in: data, system: system) }

    /// - Parameter system: `nil` for the sockets of all machines.
    private static func all(in data: String, system: String?) -> [StatsSocket] {
        let folder = try? Folder(data).folder(folderName)
        return ((try? folder?.names()) ?? []).sorted().filter { name in
            let parts = name.dropLast(ending.utf8.count).utf8.split(separator: UInt8(ascii: "-")).map(Substring.init)
            let isSocket = folder?.status(name).map { $0.st_mode & S_IFMT == S_IFSOCK } ?? false
            return isSocket && name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) && parts.count == 3
                && Int32(parts[1]) != nil && (system == nil || parts[0] == system ?? "")
        }
        .map { StatsSocket(data: data, name: $0) }
    }

    /// Creates the folder and a listening socket that only this user can connect to.
    /// - Returns: The descriptor of the socket.
    /// - Throws: ``FeedError`` `.storage` if the file system does not support sockets.
    func listen() throws(FeedError) -> Int32 {
        _ = try? folder?.restrictAccess()
        guard let descriptor = Self.make() else { throw failure }
        // The socket gets the mode of the descriptor.
        let isBound = fchmod(descriptor, 0o600) == 0 && withAddress { bind(descriptor, $0, $1) } == 0
        guard isBound, Glibc.listen(descriptor, 16) == 0 else {
            let error = failure
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Connects to the server.
    /// - Returns: The descriptor; `nil` if no server is listening, or if it does not accept the connection within ten
    ///   seconds. The socket of a server that has crashed is removed.
    func connect() -> Int32? {
        guard let descriptor = Self.make() else { return nil }
        var patience = timeval(tv_sec: Timeout.seconds(10), tv_usec: 0)
        // SO_SNDTIMEO limits `connect`, which otherwise waits while the queue of the listening socket is full.
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        if withAddress({ Glibc.connect(descriptor, $0, $1) }) == 0 { return descriptor }
        if errno == ECONNREFUSED { remove() }
        close(descriptor)
        return nil
    }

    func remove() { _ = try? folder?.removeFile(name) }

    /// Removes the sockets of servers that have ended. Only for the one server of a folder.
    static func removeAll(in data: String) {
        for socket in all(in: data, system: nil) { socket.remove() }
    }

    /// The start of the id of the running system, the same in all containers.
    private static var system: String {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text.map { String($0.prefix(8)) } ?? "local"
    }

    private static func make() -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        return descriptor >= 0 ? descriptor : nil
    }

    private var failure: FeedError {
        FeedError(.storage, "cannot create \(path): \(String(cString: strerror(errno)))")
    }

    /// Calls `body` with the address, a path through the open folder.
    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32? {
        folder.flatMap { Self.withAddress("/proc/self/fd/\($0.descriptor)/\(name)", body) }
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32? {
        guard path.utf8.count <= maximumLength else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
