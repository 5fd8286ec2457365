import NIOCore

/// The options of a socket that carries a stream.
enum StreamSocket {
    /// The kernel's buffer for a client that does not read, in bytes. It would otherwise grow to megabytes.
    private static let sendBuffer: Int = 64 * 1024
    /// After how many milliseconds without an acknowledgment the connection is closed. The kernel would wait a quarter
    /// of an hour for a client that has vanished.
    static let timeout: Int = 60_000
    /// `TCP_USER_TIMEOUT` (RFC 5482), which SwiftNIO has no name for.
    static let userTimeout = NIOBSDSocket.Option(rawValue: 18)

    /// Fails on Unix sockets, which need neither.
    /// - Parameter channel: The channel of a connection, or of a stream of HTTP/2.
    static func prepare(_ channel: any Channel) {
        // The parent of a connection is the channel that listens.
        let isStream = channel.parent?.parent != nil
        guard let options = (isStream ? channel.parent : channel)?.syncOptions else { return }
        try? options.setOption(ChannelOptions.tcpOption(userTimeout), value: timeout)
        // The streams of HTTP/2 share a connection with other responses.
        if !isStream { try? options.setOption(ChannelOptions.socketOption(.so_sndbuf), value: sendBuffer) }
    }
}
