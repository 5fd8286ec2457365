import FeedCore
import Testing

@Suite struct TrustedProxiesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var peer: String?
        var lines: [String]
        var client: String

        var testDescription: String { "\(peer ?? "unix") \(lines)" }

        init(_ peer: String?, _ lines: String..., client: String) {
            (self.peer, self.lines, self.client) = (peer, lines, client)
        }
    }

    private static let sources = ["10.0.0.0/8", "127.0.0.1", "fd00::/8", "unix"]
    private static let long = String(repeating: "10.0.0.1, ", count: 5000) + "10.0.0.2"

    static let forwardedFor = [
        Row("127.0.0.1", client: "127.0.0.1"),
        Row("127.0.0.1", "203.0.113.7", client: "203.0.113.7"),
        Row("127.0.0.1", "198.51.100.1, 203.0.113.7", client: "203.0.113.7"),
        Row("127.0.0.1", "198.51.100.1 ,\t203.0.113.7,10.1.2.3", client: "203.0.113.7"),
        Row("127.0.0.1", "198.51.100.1", "203.0.113.7", "10.9.9.9", client: "203.0.113.7"),
        Row("127.0.0.1", "10.1.1.1, 10.2.2.2", client: "10.1.1.1"),
        Row("127.0.0.1", "203.0.113.7:4711", client: "203.0.113.7"),
        Row("127.0.0.1", "2001:db8::1", client: "2001:db8::1"),
        Row("127.0.0.1", "[2001:DB8:0::1]:443", client: "2001:db8::1"),
        Row("127.0.0.1", "::ffff:203.0.113.7", client: "203.0.113.7"),
        Row("::ffff:127.0.0.1", "203.0.113.7", client: "203.0.113.7"),
        Row("fd12::1", "203.0.113.7", client: "203.0.113.7"),
        Row(nil, "203.0.113.7", client: "203.0.113.7"),
        Row(nil, client: "local"),
        // The headers of an untrusted peer are ignored.
        Row("203.0.113.9", "198.51.100.1", client: "203.0.113.9"),
        Row("11.0.0.1", "198.51.100.1", client: "11.0.0.1"),
        // A malformed element ends the search at the last valid one.
        Row("127.0.0.1", "198.51.100.1, unknown", client: "127.0.0.1"),
        Row("127.0.0.1", "198.51.100.1, unknown, 10.1.2.3", client: "10.1.2.3"),
        Row("127.0.0.1", "198.51.100.1, , 10.1.2.3", client: "10.1.2.3"),
        Row("127.0.0.1", "", client: "127.0.0.1"),
        Row("127.0.0.1", "203.0.113.7:", client: "127.0.0.1"),
        Row("127.0.0.1", "203.0.113.7:99999999", client: "127.0.0.1"),
        Row("127.0.0.1", "[2001:db8::1", client: "127.0.0.1"),
        Row("127.0.0.1", "203.0.113.777", client: "127.0.0.1"),
        Row("127.0.0.1", "feed.example", client: "127.0.0.1"),
        Row("127.0.0.1", "\"203.0.113.7\"", client: "127.0.0.1"),
        Row("127.0.0.1", long, client: "10.0.0.1"),
        // A client cannot hide what the proxy appends.
        Row("127.0.0.1", "\", 203.0.113.7", client: "203.0.113.7"),
        Row("127.0.0.1", "\"", "203.0.113.7", client: "203.0.113.7"),
        Row("127.0.0.1", "198.51.100.1\u{600}, 203.0.113.7", client: "203.0.113.7"),
        Row("127.0.0.1", "198.51.100.1 \u{600},203.0.113.7", client: "203.0.113.7"),
    ]

    static let forwarded = [
        Row("127.0.0.1", "for=203.0.113.7", client: "203.0.113.7"),
        Row("127.0.0.1", "For=\"[2001:db8::1]:4711\";proto=https;by=10.0.0.1", client: "2001:db8::1"),
        Row("127.0.0.1", "for=198.51.100.1, for=203.0.113.7", "for=10.1.2.3", client: "203.0.113.7"),
        Row("127.0.0.1", "for=198.51.100.1, for=_hidden", client: "127.0.0.1"),
        Row("127.0.0.1", "for=unknown, for=10.1.2.3", client: "10.1.2.3"),
        Row("127.0.0.1", "for=\"198.51.100.1, for=198.51.100.2\", for=203.0.113.7", client: "203.0.113.7"),
        Row("127.0.0.1", "proto=https", client: "127.0.0.1"),
        Row("127.0.0.1", "for=\"203.0.113.7", client: "127.0.0.1"),
        // A client cannot extend its element over that of the proxy.
        Row("127.0.0.1", "for=198.51.100.1;x=\", for=203.0.113.7;proto=https", client: "127.0.0.1"),
        Row("127.0.0.1", "for=198.51.100.1;x=\"", "for=203.0.113.7;proto=https", client: "203.0.113.7"),
        Row("127.0.0.1", "for=198.51.100.1;x=\"\\\"", "for=203.0.113.7", client: "203.0.113.7"),
        Row("127.0.0.1", "for=198.51.100.1\u{600},for=203.0.113.7", client: "203.0.113.7"),
    ]

    private static func client(
        _ row: Row, _ header: TrustedProxies.Header, protocols: [String] = []
    ) throws -> TrustedProxies.Client {
        let proxies = TrustedProxies(sources.compactMap(TrustedProxies.Source.init), header: header)
        let peer = try row.peer.map { try #require(IPAddress($0)) }
        return proxies.client(peer: peer, lines: row.lines, protocols: protocols)
    }

    @Test(arguments: forwardedFor)
    func clientIsTheFirstUntrustedAddressFromTheRight(row: Row) throws {
        #expect(try Self.client(row, .xForwardedFor).address == row.client)
    }

    @Test(arguments: forwarded)
    func forwardedHeaderNamesTheClient(row: Row) throws {
        #expect(try Self.client(row, .forwarded).address == row.client)
    }

    @Test(arguments: [
        (["https"], true), (["HTTPS"], true), (["http"], false), ([], false), (["https, http"], false),
        (["http", "https"], true), (["http, https"], true), (["x\u{600},https"], true), (["https\u{600},http"], false),
    ])
    func protocolComesFromTheNearestProxy(protocols: [String], isSecure: Bool) throws {
        let row = Row("127.0.0.1", "203.0.113.7", client: "203.0.113.7")
        #expect(try Self.client(row, .xForwardedFor, protocols: protocols).isSecure == isSecure)
        let untrusted = Row("203.0.113.9", "203.0.113.7", client: "203.0.113.9")
        #expect(try !Self.client(untrusted, .xForwardedFor, protocols: protocols).isSecure)
    }

    @Test func forwardedHeaderNamesTheProtocol() throws {
        let row = Row("127.0.0.1", "for=203.0.113.7;proto=https, for=10.1.2.3;proto=http", client: "203.0.113.7")
        #expect(try Self.client(row, .forwarded).isSecure)
        // Only the selected header is read.
        #expect(try !Self.client(Row("127.0.0.1", client: ""), .forwarded, protocols: ["https"]).isSecure)
    }

    @Test(arguments: [
        "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "fe80::1%eth0", "::/129", "Unix", "", "/8",
    ])
    func invalidSourcesAreRejected(text: String) { #expect(TrustedProxies.Source(text) == nil) }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "8.8.8.8", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "8.8.8.8", true), ("192.168.1.128/25", "192.168.1.127", false),
        ("192.168.1.128/25", "192.168.1.200", true), ("2001:db8::/33", "2001:db8:7fff::1", true),
        ("2001:db8::/33", "2001:db8:8000::1", false), ("127.0.0.1", "127.0.0.1", true), ("::1", "::1", true),
    ])
    func blockContainsItsAddresses(block: String, address: String, isInside: Bool) throws {
        #expect(try #require(IPNetwork(block)).contains(try #require(IPAddress(address))) == isInside)
    }
}
