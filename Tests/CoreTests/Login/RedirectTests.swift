import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct RedirectTests {
    @Test(arguments: [
        ("https://app.test/cb", true), ("https://app.test", true), ("http://localhost:8080/cb?x=1", true),
        ("com.example.app:/oauth", true), ("myapp://cb", true), ("urn:ietf:wg:oauth:2.0:oob", true),
        ("", false), ("app.test/cb", false), ("/cb", false), ("https://", false), ("https:///cb", false),
        ("https:cb", false), ("https://a@b/", false), ("https://app.test/#x", false), ("javascript:alert(1)", false),
        ("JavaScript:alert(1)", false), ("data:text/html,x", false), ("file:///etc/passwd", false),
        ("https://app.test/\r\nX: y", false), ("https://app.test/\"", false), ("https://äpp.test/", false),
        ("https://app.test/<b>", false), ("1app://x", false), ("app:", false), (":x", false),
    ])
    func onlyAcceptableURIsMayBeRegistered(address: String, isFine: Bool) {
        #expect(RedirectURI.isAcceptable(address) == isFine, "\(address)")
    }

    @Test(arguments: [
        ("https://app.test/cb", "https://app.test/cb", true), ("https://app.test/cb", "https://app.test/CB", false),
        ("https://app.test:444/cb", "https://app.test/cb", false),
        ("http://localhost:1234/cb", "http://localhost/cb", true),
        ("http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb", true), ("http://[::1]:9/", "http://[::1]/", true),
        ("http://localhost:1234/other", "http://localhost/cb", false),
        ("http://localhost:1/cb?x", "http://localhost/cb", false),
        ("http://127.0.0.1:1/cb", "http://localhost/cb", false),
        ("https://localhost:1/cb", "https://localhost/cb", false),
        ("http://localhost.evil.test/cb", "http://localhost/cb", false),
        ("http://localhost:1@evil.test/cb", "http://localhost/cb", false),
        ("http://localhost:80x/cb", "http://localhost/cb", false), ("http://localhost", "http://localhost/", false),
        // The Kelvin sign and the letter are equal strings.
        ("https://app.test/\u{212A}", "https://app.test/K", false), ("x://a\u{37E}b", "x://a;b", false),
    ])
    func requestedURIMustMatchTheRegisteredOne(asked: String, registered: String, isMatch: Bool) {
        #expect(RedirectURI.matches(asked, registered: registered) == isMatch, "\(asked)")
    }

    @Test func valuesAreAppendedToTheQuery() {
        #expect(RedirectURI.adding([("a", "b &é")], to: "x://y") == "x://y?a=b%20%26%C3%A9")
        #expect(RedirectURI.adding([("a", "b"), ("c", "")], to: "x://y?z") == "x://y?z&a=b&c=")
    }
}
