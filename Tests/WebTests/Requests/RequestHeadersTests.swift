import HTTPTypes
import NIOHPACK
import NIOHTTP1
import TestKit
import Testing

@testable import FeedWeb

/// The fields of a request are the same, whichever version of HTTP it uses.
@Suite(.hangLimit)
struct RequestHeadersTests {
    private static let lines = [
        ("host", "feed.test"), ("accept", "text/html"), ("accept", "image/png"), ("cookie", "a=b"), ("cookie", "c=d"),
        ("x-forwarded-for", "10.0.0.1"), ("x-empty", ""), ("user-agent", "caf\u{E9}"),
    ]

    /// As a client of HTTP/1.1 may write the names, and with the pseudo-header fields of HTTP/2.
    private static let versions: [RequestHeaders] = [
        .http1(HTTPHeaders(lines)), .http1(HTTPHeaders(lines.map { ($0.0.uppercased(), $0.1) })),
        .http2(HPACKHeaders([(":method", "GET"), (":path", "/"), (":authority", "feed.test")] + lines)),
    ]

    static let values: [(name: String, all: [String], combined: String?)] = [
        ("Accept", ["text/html", "image/png"], "text/html, image/png"),
        ("ACCEPT", ["text/html", "image/png"], "text/html, image/png"),
        // Browsers may split cookies (RFC 9113 §8.2.3).
        ("Cookie", ["a=b", "c=d"], "a=b; c=d"), ("X-Forwarded-For", ["10.0.0.1"], "10.0.0.1"),
        ("X-Empty", [""], ""), ("User-Agent", ["caf\u{E9}"], "caf\u{E9}"), ("Range", [], nil),
    ]

    @Test(arguments: values.indices)
    func linesAreCombined(index: Int) throws {
        let row = Self.values[index]
        let name = try #require(HTTPField.Name(row.name))
        for fields in Self.versions {
            #expect(fields[values: name] == row.all && fields[name] == row.combined, "\(row.name)")
            #expect(fields.contains(name) == !row.all.isEmpty, "\(row.name)")
        }
    }

    @Test func allFieldsAreWithoutHostAndPseudoHeaders() throws {
        for fields in Self.versions {
            let names = fields.all.map(\.name.canonicalName)
            #expect(names == Self.lines.dropFirst().map(\.0))
            #expect(fields.all.map(\.value) == Self.lines.dropFirst().map(\.1))
        }
    }
}
