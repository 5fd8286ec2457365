import FeedCore
import FeedWeb
import TestKit
import Testing

@Suite(.hangLimit)
struct BaseURLTests {
    @Test(arguments: [
        ("https://feed.example", "https://feed.example"), ("https://feed.example/", "https://feed.example"),
        ("http://10.0.0.1:8080", "http://10.0.0.1:8080"), ("http://[::1]:8080/", "http://[::1]:8080"),
        ("HTTPS://Feed.EXAMPLE", "https://feed.example"), ("http://[2001:DB8::1]", "http://[2001:db8::1]"),
        ("http://localhost:65535", "http://localhost:65535"),
    ])
    func validBaseURLsAreNormalized(text: String, address: String) throws {
        #expect(try BaseURL.parse(text) == address)
    }

    @Test(arguments: [
        ("", "http://"), ("nonsense", "http://"), ("feed.example", "http://"), ("ftp://feed.example", "http://"),
        ("://feed.example", "http://"), ("https:/feed.example", "http://"), ("https://feed.example/feed", "path"),
        ("https://feed.example//", "path"), ("https://feed.example\\x", "path"), ("https://feed.example/?a=1", "query"),
        ("https://feed.example?a", "query"), ("https://feed.example/#top", "fragment"),
        ("https://feed.example#", "fragment"), ("https://ada@feed.example", "user"),
        ("https://ada:secret@feed.example/", "user"), ("https://", "host"), ("https:///", "host"),
        ("https://feed example", "host"), ("https://b\u{FC}cher.example", "host"), ("https://feed.example:", "host"),
        ("https://feed.example:0", "host"), ("https://feed.example:65536", "host"), ("https://feed.example:8o", "host"),
        ("https://[::1", "host"), (" https://feed.example", "http://"), ("https://feed.example ", "host"),
    ])
    func invalidBaseURLsAreRejected(text: String, word: String) {
        #expect { try BaseURL.parse(text) } throws: { error in
            guard let error = error as? FeedError else { return false }
            return error.kind == .malformed && error.message.contains(word) && error.hint?.isEmpty == false
                && !error.message.contains("secret")
        }
    }
}
