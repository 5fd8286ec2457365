import ArgumentParser
import FeedCore
import Foundation

/// The address of the server: reachable from this machine only or from others, and its URL.
extension ServeSettings {
    /// Whether the server can be reached from this machine only, judging by its listening address, its public URL, which
    /// may be that of a proxy, and its proxies.
    var isLoopback: Bool {
        let told = baseURL.map { URL(string: $0)?.host() ?? "" }
        return Loopback.contains(host) && Loopback.contains(told ?? host) && proxies.isEmpty
    }

    /// The URL of the server with a port.
    func address(port: Int) -> String { address(of: host, port: port) }

    /// The URL of the server for a browser of this machine, which cannot open the address of all networks.
    func localAddress(port: Int) -> String {
        switch host {
        case "0.0.0.0": address(of: "127.0.0.1", port: port)
        case "::": address(of: "::1", port: port)
        default: address(port: port)
        }
    }

    private func address(of host: String, port: Int) -> String {
        (tls == nil ? "http://" : "https://") + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }
}

/// The Unix domain socket of `--listen`, through which a proxy on the same machine connects.
struct UnixSocket: Sendable, Equatable {
    /// The maximum length of a path in bytes (`sun_path` without its terminating zero).
    private static let maximumLength = 107

    let path: String

    /// Parses `unix:PATH`; `nil` if the path is missing or too long.
    init?(argument: String) {
        guard argument.hasPrefix("unix:") else { return nil }
        path = String(argument.dropFirst("unix:".count))
        guard (1...Self.maximumLength).contains(path.utf8.count) else { return nil }
    }

    var address: String { "unix:" + path }

    /// Removes the socket of a server that has ended.
    /// - Throws: ``FeedError`` `.conflict` if a server is listening, or if the file is not a socket.
    func removeStale() throws(FeedError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw FeedError(.conflict, "\(path) is not a socket", hint: "Choose another path with --listen unix:PATH.")
        }
        guard !isListening else {
            throw FeedError(
                .conflict, "\(address) is in use",
                hint: "Stop the program that uses it, or choose another path with --listen unix:PATH.")
        }
        unlink(path)
    }

    /// Restricts connections to the owner and the group.
    func restrictAccess() { chmod(path, 0o660) }

    func remove() { unlink(path) }

    private var isListening: Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) } == 0
        }
    }
}

extension UnixSocket: ExpressibleByArgument {}

/// Recognizes loopback hosts.
enum Loopback {
    /// Whether `host` is `localhost`, `::1` or in 127.0.0.0/8.
    static func contains(_ host: String) -> Bool {
        let host = host.lowercased()
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
    }
}
