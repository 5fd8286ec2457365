import FeedCore
import Foundation

/// The Unix sockets in the data folder through which running servers answer `feedserver stats`.
///
/// A name contains the id of the running system, because a socket in a folder that several machines share cannot be
/// reached from another machine, but belongs to a running server all the same.
struct StatsSocket: Sendable, Equatable {
    /// The maximum length of a path in bytes (`sun_path` without its terminating zero).
    private static let maximumLength = 107
    private static let ending = ".sock"

    let folder: String
    let name: String

    var path: String { folder + "/" + name }

    static func folder(of data: String) -> String { data + "/run" }

    /// The name of a new socket of this process.
    init(data: String) {
        folder = Self.folder(of: data)
        name = Self.system + "-\(getpid())-" + String(UInt32.random(in: .min ... .max), radix: 16) + Self.ending
    }

    private init(folder: String, name: String) {
        self.folder = folder
        self.name = name
    }

    /// The sockets of servers on this machine, including servers that have crashed.
    static func all(in data: String) -> [StatsSocket] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder(of: data))) ?? []
        return names.sorted().filter { $0.hasPrefix(system + "-") && $0.hasSuffix(ending) }
            .map { StatsSocket(folder: folder(of: data), name: $0) }
    }

    /// Creates the folder and a listening socket that only this user can connect to.
    /// - Returns: The descriptor of the socket.
    /// - Throws: ``FeedError`` `.storage` if the file system does not support sockets.
    func listen() throws(FeedError) -> Int32 {
        mkdir(folder, 0o700)
        chmod(folder, 0o700)
        guard let descriptor = Self.make() else { throw failure }
        // Nobody else can connect before the mode is set, because the folder is private.
        let isBound = withAddress { bind(descriptor, $0, $1) } == 0
        guard isBound, chmod(path, 0o600) == 0, Glibc.listen(descriptor, 16) == 0 else {
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
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        // SO_SNDTIMEO limits `connect`, which otherwise waits while the queue of the listening socket is full.
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        if withAddress({ Glibc.connect(descriptor, $0, $1) }) == 0 { return descriptor }
        if errno == ECONNREFUSED { remove() }
        close(descriptor)
        return nil
    }

    func remove() { unlink(path) }

    /// Removes the sockets of servers that have ended. Only for the one server of a folder.
    static func removeAll(in data: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder(of: data))) ?? []
        for name in names where name.hasSuffix(ending) { StatsSocket(folder: folder(of: data), name: name).remove() }
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

    /// Calls `body` with the address. A path that is too long is replaced by one through the open folder.
    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32? {
        guard path.utf8.count > Self.maximumLength else { return Self.withAddress(path, body) }
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        return Self.withAddress("/proc/self/fd/\(opened)/\(name)", body)
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
