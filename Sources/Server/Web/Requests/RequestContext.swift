import FeedCore
import Foundation
import HTTPTypes
import Logging
package import NIOCore
import Synchronization

/// The connection of a request, or its stream of HTTP/2.
package struct ClientConnection: Sendable {
    let channel: any Channel
    /// Whether the connection itself uses TLS, whatever a proxy reports.
    let isEncrypted: Bool
    /// The IP address of the other end; `nil` for a Unix socket.
    let peer: String?

    package init(channel: any Channel, isEncrypted: Bool) {
        self.channel = channel
        self.isEncrypted = isEncrypted
        peer = channel.remoteAddress?.ipAddress
    }
}

/// An outbound event that a task triggers before it reads the body. The client may be waiting for `100 Continue`
/// (RFC 9110 §10.1.1).
struct WantsBody: Sendable {}

/// The findings of the rules about a request.
package struct RequestContext: Sendable {
    let connection: ClientConnection
    /// The client's IP address, or `local` for an unnamed client of a Unix socket.
    var address: String
    /// Whether the request comes from a trusted proxy.
    var isProxied = false
    /// The id of the request in the log.
    var requestID = ""
    /// The secret of the caller's token.
    var token: String?
    var caller = Caller.anonymous
    /// `nil` if there is none at the address, and before it is known.
    var endpoint: Endpoint?
    var parameters = PathParameters()

    init(_ connection: ClientConnection, _ client: RequestClient) {
        self.connection = connection
        (address, isProxied) = (client.address, client.isProxied)
    }

    var channel: any Channel { connection.channel }
    var isEncrypted: Bool { connection.isEncrypted }

    /// Whether the kernel can send files on this connection, which requires a TCP socket without TLS.
    var sendsFiles: Bool { !isEncrypted && connection.peer != nil }

    var logger: Logger { Logger(label: "feedserver") }

    /// The key under which limits count the client.
    var client: RateKey { caller.viewer.map { .account($0.account.id) } ?? RateKey(address: address) }

    /// Begins to read the body. Sends `100 Continue` if the client waits for it (RFC 9110 §10.1.1).
    func readBody() { channel.triggerUserOutboundEvent(WantsBody(), promise: nil) }

    /// Calls a closure once the client has left, without a task or a timer. Further calls replace the closure.
    func onDisconnect(_ notify: @escaping @Sendable () -> Void) {
        channel.eventLoop.execute { [channel] in
            channel.triggerUserOutboundEvent(WatchDisconnect(notify: notify), promise: nil)
            // A closed channel no longer has handlers. A channel without a parent is an embedded one, in tests.
            if channel.parent != nil, !channel.isActive { notify() }
        }
    }
}

/// An outbound event, with which a waiting request asks to be notified when its client disconnects. It replaces an
/// earlier one of the same connection or stream.
struct WatchDisconnect: Sendable {
    let notify: @Sendable () -> Void
}

/// Tells the request that waits on a connection that the client has left. A client that has only finished sending counts
/// as having left, because the two cannot be distinguished.
struct DisconnectWatch {
    private var hasLeft = false
    private var notify: (@Sendable () -> Void)?

    mutating func watch(_ event: WatchDisconnect) {
        if hasLeft { event.notify() } else { notify = event.notify }
    }

    mutating func end() {
        hasLeft = true
        notify?()
        notify = nil
    }
}

/// Determines the client of each request from the connection and the fields of trusted proxies.
final class ClientAddress: Sendable {
    /// The address of an unnamed client of a Unix socket.
    private static let local = "local"

    private let settings: ReloadableSettings
    private let logger = Logger(label: "feedserver")
    private let hasWarned = Atomic(false)

    init(settings: ReloadableSettings) { self.settings = settings }

    func client(of request: Request, on connection: ClientConnection) -> RequestClient {
        let proxies = settings.proxies
        // Most servers have no proxies, so that no address needs to be parsed.
        let peer = proxies.isEmpty ? nil : connection.peer.flatMap { IPAddress($0) }
        guard !proxies.isEmpty, proxies.isTrusted(peer) else {
            warn(request, connection)
            return RequestClient(
                address: connection.peer ?? Self.local, isProxied: false, isSecure: connection.isEncrypted)
        }
        let client = proxies.client(
            peer: peer, lines: request.headers[values: .name(of: proxies.header)],
            protocols: request.headers[values: .forwardedProto])
        return RequestClient(address: client.address, isProxied: true, isSecure: client.isSecure)
    }

    /// Without the option, all visitors behind a proxy share the limits of one address.
    private func warn(_ request: Request, _ connection: ClientConnection) {
        guard request.headers.contains(.forwardedFor) || request.headers.contains(.forwarded),
            !hasWarned.exchange(true, ordering: .relaxed)
        else { return }
        logger.warning(
            "ignoring the client address from an untrusted proxy; if the proxy is yours, add --trusted-proxy",
            metadata: ["proxy": "\(connection.peer ?? "unix")"])
    }
}

/// The client of a request.
struct RequestClient {
    /// The IP address, or `local` for an unnamed client of a Unix socket.
    let address: String
    /// Whether a trusted proxy has reported the client.
    let isProxied: Bool
    /// Whether the client uses TLS.
    let isSecure: Bool
}

extension HTTPField.Name {
    fileprivate static func name(of header: TrustedProxies.Header) -> Self {
        switch header {
        case .xForwardedFor: .forwardedFor
        case .forwarded: .forwarded
        }
    }
}

/// Names requests, so that log lines and responses can be matched.
enum RequestID {
    private static let maximumLength = 64
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let random = Mutex(RandomNumbers())

    /// The id that a trusted proxy has given a request, or a new one if it is missing or malformed.
    static func make(proposed: String?) -> String {
        guard let proposed, isValid(proposed) else { return make() }
        return proposed
    }

    /// Whether `text` consists of 1 to 64 letters, digits, dots, underscores and hyphens.
    static func isValid(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// 13 random characters, so that an id tells nothing about others.
    private static func make() -> String {
        var bits = random.withLock { $0.next() }
        return String(unsafeUninitializedCapacity: 13) { buffer in
            for index in buffer.indices.prefix(13) {
                buffer[index] = alphabet[Int(bits & 31)]
                bits >>= 5
            }
            return 13
        }
    }
}

/// Random numbers of the system, of which one call returns many.
private struct RandomNumbers {
    private var numbers: [UInt64] = []

    mutating func next() -> UInt64 {
        if numbers.isEmpty {
            var bytes = [UInt64](repeating: 0, count: 32)
            // Fails for more than 256 bytes only.
            _ = bytes.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
            numbers = bytes
        }
        return numbers.removeLast()
    }
}
