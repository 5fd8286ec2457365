import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

@testable import FeedClientKit

/// An invalid port is rejected before it reaches the network library, which would trap.
@Suite(.hangLimit)
struct PortEdgeTests {
    static let impossible = EdgeNumbers.texts.filter { $0 != "" && $0 != "1" } + ["65536", "99999"]

    @Test(arguments: impossible)
    func urlWithAnInvalidPortIsRejected(_ port: String) {
        let url = "http://127.0.0.1:\(port)/a"
        #expect(throws: FeedClientError.self) { try AvatarFetcher.validated(url) }
        #expect(throws: FeedClientError.self) { try Redirect.target(url, from: "http://a.example/") }
        #expect(throws: FeedClientError.self) { try ServerAddress("http://127.0.0.1:\(port)") }
        #expect(ServerAddress.origin(url) == nil)
    }

    @Test(arguments: ["", ":", ":1", ":65535"])
    func urlWithAValidPortIsAccepted(_ port: String) throws {
        let url = "http://127.0.0.1\(port)/a"
        #expect(try AvatarFetcher.validated(url) == url)
        #expect(try !Redirect.target(url, from: "http://a.example/").isEmpty)
        #expect(ServerAddress.origin(url) != nil)
    }

    @Test func relativeRedirectKeepsThePort() throws {
        #expect(try Redirect.target("/b", from: "http://a.example:8080/a") == "http://a.example:8080/b")
    }

    /// Any account can set such a URL as its avatar, and any server can redirect to it.
    @Test func avatarURLWithAnInvalidPortDoesNotCrash() async throws {
        try await AvatarFixture.run { fixture in
            let cache = try fixture.open()
            for (number, port) in Self.impossible.enumerated() {
                let url = "http://127.0.0.1:\(port)/a"
                #expect(await refusal(cache, url) == .failed, "\(url)")
                // A `Location` field with non-ASCII bytes is a different test.
                guard port.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
                fixture.server.put("/\(number)", PictureServer.Page(status: .found, headers: [.location: url]))
                #expect(await refusal(cache, fixture.url("/\(number)")) == .failed, "\(url)")
            }
            await cache.close()
        }
    }
}
