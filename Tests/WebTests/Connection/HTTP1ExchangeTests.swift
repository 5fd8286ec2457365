import HTTPTypes
import NIOCore
import NIOHTTP1
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct HTTP1ExchangeTests {
    private static func exchange(
        _ method: HTTPMethod = .GET, _ version: HTTPVersion = .http1_1, _ headers: [(String, String)] = []
    ) -> HTTP1Exchange {
        HTTP1Exchange(HTTPRequestHead(version: version, method: method, uri: "/", headers: HTTPHeaders(headers)))
    }

    @Test(
        arguments: [
            (.GET, .http1_1, [], false), (.GET, .http1_1, [("Connection", "close")], true),
            (.GET, .http1_1, [("Connection", "keep-alive, Close")], true), (.GET, .http1_0, [], true),
            (.GET, .http1_0, [("Connection", "keep-alive")], true), (.CONNECT, .http1_1, [], true),
            (.GET, .http1_1, [("Upgrade", "h2c")], true), (.POST, .http1_1, [("Content-Length", "3")], false),
        ] as [(HTTPMethod, HTTPVersion, [(String, String)], Bool)])
    func connectionEndsAsTheRequestDemands(
        method: HTTPMethod, version: HTTPVersion, headers: [(String, String)], isLast: Bool
    ) {
        #expect(Self.exchange(method, version, headers).isLast == isLast)
    }

    @Test func onlyNewVersionsExpectContinue() {
        let expect = [("Expect", "100-Continue"), ("Content-Length", "1")]
        #expect(Self.exchange(.PUT, .http1_1, expect).expectsContinue)
        #expect(!Self.exchange(.PUT, .http1_0, expect).expectsContinue)
        #expect(!Self.exchange(.PUT).expectsContinue)
    }

    @Test func bodyIsAnnouncedByTheHead() {
        let exchange = Self.exchange(.PUT, .http1_1, [("Content-Length", "5")])
        #expect(exchange.hasBody && exchange.bodyLength == 5)
        let chunked = Self.exchange(.PUT, .http1_1, [("Transfer-Encoding", "chunked")])
        #expect(chunked.hasBody && chunked.bodyLength == nil)
        #expect(!Self.exchange(.PUT, .http1_1, [("Content-Length", "0")]).hasBody)
    }

    @Test(arguments: [
        (HTTPMethod.GET, HTTPVersion.http1_1, 200, false, HTTP1ResponseFraming.chunked),
        (.GET, .http1_0, 200, false, .close), (.GET, .http1_1, 200, true, .length),
        (.HEAD, .http1_1, 200, false, .length),
        (.GET, .http1_1, 204, false, .length), (.GET, .http1_1, 304, false, .length),
        (.GET, .http1_1, 101, false, .length),
    ])
    func endOfTheBodyIsMarked(
        method: HTTPMethod, version: HTTPVersion, status: Int, hasLength: Bool, framing: HTTP1ResponseFraming
    ) {
        let headers: HTTPFields = hasLength ? [.contentLength: "3"] : [:]
        let response = Response(status: .init(code: status), headers: headers)
        #expect(Self.exchange(method, version).framing(of: response) == framing)
    }

    @Test func headIsWrittenInOrder() {
        let response = Response(status: .ok, headers: [.contentType: "text/plain", .eTag: "\"a\""])
        let text = String(
            buffer: HTTP1ResponseWriter.head(response, isOld: false, isChunked: true, closes: true))
        #expect(
            text
                == "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: \"a\"\r\nTransfer-Encoding: chunked\r\n"
                + "Connection: close\r\n\r\n")
    }

    @Test(arguments: [[], .encrypted, .shared, .referrerPolicy, [.encrypted, .shared]] as [CommonHeaders.Kind])
    func commonFieldsAreTheSameAsLines(kind: CommonHeaders.Kind) {
        let common = CommonHeaders(kind, seconds: 784_111_777)
        let names = common.fields.map(\.name)
        #expect(names.contains(.strictTransportSecurity) == kind.contains(.encrypted))
        #expect(names.contains(.accessControlAllowOrigin) == kind.contains(.shared))
        #expect(names.contains(.referrerPolicy) != kind.contains(.referrerPolicy))
        var response = Response(status: .ok, headers: [.eTag: "\"a\""])
        response.common = common
        let text = String(buffer: HTTP1ResponseWriter.head(response, isOld: false, isChunked: false, closes: false))
        let lines = response.allHeaders.map { "\($0.name.rawName): \($0.value)\r\n" }
        #expect(text == "HTTP/1.1 200 OK\r\n" + lines.joined() + "\r\n")
        #expect(lines.contains("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"))
    }
}
