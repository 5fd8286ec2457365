import FeedAPI
import HTTPTypes
import NIOHTTP1
import Testing

@testable import FeedWeb

struct PaginationLinksTests {
    /// A mark would end the address in the header, and a link with it.
    @Test(arguments: [
        ("/tags/<b>\"?x=<\"", "/tags/%3Cb%3E%22?x=%3C%22&"), ("/tags/a", "/tags/a?"), ("/tags/a?", "/tags/a?"),
        ("/tags/a?max_id=9&x=1&since_id=3&min_id=2", "/tags/a?x=1&"), ("/tags/%3C?x=%3E", "/tags/%3C?x=%3E&"),
    ])
    func addressIsEncodedAndKeepsOtherParameters(target: String, address: String) {
        let request = Request(method: .get, target: target, host: nil, isSecure: false, headers: .http1([:]))
        let links = PaginationLinks(base: "http://feed.test", request: request)
        let header = links.header(newest: 2, oldest: 1, hasOlder: true)
        #expect(header.next == "http://feed.test" + address + "max_id=1")
        #expect(header.previous == "http://feed.test" + address + "min_id=2")
        #expect(LinkHeader(header.value ?? "") == header)
    }

    @Test func lowerBoundIsKeptWhereItNarrowsTheList() {
        let target = "/search?since_id=3&max_id=9&min_id=2&offset=4&q=x"
        let request = Request(method: .get, target: target, host: nil, isSecure: false, headers: .http1([:]))
        let header = PaginationLinks(base: "", request: request, keepsFloor: true).header(
            newest: nil, oldest: 5, hasOlder: true)
        #expect(header.next == "/search?since_id=3&min_id=2&q=x&max_id=5" && header.previous == nil)
    }
}
