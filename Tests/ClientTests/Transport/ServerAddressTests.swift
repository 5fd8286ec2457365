import FeedClientKit
import Testing

/// What people type where a server or a status is asked for.
@Suite(.timeLimit(.minutes(1)))
struct AddressTests {
    @Test(arguments: [
        ("https://feed.example/", "https://feed.example"), ("feed.example", "https://feed.example"),
        ("LOCALHOST:8080", "http://localhost:8080"), ("HTTP://Feed.Example:80/Path/", "http://feed.example:80/Path"),
        ("HttpS://feed.example", "https://feed.example"),
    ])
    func serversAreRead(text: String, address: String) throws {
        #expect(try ServerAddress(text).description == address)
    }

    @Test(arguments: ["ftp://x", "http://", "http://x:0", "http://a@x", "https://x?y", "", "://"])
    func whatIsNoServerIsRefused(text: String) {
        #expect { try ServerAddress(text) } throws: { ($0 as? FeedClientError)?.code == .usage }
    }

    @Test(arguments: [
        ("17", "17"), ("https://feed.example/@ada/17", "17"), ("HTTPS://FEED.example:443/@ada/17/", "17"),
        ("https://feed.example/web/statuses/17?x#y", "17"),
    ])
    func statusesAreNamedByIDOrAddress(text: String, id: String) throws {
        #expect(try ServerAddress("https://feed.example").statusID(text) == id)
    }

    @Test(arguments: [
        "", "https://feed.example", "https://feed.example/", "https://other.example/@ada/17",
        "http://feed.example/@ada/17",
    ])
    func whatNamesNoStatusHereIsRefused(text: String) {
        #expect { try ServerAddress("https://feed.example").statusID(text) } throws: {
            ($0 as? FeedClientError)?.code == .usage
        }
    }
}
