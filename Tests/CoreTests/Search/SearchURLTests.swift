import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct SearchURLTests {
    @Test(
        arguments: [
            ("http://feed.test/@ada", .account(named: "ada")), ("HTTPS://FEED.TEST/@Ada/", .account(named: "Ada")),
            ("http://feed.test/@ada?page=2#x", .account(named: "ada")), ("http://feed.test/@", .account(named: "")),
            ("https://feed.test/@ada/123", .status(123, author: "ada")),
            ("https://feed.test/@ada/123/", .status(123, author: "ada")),
            ("https://feed.test/statuses/123", .status(123, author: nil)), ("http://feed.test", nil),
            ("http://feed.test/", nil), ("http://feed.test/ada", nil), ("http://feed.test/@ada/x", nil),
            ("http://feed.test/@ada/123/feed.json", nil), ("http://feed.test/@ada/-1", nil),
            ("http://feed.test/@ada/99999999999999999999", nil), ("http://other.test/@ada", nil),
            ("http://feed.test:80/@ada", nil), ("http://x@feed.test/@ada", nil), ("http://feed.test.evil/@ada", nil),
            ("feed.test/@ada", nil), ("ftp://feed.test/@ada", nil), ("", nil), ("https://", nil),
            ("http://feed.test//@ada", nil),
        ] as [(String, SearchURL?)])
    func addressIsParsed(text: String, address: SearchURL?) {
        #expect(SearchURL(text, host: "Feed.test") == address)
    }

    @Test func addressesHaveAScheme() {
        #expect(SearchURL.isAddress("HTTP://other.test/x") && SearchURL.isAddress("https://"))
        #expect(!SearchURL.isAddress("http:/a") && !SearchURL.isAddress("ada") && !SearchURL.isAddress(""))
    }
}
