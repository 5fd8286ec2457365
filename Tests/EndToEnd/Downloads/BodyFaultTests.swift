import FeedTestSupport
import Foundation
import Testing

/// Bodies that end early, late or never, or differ from their headers.
@Suite(.generousTimeLimit)
struct BodyFaultTests {
    private static let size = FaultRow.size
    private static let cut = FaultRule.first(1, .cut(after: FaultRow.cut))
    private static let slack = 5 << 18
    private static let digested = FaultRow.file.digested()

    static let cuts: [FaultRow] =
        [0, 1, 64 << 10, FaultRow.chunk, FaultRow.cut, size - 1].flatMap { count in
            [
                FaultRow(
                    "cut after \(count) bytes", .right, [.first(1, .cut(after: count))], mostServed: size + slack),
                FaultRow("reset after \(count) bytes", .right, [.first(1, .cut(after: count, reset: true))]),
            ]
        } + [
            FaultRow("cut three times", .right, [.first(3, .cut(after: 500_000))]),
            FaultRow("reset three times", .right, [.first(3, .cut(after: 500_000, reset: true))]),
            FaultRow("always cut, but some come through", .right, [.always(.cut(after: 800_000))]),
            FaultRow("cut before the first byte, always", .refused(5), [.always(.cut(after: 0))], mostRequests: 60),
            FaultRow("closed without an answer, always", .refused(5), [.always(.silence)], mostRequests: 60),
            FaultRow("every second request gets no answer", .right, [cut, .every(2, .silence)]),
            FaultRow("every second request gets no answer, without a cut", .right, [.every(2, .silence)]),
            FaultRow(
                "no validator, always cut", .refused(5), file: FaultRow.file.with(tag: nil),
                [.always(.cut(after: FaultRow.cut))], mostRequests: 60),
        ]

    static let lengths: [FaultRow] = [
        FaultRow("Content-Length is too long", .rightOrRefused(5, 7), [.always(.lengthIsOff(by: 1000))]),
        FaultRow("Content-Length is too long, once", .right, [.first(1, .lengthIsOff(by: 1000))]),
        FaultRow("Content-Length is too short", .rightOrRefused(5, 7), [.always(.lengthIsOff(by: -1000))]),
        FaultRow("Content-Length is too short, once", .right, [.first(1, .lengthIsOff(by: -1000))]),
        FaultRow(
            "Content-Length is too short on a 200, the digest tells", .refused(5, 7), file: digested,
            [.always(.ignoresRange), .always(.lengthIsOff(by: -1000))]),
        FaultRow("Content-Length is no number", .refused(5, 7), [.always(.header("Content-Length", "many"))]),
        FaultRow("Content-Length is negative", .refused(5, 7), [.always(.header("Content-Length", "-1"))]),
        FaultRow(
            "Content-Length overflows", .refused(5, 7), [.always(.header("Content-Length", "18446744073709551617"))]),
        FaultRow(
            "a 200 of eight exbibytes", .refused(5, 7, 8),
            [.always(.ignoresRange), .always(.header("Content-Length", "9223372036854775806"))]),
        FaultRow("chunked parts", .right, [.always(.chunked)]),
        FaultRow("chunked parts, one cut", .right, [cut, .always(.chunked)], mostServed: size + slack),
        FaultRow("chunked, no length", .right, [.always(.ignoresRange), .always(.chunked)]),
        FaultRow("chunked, no length, one cut", .right, [cut, .always(.ignoresRange), .always(.chunked)]),
        FaultRow(
            "chunked, no length, always cut", .refused(5), [.always(.cut(after: 99_999))] + wholeChunked,
            mostRequests: 60),
        FaultRow(
            "chunked and a Content-Length that is wrong", .rightOrRefused(5, 7),
            [.always(.chunked), .always(.lengthIsOff(by: -1000))]),
        FaultRow(
            "a whole, chunked, and a Content-Length that is wrong", .rightOrRefused(5, 7),
            [.always(.chunked), .always(.ignoresRange), .always(.lengthIsOff(by: -1000))]),
        FaultRow("parts that end with the connection", .right, [.always(.closeDelimited)]),
        FaultRow("parts that end with the connection, one cut", .right, [cut, .always(.closeDelimited)]),
        // It cannot be distinguished from a truncated body, so it is refused unless there is a digest.
        FaultRow(
            "a whole that ends with the connection", .refused(7),
            [.always(.ignoresRange), .always(.closeDelimited)]),
        FaultRow(
            "a whole that ends with the connection, the digest tells", .right, file: digested,
            [.always(.ignoresRange), .always(.closeDelimited)]),
        FaultRow(
            "a whole that ends with the connection, the checksum tells", .right,
            [.always(.ignoresRange), .always(.closeDelimited)], options: ["--checksum", FaultRow.file.checksum]),
        FaultRow(
            "a whole that ends with the connection, cut", .refused(5, 7),
            [.always(.ignoresRange), .always(.closeDelimited), .always(.cut(after: FaultRow.cut))]),
        FaultRow(
            "a whole that ends with the connection, always cut, the digest tells", .refused(5, 7), file: digested,
            [.always(.ignoresRange), .always(.closeDelimited), .always(.cut(after: FaultRow.cut))]),
        FaultRow("a part that never ends", .rightOrRefused(5, 7), [.always(.endless)]),
        FaultRow(
            "a whole that never ends, until the disk is full", .refused(7, 8),
            [.always(.ignoresRange), .always(.endless)],
            largestFile: 32 << 10),
    ]

