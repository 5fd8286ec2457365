import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct SearchAddressTests {
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
        ] as [(String, SearchAddress?)])
    func addressIsParsed(text: String, address: SearchAddress?) {
        #expect(SearchAddress(text, host: "Feed.test") == address)
    }

    @Test func addressesHaveAScheme() {
        #expect(SearchAddress.isAddress("HTTP://other.test/x") && SearchAddress.isAddress("https://"))
        #expect(!SearchAddress.isAddress("http:/a") && !SearchAddress.isAddress("ada") && !SearchAddress.isAddress(""))
    }
}
