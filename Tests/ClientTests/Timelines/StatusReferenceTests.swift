import FeedClientKit
import TestKit
import Testing

/// Arguments that name a status.
@Suite(.hangLimit)
struct StatusReferenceTests {
    @Test(arguments: [
        ("17", "17"), ("https://feed.example/@ada/17", "17"), ("HTTPS://FEED.example:443/@ada/17/", "17"),
        ("https://feed.example/web/statuses/17?x#y", "17"),
    ])
    func idsAndURLsOfStatusesAreAccepted(text: String, id: String) throws {
        #expect(try StatusReference.id(text, on: ServerAddress("https://feed.example")) == id)
    }

    @Test(arguments: [
        "", "https://feed.example", "https://feed.example/", "https://other.example/@ada/17",
        "http://feed.example/@ada/17",
    ])
    func otherReferencesAreRejected(text: String) {
        #expect { try StatusReference.id(text, on: ServerAddress("https://feed.example")) } throws: {
            ($0 as? FeedClientError)?.code == .usage
        }
    }
}
