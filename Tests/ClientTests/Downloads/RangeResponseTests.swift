import FeedTestSupport
import NIOHTTP1
import TestKit
import Testing

@testable import FeedClientKit

/// The meaning of each response, judged before its body is read.
@Suite struct RangeResponseTests {
    static let url = "http://a.example/f?key=1"
    static let known = FileIdentity(url: url, validator: "\"v1\"", size: 1000, sha256: nil)
    static let dated = FileIdentity(url: url, validator: changed, size: 1000, sha256: nil)
    private static let earlier = "Fri, 20 Nov 2026 09:59:59 GMT"
    private static let changed = "Fri, 20 Nov 2026 10:00:00 GMT"
    private static let date = "Fri, 20 Nov 2026 10:00:01 GMT"
    private static let digest = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var ask = RangeRequest(range: 100..<200, isConditional: true)
        var known: FileIdentity? = RangeResponseTests.known
        let status: Int
        var headers: [(String, String)]
        var url = RangeResponseTests.url
        let expected: Kind
    }

    enum Kind: Equatable {
        case part(Range<Int64>), whole, changed, conditionIgnored, unsatisfiable, unknownEnd, invalid
    }

    private static func part(_ range: String, _ more: (String, String)...) -> [(String, String)] {
        [("ETag", "\"v1\""), ("Content-Range", range)] + more
    }

    private static let usual = part("bytes 100-199/1000", ("Content-Length", "100"))
    private static let first = RangeRequest(range: 0..<Int64.max)

    static let rows: [Row] = [
        Row(testDescription: "as requested", status: 206, headers: usual, expected: .part(100..<200)),
        Row(
            testDescription: "unit in capitals", status: 206, headers: part("Bytes 100-199/1000"),
            expected: .part(100..<200)),
        Row(
            testDescription: "shorter", status: 206, headers: part("bytes 100-149/1000"), expected: .part(100..<150)),
        Row(
            testDescription: "longer", status: 206, headers: part("bytes 100-999/1000"), expected: .part(100..<1000)),
        Row(
            testDescription: "earlier", status: 206, headers: part("bytes 50-199/1000"), expected: .part(50..<200)),
        Row(testDescription: "later", status: 206, headers: part("bytes 101-199/1000"), expected: .invalid),
        Row(testDescription: "before", status: 206, headers: part("bytes 0-99/1000"), expected: .invalid),
        Row(
            testDescription: "length and range differ", status: 206,
            headers: part("bytes 100-199/1000", ("Content-Length", "101")), expected: .invalid),
        Row(testDescription: "other total", status: 206, headers: part("bytes 100-199/1001"), expected: .changed),
        Row(testDescription: "no total", status: 206, headers: part("bytes 100-199/*"), expected: .part(100..<200)),
        Row(
            testDescription: "no total, beyond the end", status: 206, headers: part("bytes 100-1000/*"),
            expected: .invalid),
        Row(
            testDescription: "no total at first", ask: first, known: nil, status: 206, headers: part("bytes 0-9/*"),
            expected: .unsatisfiable),
        Row(
            testDescription: "no total, malformed", status: 206, headers: part("bytes 100-199/**"), expected: .invalid),
        Row(
            testDescription: "Last-Modified as before", known: dated, status: 206,
            headers: [("Content-Range", "bytes 100-199/1000"), ("Last-Modified", changed), ("Date", date)],
            expected: .part(100..<200)),
        Row(
            testDescription: "another Last-Modified", known: dated, status: 206,
            headers: [("Content-Range", "bytes 100-199/1000"), ("Last-Modified", earlier), ("Date", date)],
            expected: .changed),
        Row(
            testDescription: "no Last-Modified in response to If-Range", known: dated, status: 206,
            headers: [("Content-Range", "bytes 100-199/1000")], expected: .part(100..<200)),
        Row(
            testDescription: "no Last-Modified without If-Range", ask: RangeRequest(range: 100..<200), known: dated,
            status: 206, headers: [("Content-Range", "bytes 100-199/1000")], expected: .changed),
        Row(
            testDescription: "an entity tag instead of Last-Modified", known: dated, status: 206,
            headers: usual + [("Last-Modified", changed), ("Date", date)], expected: .changed),
        Row(
            testDescription: "Last-Modified instead of the entity tag", status: 206,
            headers: [("Content-Range", "bytes 100-199/1000"), ("Last-Modified", changed), ("Date", date)],
            expected: .changed),
        Row(
            testDescription: "other tag", status: 206,
            headers: [("ETag", "\"v2\""), ("Content-Range", "bytes 100-199/1000")], expected: .changed),
        Row(
            testDescription: "weak tag", status: 206,
            headers: [("ETag", "W/\"v1\""), ("Content-Range", "bytes 100-199/1000")], expected: .changed),
        Row(
            testDescription: "no tag", status: 206, headers: [("Content-Range", "bytes 100-199/1000")],
            expected: .changed),
        Row(
            testDescription: "two tags", status: 206,
            headers: part("bytes 100-199/1000", ("ETag", "\"v2\"")), expected: .changed),
        Row(
            testDescription: "other digest",
            known: FileIdentity(url: url, validator: "\"v1\"", size: 1000, sha256: "ab"),
            status: 206, headers: part("bytes 100-199/1000", ("Repr-Digest", digest)), expected: .changed),
        Row(
            testDescription: "other place", status: 206, headers: usual, url: "http://b.example/f",
            expected: .changed),
        Row(
            testDescription: "other signature in the query", status: 206, headers: usual,
            url: "http://a.example/f?key=2", expected: .part(100..<200)),
        Row(
            testDescription: "two Content-Ranges", status: 206,
            headers: part("bytes 100-199/1000", ("Content-Range", "bytes 0-9/1000")), expected: .invalid),
        Row(testDescription: "no Content-Range", status: 206, headers: [("ETag", "\"v1\"")], expected: .invalid),
        Row(
            testDescription: "multipart", status: 206,
            headers: [("ETag", "\"v1\""), ("Content-Type", "multipart/byteranges; boundary=x")], expected: .invalid),
        Row(
            testDescription: "multipart with a range", status: 206,
            headers: usual + [("Content-Type", "Multipart/ByteRanges; boundary=x")], expected: .invalid),
        Row(
            testDescription: "compressed", status: 206, headers: usual + [("Content-Encoding", "gzip")],
            expected: .invalid),
        Row(
            testDescription: "not compressed", status: 206, headers: usual + [("Content-Encoding", "identity")],
            expected: .part(100..<200)),
        Row(
            testDescription: "a part in response to a request for the whole file", ask: RangeRequest(), known: nil,
            status: 206,
            headers: usual,
            expected: .invalid),
        Row(
            testDescription: "first part", ask: first, known: nil, status: 206, headers: part("bytes 0-999/1000"),
            expected: .part(0..<1000)),
        Row(
            testDescription: "whole, unchanged", status: 200,
            headers: [("ETag", "\"v1\""), ("Content-Length", "1000")],
            expected: .conditionIgnored),
        Row(
            testDescription: "whole, unchanged, without If-Range", ask: RangeRequest(range: 100..<200), status: 200,
            headers: [("ETag", "\"v1\""), ("Content-Length", "1000")], expected: .whole),
        Row(
            testDescription: "whole, changed", status: 200, headers: [("ETag", "\"v2\""), ("Content-Length", "1000")],
            expected: .changed),
        Row(
            testDescription: "whole, different length", status: 200,
            headers: [("ETag", "\"v1\""), ("Content-Length", "999")], expected: .changed),
        Row(
            testDescription: "first whole", ask: first, known: nil, status: 200, headers: [("Content-Length", "9")],
            expected: .whole),
        Row(
            testDescription: "first whole, chunked", ask: first, known: nil, status: 200,
            headers: [("Transfer-Encoding", "chunked")], expected: .whole),
        Row(
            testDescription: "first whole, close-delimited", ask: first, known: nil, status: 200, headers: [],
            expected: .unknownEnd),
        Row(
            testDescription: "first whole, close-delimited, with a digest", ask: first, known: nil, status: 200,
            headers: [("Repr-Digest", digest)], expected: .whole),
        Row(
            testDescription: "416 at first", ask: first, known: nil, status: 416,
            headers: [("Content-Range", "bytes */0")], expected: .unsatisfiable),
        Row(
            testDescription: "416 without a range", ask: RangeRequest(), known: nil, status: 416, headers: [],
            expected: .invalid),
        Row(
            testDescription: "416, shorter now", status: 416, headers: [("Content-Range", "bytes */50")],
            expected: .changed),
        Row(
            testDescription: "416 without Content-Range", status: 416, headers: [("Content-Range", "bytes */1000")],
            expected: .invalid),
        Row(
            testDescription: "a part with status 200", ask: first, known: nil, status: 200,
            headers: part("bytes 0-99/1000", ("Content-Length", "100")), expected: .invalid),
        Row(
            testDescription: "a transfer coding", status: 206,
            headers: usual + [("Transfer-Encoding", "gzip, chunked")],
            expected: .invalid),
        Row(testDescription: "another status", status: 204, headers: [], expected: .invalid),
    ]

    @Test(arguments: rows)
    func responsesAreClassified(_ row: Row) {
        let response = RangeResponse(
            to: row.ask, known: row.known, status: row.status, headers: HTTPHeaders(row.headers), url: row.url)
        #expect(Self.kind(response) == row.expected, "\(response)")
    }

    /// The validator of a file without an entity tag (RFC 9110 §8.8.2.2, §13.1.5).
    @Test(
        arguments: [
            ([("Last-Modified", changed), ("Date", date)], changed), ([("Last-Modified", date), ("Date", date)], nil),
            ([("Last-Modified", changed)], nil), ([("Last-Modified", "yesterday"), ("Date", date)], nil),
            ([("Last-Modified", changed), ("Date", date), ("ETag", "W/\"v1\"")], nil),
            ([("Last-Modified", changed), ("Date", date), ("ETag", "\"v1\"")], "\"v1\""),
            ([("Last-Modified", changed), ("Last-Modified", earlier), ("Date", date)], nil),
        ] as [([(String, String)], String?)])
    func strongLastModifiedIsAValidator(headers: [(String, String)], validator: String?) {
        let response = RangeResponse(
            to: Self.first, known: nil, status: 206,
            headers: HTTPHeaders(headers + [("Content-Range", "bytes 0-999/1000")]), url: Self.url)
        guard case .part(let file, _) = response else {
            Issue.record("\(response)")
            return
        }
        #expect(file.validator == validator)
    }

    private static func kind(_ response: RangeResponse) -> Kind {
        switch response {
        case .part(_, let span): .part(span)
        case .whole: .whole
        case .changed: .changed
        case .conditionIgnored: .conditionIgnored
        case .unsatisfiable: .unsatisfiable
        case .unknownEnd: .unknownEnd
        case .invalid: .invalid
        }
    }

    /// For random responses: a part is accepted only if it starts at or before the requested range and belongs to the
    /// same file.
    @Test(arguments: 1...2000)
    func noResponsePutsBytesInTheWrongPlace(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        func number() -> String {
            ["0", "99", "100", "199", "999", "1000", "-1", "+5", "x", ""].randomElement(using: &random) ?? ""
        }
        let tag = ["\"v1\"", "\"v2\"", "W/\"v1\"", "v1", "\""].randomElement(using: &random) ?? ""
        let headers = HTTPHeaders([
            ("ETag", tag), ("Content-Range", "bytes \(number())-\(number())/\(number())"), ("Content-Length", number()),
        ])
        let ask = RangeRequest(range: 100..<200, isConditional: true)
        let response = RangeResponse(to: ask, known: Self.known, status: 206, headers: headers, url: Self.url)
        guard case .part(let file, let span) = response else { return }
        #expect(file.matches(Self.known) && span.lowerBound <= 100 && span.upperBound > 100, "\(headers)")
    }
}
