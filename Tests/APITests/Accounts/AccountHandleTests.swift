import FeedAPI
import TestKit
import Testing

@Suite(.hangLimit)
struct AccountHandleTests {
    @Test(
        arguments: [
            ("ada", "ada", nil), ("@Ada_1", "Ada_1", nil), ("ada@feed.example", "ada", "feed.example"),
            ("@ada@FEED.Example", "ada", "feed.example"), ("@ada@127.0.0.1:8080", "ada", "127.0.0.1:8080"),
            ("@ada@[::1]:8080", "ada", "[::1]:8080"), ("@ada@localhost", "ada", "localhost"),
            ("@a.b-c@far.example", "a.b-c", "far.example"), ("@ada@münchen.example", "ada", "münchen.example"),
        ] as [(String, String, String?)])
    func handleIsParsed(text: String, name: String, domain: String?) throws {
        let handle = try #require(AccountHandle(text))
        #expect(handle.name == name && handle.domain == domain)
        #expect(handle.acct == (domain.map { "\(name)@\($0)" } ?? name))
        #expect(AccountHandle(handle.acct) == handle && AccountHandle("@" + handle.acct) == handle)
    }

    @Test(arguments: [
        "", "@", "@@", "@ada@", "@@feed.example", "ada lovelace", "@ada@feed.example ", "@ada@feed example", "ada@b@c",
        "@ada@.example", "@ada@feed.example:", "@ada@feed.example/", "@ada@[::1", "@ada.", ".ada", "élan",
        "@ada\u{301}",
        "https://feed.example/@ada",
    ])
    func otherTextIsNoHandle(text: String) { #expect(AccountHandle(text) == nil) }

    @Test(
        arguments: [
            ("@ada", "@ada"), ("@ada: hi", "@ada"), ("@ada.b", "@ada"), ("@ada@b.example. Hi", "@ada@b.example"),
            ("@ada@b.example:80, hi", "@ada@b.example:80"), ("@ada@b.example: hi", "@ada@b.example"), ("@ada@ hi", nil),
            ("@ada@b.example-", "@ada@b.example"), ("ada", nil), ("@", nil), ("@-ada", nil), ("@ada\u{301}", "@ada"),
        ] as [(String, String?)])
    func handleEndsBeforePunctuation(text: String, handle: String?) {
        let found = AccountHandle.prefix(of: text.unicodeScalars[...])
        #expect(found.map { String(text[..<$0.end]) } == handle)
    }

    @Test func onlyOwnDomainIsLocal() throws {
        for (text, isLocal) in [
            ("ada", true), ("@ada@feed.example", true), ("@ada@FEED.EXAMPLE", true), ("@ada@example", false),
            ("@ada@feed.example:80", false), ("@ada@evil-feed.example", false),
        ] {
            #expect(try #require(AccountHandle(text)).isLocal(to: "Feed.example") == isLocal, "\(text)")
        }
    }
}
