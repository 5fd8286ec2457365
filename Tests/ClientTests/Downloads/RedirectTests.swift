import FeedTestSupport
import NIOHTTP1
import Testing

@testable import FeedClientKit

@Suite struct RedirectTests {
    @Test(arguments: [
        ("/b", "http://a.example/b"), ("c?x=1", "http://a.example/dir/c?x=1"), ("//b.example/", "http://b.example/"),
        ("https://b.example/x", "https://b.example/x"),
    ])
    func locationIsResolved(_ location: String, _ target: String) throws {
        #expect(try Redirect.target(location, from: "http://a.example/dir/f") == target)
    }

    @Test(arguments: [nil, "", "file:///etc/passwd", "http://", "http://a.example:99999/", "javascript:0"])
    func invalidLocationIsRejected(_ location: String?) {
        #expect(throws: FeedClientError.self) { try Redirect.target(location, from: "http:") }
        guard location != "" else { return }
        #expect(throws: FeedClientError.self) { try Redirect.target(location, from: "http://a.example/") }
    }

    @Test func redirectFromHTTPSToHTTPIsRejected() {
        #expect(throws: FeedClientError.self) { try Redirect.target("http://a.example/", from: "https://a.example/") }
    }
}
