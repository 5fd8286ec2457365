import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Bodies that end early, late or never, or differ from their headers.
@Suite(.hangLimit)
struct BodyFaultTests {
    private static let size = FaultRow.size
    private static let cut = FaultRule.first(1, .cut(after: FaultRow.cut))
    /// The bytes that a client may fetch again after a stall: those in flight, fewer than ``FaultRow/cut``.
    private static let slack = 5 << 18
    private static let digested = FaultRow.file.digested()

    static let cuts: [FaultRow] =
        [0, 1, 64 << 10, FaultRow.chunk, FaultRow.cut, size - 1].flatMap { count in
            [
                FaultRow(
                    "cut after \(count) bytes", .right, [.first(1, .cut(after: count))], maximumServed: size),
                FaultRow("reset after \(count) bytes", .right, [.first(1, .cut(after: count, reset: true))]),
            ]
        } + [
            FaultRow("cut three times", .right, [.first(3, .cut(after: 500_000))]),
            FaultRow("reset three times", .right, [.first(3, .cut(after: 500_000, reset: true))]),
            FaultRow("always cut, with some progress", .right, [.always(.cut(after: 800_000))]),
            FaultRow("cut before the first byte, always", .refused(5), [.always(.cut(after: 0))], maximumRequests: 60),
            FaultRow("closed without a response, always", .refused(5), [.always(.silence)], maximumRequests: 60),
            FaultRow("every second request gets no response", .right, [cut, .every(2, .silence)]),
            FaultRow("every second request gets no response, without a cut", .right, [.every(2, .silence)]),
            FaultRow(
                "no validator, always cut", .refused(5), file: FaultRow.file.with(tag: nil),
                [.always(.cut(after: FaultRow.cut))], maximumRequests: 60),
        ]

    static let lengths: [FaultRow] = [
        FaultRow("Content-Length is too long", .rightOrRefused(5, 7), [.always(.lengthIsOff(by: 1000))]),
        FaultRow("Content-Length is too long, once", .right, [.first(1, .lengthIsOff(by: 1000))]),
        FaultRow("Content-Length is too short", .rightOrRefused(5, 7), [.always(.lengthIsOff(by: -1000))]),
        FaultRow("Content-Length is too short, once", .right, [.first(1, .lengthIsOff(by: -1000))]),
        FaultRow(
            "Content-Length is too short in a 200, detected by the digest", .refused(5, 7), file: digested,
            [.always(.ignoresRange), .always(.lengthIsOff(by: -1000))]),
        FaultRow("Content-Length is not a number", .refused(5, 7), [.always(.header("Content-Length", "many"))]),
        FaultRow("Content-Length is negative", .refused(5, 7), [.always(.header("Content-Length", "-1"))]),
        FaultRow(
            "Content-Length overflows", .refused(5, 7), [.always(.header("Content-Length", "18446744073709551617"))]),
        FaultRow(
            "a 200 of eight exbibytes", .refused(5, 7, 8),
            [.always(.ignoresRange), .always(.header("Content-Length", "9223372036854775806"))]),
        FaultRow("chunked parts", .right, [.always(.chunked)]),
        FaultRow("chunked parts, one cut", .right, [cut, .always(.chunked)], maximumServed: size),
        FaultRow("chunked, no length", .right, [.always(.ignoresRange), .always(.chunked)]),
        FaultRow("chunked, no length, one cut", .right, [cut, .always(.ignoresRange), .always(.chunked)]),
        FaultRow(
            "chunked, no length, always cut", .refused(5), [.always(.cut(after: 99_999))] + wholeChunked,
            maximumRequests: 60),
        FaultRow(
            "chunked, with a wrong Content-Length", .rightOrRefused(5, 7),
            [.always(.chunked), .always(.lengthIsOff(by: -1000))]),
        FaultRow(
            "a chunked 200, with a wrong Content-Length", .rightOrRefused(5, 7),
            [.always(.chunked), .always(.ignoresRange), .always(.lengthIsOff(by: -1000))]),
        FaultRow("close-delimited parts", .right, [.always(.closeDelimited)]),
        FaultRow("close-delimited parts, one cut", .right, [cut, .always(.closeDelimited)]),
        // A truncated body would look the same, so the response is rejected unless there is a digest.
        FaultRow(
            "a close-delimited 200", .refused(7),
            [.always(.ignoresRange), .always(.closeDelimited)]),
        FaultRow(
            "a close-delimited 200, verified by the digest", .right, file: digested,
            [.always(.ignoresRange), .always(.closeDelimited)]),
        FaultRow(
            "a close-delimited 200, verified by the checksum", .right,
            [.always(.ignoresRange), .always(.closeDelimited)], options: ["--checksum", FaultRow.file.checksum]),
        FaultRow(
            "a close-delimited 200, cut", .refused(5, 7),
            [.always(.ignoresRange), .always(.closeDelimited), .always(.cut(after: FaultRow.cut))]),
        FaultRow(
            "a close-delimited 200, always cut, detected by the digest", .refused(5, 7), file: digested,
            [.always(.ignoresRange), .always(.closeDelimited), .always(.cut(after: FaultRow.cut))]),
        FaultRow("an endless part", .rightOrRefused(5, 7), [.always(.endless)]),
        FaultRow(
            "an endless 200, until the disk is full", .refused(7, 8),
            [.always(.ignoresRange), .always(.endless)],
            largestFile: 32 << 10),
    ]

