import FeedClientKit
import TestKit
import Testing

/// Arguments that name a server.
@Suite(.hangLimit)
struct ServerAddressTests {
    @Test(arguments: [
        ("https://feed.example/", "https://feed.example"), ("feed.example", "https://feed.example"),
        ("LOCALHOST:8080", "http://localhost:8080"), ("HTTP://Feed.Example:80/Path/", "http://feed.example:80/Path"),
        ("HttpS://feed.example", "https://feed.example"), ("http://a:8080/", "http://a:8080"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"), ("https://a/b//", "https://a/b"),
    ])
    func validAddressesAreNormalized(text: String, address: String) throws {
        #expect(try ServerAddress(text).description == address)
    }

    @Test(arguments: [
        "ftp://x", "http://", "http://x:0", "http://a@x", "https://x?y", "", "://", "https://u:p@x", "a b",
    ])
    func invalidAddressesAreRejected(text: String) {
        #expect { try ServerAddress(text) } throws: { ($0 as? FeedClientError)?.code == .usage }
    }

    @Test func originsAreCompared() throws {
        let server = try ServerAddress("https://feed.example")
        #expect(server.isOrigin(of: "https://FEED.example:443/x"))
        for other in ["http://feed.example/x", "https://feed.example:444/", "https://feed.example.evil/", "nonsense"] {
            #expect(!server.isOrigin(of: other))
        }
    }
}
