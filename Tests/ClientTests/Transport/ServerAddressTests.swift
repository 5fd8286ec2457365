import FeedClientKit
import TestKit
import Testing

/// Arguments that name a server.
@Suite(.hangLimit)
struct ServerAddressTests {
    @Test(arguments: [
        ("https://feed.example/", "https://feed.example"), ("feed.example", "https://feed.example"),
        ("LOCALHOST:8080", "http://localhost:8080"), ("HTTP://Feed.Example:80/Path/", "http://feed.example:80/Path"),
        ("HttpS://feed.example", "https://feed.example"),
    ])
    func validAddressesAreNormalized(text: String, address: String) throws {
        #expect(try ServerAddress(text).description == address)
    }

    @Test(arguments: ["ftp://x", "http://", "http://x:0", "http://a@x", "https://x?y", "", "://"])
    func invalidAddressesAreRejected(text: String) {
        #expect { try ServerAddress(text) } throws: { ($0 as? FeedClientError)?.code == .usage }
    }
}
