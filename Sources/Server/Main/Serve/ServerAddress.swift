public import ArgumentParser
import FeedCore
import FeedStore
public import FeedTerminal
import FeedWeb
import Foundation
public import Logging

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