    private static let wholeChunked: [FaultRule] = [.always(.ignoresRange), .always(.chunked)]

    static let contents: [FaultRow] = [
        FaultRow("gzip on a whole", .rightOrRefused(7), [.always(.ignoresRange), .always(.gzip)]),
        FaultRow("gzip on every part", .rightOrRefused(7), [.always(.gzip)]),
        FaultRow("gzip when resumed", .rightOrRefused(7), [cut, .resumed(.gzip)]),
        FaultRow("gzip when resumed, once", .rightOrRefused(7), [cut, .resumed(1, .gzip)]),
        FaultRow("gzip as a transfer coding", .rightOrRefused(5, 7), [.always(.transferGzip)]),
        FaultRow(
            "gzip as a transfer coding of a whole", .rightOrRefused(5, 7),
            [.always(.ignoresRange), .always(.transferGzip)]),
        FaultRow("an unknown coding", .refused(7), [.always(.header("Content-Encoding", "zebra"))]),
        FaultRow("the coding identity", .right, [.always(.header("Content-Encoding", "identity"))]),
        FaultRow("the right digest", .right, file: digested, []),
        FaultRow("the right digest, one cut", .right, file: digested, [cut], mostServed: size + slack),
        FaultRow("another file's digest", .refused(7), [.always(.header("Repr-Digest", otherDigest))]),
        FaultRow("a digest nobody can read", .right, [.always(.header("Repr-Digest", "sha-256=:AAAA:, md5=:x:"))]),
        FaultRow("one byte is flipped, the digest tells", .refused(7), file: digested, [.always(.flipsByte)]),
        FaultRow(
            "one byte is flipped once, the digest tells", .rightOrRefused(7), file: digested, [.first(1, .flipsByte)]),
        FaultRow("the right checksum", .right, [cut], options: ["--checksum", FaultRow.file.checksum]),
        FaultRow("another file's checksum", .refused(7), [], options: ["--checksum", FaultRow.other.checksum]),
        FaultRow(
            "one byte is flipped, the checksum tells", .refused(7), [.always(.flipsByte)],
            options: ["--checksum", FaultRow.file.checksum]),
        FaultRow(
            "the digest lies, the checksum is right", .rightOrRefused(7),
            [.always(.header("Repr-Digest", otherDigest))],
            options: ["--checksum", FaultRow.file.checksum]),
        FaultRow("drop by drop", .right, [.always(.drip(16 << 10, pause: 2))]),
    ]

    private static let otherDigest = Checksum.digestField(FaultRow.other.bytes)

    @Test(arguments: cuts, Width.allCases)
    func aCutBodyIsTakenUp(_ row: FaultRow, _ width: Width) async throws { try await row.check(width) }

    @Test(arguments: lengths, Width.allCases)
    func aLengthIsNotBelieved(_ row: FaultRow, _ width: Width) async throws { try await row.check(width) }

    @Test(arguments: contents, Width.allCases)
    func contentIsChecked(_ row: FaultRow, _ width: Width) async throws { try await row.check(width) }

    static let stalls: [FaultRow] = [
        FaultRow(
            "in the body", .right, [.first(1, .stall(after: FaultRow.cut))], mostServed: size + slack, mostRequests: 40),
        FaultRow("in the body of all that come together", .right, [.first(4, .stall(after: 10_000))]),
        FaultRow("before the answer", .right, [.first(1, .stalledHead(after: 0))]),
        FaultRow("in the head", .right, [.first(1, .stalledHead(after: 40))]),
        FaultRow("when resumed", .right, [cut, .resumed(1, .stalledHead(after: 0))]),
        FaultRow("a head that drips", .right, [.first(1, .drippingHead)]),
        FaultRow("in the words of a refusal", .refused(3, 5), [.always(.status(404)), .first(1, .stall(after: 5))]),
    ]

    /// Silence: the client gives the connection up by itself, and the next one is fine.
    @Test(arguments: stalls, Width.allCases)
    func aStalledConnectionIsGivenUp(_ row: FaultRow, _ width: Width) async throws { try await row.check(width) }
}
