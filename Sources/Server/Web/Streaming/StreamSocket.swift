import NIOCore

/// The options of a socket that carries a stream.
enum StreamSocket {
    /// The kernel's buffer for a client that does not read, in bytes. It would otherwise grow to megabytes.
    private static let sendBuffer: Int = 64 * 1024
    /// After how many milliseconds without an acknowledgment the connection is closed. The kernel would wait a quarter
    /// of an hour for a client that has vanished.
    private static let timeout: Int = 60_000
    /// `TCP_USER_TIMEOUT` (RFC 5482), which SwiftNIO has no name for.
    private static let userTimeout = NIOBSDSocket.Option(rawValue: 18)

    /// Fails on Unix sockets, which need neither.
    static func prepare(_ channel: any Channel) {
        // The streams of HTTP/2 share a connection with other responses.
        guard channel.parent?.parent == nil, let options = channel.syncOptions else { return }
        try? options.setOption(ChannelOptions.socketOption(.so_sndbuf), value: sendBuffer)
        try? options.setOption(ChannelOptions.tcpOption(userTimeout), value: timeout)
    }
}
