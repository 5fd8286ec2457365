import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct TraceTextTests {
    @Test(arguments: [
        ("https://a.test/x?limit=20", "https://a.test/x?limit=20"),
        ("https://a.test/x?access_token=abc&limit=20", "https://a.test/x?access_token=(hidden)&limit=20"),
        ("https://a.test/x?a=1&Password=p%20q", "https://a.test/x?a=1&Password=(hidden)"),
        ("https://ada:secret@a.test/x", "https://(hidden)@a.test/x"),
        ("https://s3.test/f?X-Amz-Signature=12&x=1#code=1", "https://s3.test/f?X-Amz-Signature=(hidden)&x=1#code=1"),
        ("<https://a.test/x?code=12>; rel=\"next\"", "<https://a.test/x?code=(hidden)>; rel=\"next\""),
        ("https://a.test/@ada/1", "https://a.test/@ada/1"),
    ])
    func secretsInAddressesAreHidden(url: String, text: String) { #expect(TraceText.url(url) == text) }

    @Test func secretsInHeadersAreHidden() {
        let headers: HTTPHeaders = ["Authorization": "Bearer abc", "Set-Cookie": "s=1", "Location": "/x?token=abc&y=1"]
        let text = TraceText.headers(headers)
        #expect(text == "\n    Authorization: (hidden)\n    Set-Cookie: (hidden)\n    Location: /x?token=(hidden)&y=1")
    }

    /// Servers other than feedserver end the connection if they expect TLS.
    @Test(arguments: [("http://a.test/x", true), ("https://a.test/x", false)])
    func hintOfAnEndedConnectionNamesHTTPS(url: String, isNamed: Bool) throws {
        let error = HTTPClientError.remoteConnectionClosed
        let shown = try #require(TransportError.translate(error, url) as? FeedClientError)
        #expect(shown.hint?.contains("perhaps it uses https, not http") == isNamed, "\(shown)")
    }

    /// The descriptions of these errors name system calls.
    @Test func messagesNameNoSystemCalls() throws {
        let errors: [any Error] = [
            IOError(errnoCode: 104, reason: "read(descriptor:pointer:size:)"), ChannelError.ioOnClosedChannel,
            HTTPClientError.remoteConnectionClosed, HTTPClientError.writeTimeout, HTTPParserError.invalidVersion,
            HTTPClientError.emptyHost,
        ]
        for error in errors {
            let shown = try #require(TransportError.translate(error) as? FeedClientError)
            #expect(shown.code == .network && shown.hint != nil)
            let words = ["descriptor", "errno", "HTTPClientError", "ioOn", "IOError", "("]
            #expect(!words.contains { shown.message.contains($0) }, "\(shown.message)")
        }
    }
}
