import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct ClientNetworkTests {
    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1"), ("255.255.255.255", "255.255.255.255"), ("::ffff:10.0.0.1", "10.0.0.1"),
        ("::FFFF:a00:1", "10.0.0.1"), ("0:0:0:0:0:ffff:0a00:0001", "10.0.0.1"),
        ("2001:db8::1", "2001:db8:0:0::/64"), ("2001:DB8::ffff:1", "2001:db8:0:0::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"), ("2001:db8:ab:cdef:1:2:3:4", "2001:db8:ab:cdef::/64"),
        ("fe80::1", "fe80:0:0:0::/64"), ("fe80::1%eth0", "fe80:0:0:0::/64"), ("::1", "0:0:0:0::/64"),
        ("::10.0.0.1", "0:0:0:0::/64"), ("::fffe:10.0.0.1", "0:0:0:0::/64"), ("local", "local"), ("", ""),
        ("2001:db8::1::1", "2001:db8::1::1"), ("::ffff:10.0.0.256", "::ffff:10.0.0.256"), ("a:b", "a:b"),
    ])
    func addressesMapToNetworks(address: String, network: String) {
        #expect(ClientNetwork.key(for: address) == network)
    }
}
