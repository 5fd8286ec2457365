import FeedCore
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestKit
import Testing

@testable import FeedWeb

/// The address of the client, from the connection and the fields of proxies.
@Suite(.hangLimit)
struct ClientAddressTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The other end of the connection; `nil` for a Unix socket.
        var peer: String?
        var trusted: [String] = []
        var header = TrustedProxies.Header.xForwardedFor
        var fields: [(String, String)] = []
        var isEncrypted = false
        let address: String
        var isProxied = false
        var isSecure = false

        var testDescription: String { "\(peer ?? "unix") \(trusted) \(fields) → \(address)" }
    }

    static let rows: [Row] = [
        // Without a proxy.
        Row(peer: "192.0.2.1", address: "192.0.2.1"),
        Row(peer: "192.0.2.1", isEncrypted: true, address: "192.0.2.1", isSecure: true),
        Row(peer: nil, address: "local"), Row(peer: "2001:db8::1", address: "2001:db8::1"),
        // Fields of others change nothing.
        Row(
            peer: "192.0.2.1", fields: [("X-Forwarded-For", "10.0.0.1"), ("X-Forwarded-Proto", "https")],
            address: "192.0.2.1"),
        Row(
            peer: "192.0.2.1", trusted: ["198.51.100.0/24"], fields: [("X-Forwarded-For", "10.0.0.1")],
            address: "192.0.2.1"),
        Row(peer: nil, trusted: ["192.0.2.0/24"], fields: [("X-Forwarded-For", "10.0.0.1")], address: "local"),
        // The last address that a trusted proxy has seen.
        Row(
            peer: "192.0.2.1", trusted: ["192.0.2.0/24"], fields: [("X-Forwarded-For", "203.0.113.9")],
            address: "203.0.113.9", isProxied: true),
        Row(
            peer: "192.0.2.1", trusted: ["192.0.2.0/24"], fields: [("X-Forwarded-For", "10.9.9.9, 203.0.113.9")],
            address: "203.0.113.9", isProxied: true),
        Row(
            peer: "192.0.2.1", trusted: ["192.0.2.0/24"],
            fields: [("X-Forwarded-For", "10.9.9.9"), ("x-forwarded-for", "203.0.113.9, 192.0.2.7")],
            address: "203.0.113.9", isProxied: true),
        Row(
            peer: "192.0.2.1", trusted: ["192.0.2.0/24"],
            fields: [("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-Proto", "https")], address: "203.0.113.9",
            isProxied: true, isSecure: true),
        Row(
            peer: nil, trusted: ["unix"], fields: [("X-Forwarded-For", "203.0.113.9")], address: "203.0.113.9",
            isProxied: true),
        // Only the chosen field counts.
        Row(
            peer: "192.0.2.1", trusted: ["192.0.2.0/24"], header: .forwarded,
            fields: [("X-Forwarded-For", "10.9.9.9"), ("Forwarded", "for=203.0.113.9")], address: "203.0.113.9",
            isProxied: true),
    ]

    @Test(arguments: rows)
    func clientIsTheOneThatCanBeTrusted(row: Row) throws {
        var values = ReloadableSettings.Values()
        let sources = try row.trusted.map { text in
            text == "unix" ? TrustedProxies.Source.unixSocket : .network(try #require(IPNetwork(text)))
        }
        values.proxies = TrustedProxies(sources, header: row.header)
        let settings = ReloadableSettings()
        settings.replace(with: values)
        let channel = EmbeddedChannel()
        if let peer = row.peer { channel.remoteAddress = try SocketAddress(ipAddress: peer, port: 1) }
        let request = Request(
            method: .get, target: "/", host: "feed.test", isSecure: row.isEncrypted,
            headers: .http1(HTTPHeaders(row.fields)))
        let connection = ClientConnection(channel: channel, isEncrypted: row.isEncrypted)
        let client = ClientAddress(settings: settings).client(of: request, on: connection)
        #expect(client.address == row.address && client.isProxied == row.isProxied && client.isSecure == row.isSecure)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