    private static let wholeChunked: [FaultRule] = [.always(.ignoresRange), .always(.chunked)]

    static let contents: [FaultRow] = [
        FaultRow("gzip on a 200", .rightOrRefused(7), [.always(.ignoresRange), .always(.gzip)]),
        FaultRow("gzip on every part", .rightOrRefused(7), [.always(.gzip)]),
        FaultRow("gzip when resumed", .rightOrRefused(7), [cut, .resumed(.gzip)]),
        FaultRow("gzip when resumed, once", .rightOrRefused(7), [cut, .resumed(1, .gzip)]),
        FaultRow("gzip as a transfer coding", .rightOrRefused(5, 7), [.always(.transferGzip)]),
        FaultRow(
            "gzip as a transfer coding of a 200", .rightOrRefused(5, 7),
            [.always(.ignoresRange), .always(.transferGzip)]),
        FaultRow("an unknown coding", .refused(7), [.always(.header("Content-Encoding", "zebra"))]),
        FaultRow("the coding identity", .right, [.always(.header("Content-Encoding", "identity"))]),
        FaultRow("the right digest", .right, file: digested, []),
        FaultRow("the right digest, one cut", .right, file: digested, [cut], maximumServed: size),
        FaultRow("another file's digest", .refused(7), [.always(.header("Repr-Digest", otherDigest))]),
        FaultRow("an unparsable digest", .right, [.always(.header("Repr-Digest", "sha-256=:AAAA:, md5=:x:"))]),
        FaultRow("one byte is flipped, detected by the digest", .refused(7), file: digested, [.always(.flipsByte)]),
        FaultRow(
            "one byte is flipped once, detected by the digest", .rightOrRefused(7), file: digested,
            [.first(1, .flipsByte)]),
        FaultRow("the right checksum", .right, [cut], options: ["--checksum", FaultRow.file.checksum]),
        FaultRow("another file's checksum", .refused(7), [], options: ["--checksum", FaultRow.other.checksum]),
        FaultRow(
            "one byte is flipped, detected by the checksum", .refused(7), [.always(.flipsByte)],
            options: ["--checksum", FaultRow.file.checksum]),
        FaultRow(
            "the digest is wrong, the checksum is right", .rightOrRefused(7),
            [.always(.header("Repr-Digest", otherDigest))],
            options: ["--checksum", FaultRow.file.checksum]),
        FaultRow("in small pieces", .right, [.always(.drip(16 << 10, pause: 2))]),
    ]

    private static let otherDigest = Checksum.digestField(FaultRow.other.bytes)

    /// The message says how much has arrived, and the hint what is kept of it.
    @Test(arguments: [(nil, "Nothing is kept"), ("\"v1\"", "They are kept")] as [(String?, String)])
    func shortBodyIsExplained(tag: String?, hint: String) async throws {
        let file = FaultRow.file.with(tag: tag)
        try await FaultServer.serving(FaultPlan(file, [.always(.cut(after: 1 << 20)), .resumed(.cut(after: 0))])) {
            server in
            let fixture = try DownloadFixture()
            let done = try await fixture.download(server.url, ["--connections", "1"])
            #expect(done.code == 5, "\(done.error)")
            #expect(
                done.error.contains("error: The connection ended early; 1048576 of \(Self.size) bytes have arrived\n"),
                "\(done.error)")
            #expect(done.error.contains("hint: " + hint), "\(done.error)")
            #expect(done.error.contains(" Partial download kept in ") == (tag != nil), "\(done.error)")
            #expect(try fixture.names().isEmpty == (tag == nil))
        }
    }

    @Test(arguments: cuts, ConnectionCount.allCases)
    func truncatedBodyIsResumed(_ row: FaultRow, _ width: ConnectionCount) async throws { try await row.check(width) }

    @Test(arguments: lengths, ConnectionCount.allCases)
    func wrongContentLengthIsDetected(_ row: FaultRow, _ width: ConnectionCount) async throws {
        try await row.check(width)
    }

    @Test(arguments: contents, ConnectionCount.allCases)
    func contentIsVerified(_ row: FaultRow, _ width: ConnectionCount) async throws { try await row.check(width) }

    static let stalls: [FaultRow] = [
        FaultRow(
            "in the body", .right, [.first(1, .stall(after: FaultRow.cut))], maximumServed: size + slack,
            maximumRequests: 40),
        FaultRow("in the body of concurrent responses", .right, [.first(4, .stall(after: 10_000))]),
        FaultRow("before the response", .right, [.first(1, .stalledHead(after: 0))]),
        FaultRow("in the header", .right, [.first(1, .stalledHead(after: 40))]),
        FaultRow("when resumed", .right, [cut, .resumed(1, .stalledHead(after: 0))]),
        FaultRow("a header that arrives byte by byte", .right, [.first(1, .drippingHead)]),
        FaultRow("in the body of a 404", .refused(3, 5), [.always(.status(404)), .first(1, .stall(after: 5))]),
    ]

    /// Silence: the client closes the connection after a timeout, and the next one works.
    @Test(arguments: stalls, ConnectionCount.allCases)
    func stalledConnectionIsAbandoned(_ row: FaultRow, _ width: ConnectionCount) async throws {
        try await row.check(width, patience: 30)
    }
}
