import Foundation
import TestKit
import Testing

/// Servers with unusual responses to range requests (RFC 9110 §14).
@Suite(.hangLimit)
struct RangeFaultTests {
    private static let size = FaultRow.size
    private static let cut = FaultRule.first(1, .cut(after: FaultRow.cut))

    static let honest: [FaultRow] = [
        FaultRow("no fault", .right, [], maximumServed: size, maximumRequests: 40),
        FaultRow("no fault except one cut", .right, [cut], maximumServed: size),
        FaultRow("an empty file, 416 for its first byte", .right, file: .random(0), []),
        FaultRow("an empty file, 200", .right, file: .random(0), [.always(.ignoresRange)]),
        FaultRow("one byte", .right, file: .random(1), []),
        FaultRow("exactly one chunk", .right, file: .random(FaultRow.chunk), [], maximumServed: FaultRow.chunk),
    ]

    static let wholes: [FaultRow] = [
        FaultRow("200 for every range", .right, [.always(.ignoresRange)], maximumServed: size),
        FaultRow("200 for every range, one cut", .right, [cut, .always(.ignoresRange)], maximumServed: 2 * size),
        FaultRow("200 when resumed", .right, [cut, .resumed(.ignoresRange)]),
        FaultRow("200 when resumed, once", .right, [cut, .resumed(1, .ignoresRange)]),
        FaultRow(
            "200 for every range, a new ETag each time", .rightOrRefused(7),
            [.always(.ignoresRange), .always(.freshTag)]),
        FaultRow(
            "200 for every range, a new ETag each time, one cut", .right,
            [cut, .always(.ignoresRange), .always(.freshTag)]),
        FaultRow("200 for a part of the file", .rightOrRefused(7), [.always(.isShort(100)), .always(.saysWhole)]),
        FaultRow("200 for a part when resumed", .rightOrRefused(7), [cut, .resumed(.saysWhole)]),
        FaultRow("200 without a length when resumed", .right, [cut, .resumed(.ignoresRange), .resumed(.chunked)]),
        FaultRow(
            "200 without a length when resumed, once", .right,
            [cut, .resumed(1, .ignoresRange), .resumed(1, .chunked)]),
        FaultRow("200 for every If-Range", .right, [cut, .always(.distrustsIfRange)]),
        FaultRow("If-Range is ignored, nothing changed", .right, [cut, .always(.ignoresIfRange)]),
    ]

    static let places: [FaultRow] = [
        FaultRow("206 that starts early", .rightOrRefused(7), [cut, .resumed(.starts(early: 1000))]),
        FaultRow("206 from the start of the file", .rightOrRefused(7), [cut, .resumed(.starts(early: size))]),
        FaultRow("206 that starts early, once", .right, [cut, .resumed(1, .starts(early: 1000))]),
        FaultRow("206 that starts late", .rightOrRefused(7), [cut, .resumed(.starts(late: 1000))]),
        FaultRow("206 that starts late, once", .right, [cut, .resumed(1, .starts(late: 1000))]),
        FaultRow("the first 206 begins late", .rightOrRefused(7), [.first(1, .starts(late: 1))]),
        FaultRow("206 shorter than requested", .right, [.always(.isShort(700_000))]),
        FaultRow("206 shorter than requested when resumed", .right, [cut, .resumed(.isShort(700_000))]),
        FaultRow("206 of one byte, once", .right, [cut, .resumed(1, .isShort(1))]),
        FaultRow(
            "206 shorter than requested, and cut earlier", .right,
            [.always(.isShort(900_000)), .always(.cut(after: 700_000))]),
        FaultRow("206 longer than requested", .rightOrRefused(7), [cut, .always(.isLong)]),
        FaultRow(
            "the right Content-Range with other bytes", .rightOrRefused(7), file: FaultRow.file.digested(),
            [cut, .resumed(.sendsOtherPlace)]),
    ]

    static let totals: [FaultRow] = [
        FaultRow("the total grows when resumed", .rightOrRefused(7), [cut, .resumed(.claims { String($0 + 1) })]),
        FaultRow("the total shrinks when resumed", .rightOrRefused(7), [cut, .resumed(.claims { String($0 - 1) })]),
        FaultRow("the total differs once", .right, [cut, .resumed(1, .claims { String($0 + 1) })]),
        FaultRow("the total is always too large", .rightOrRefused(5, 7), [.always(.claims { String($0 + 1000) })]),
        FaultRow("the total is always unknown", .right, [.always(.claims { _ in "*" })]),
        FaultRow("the total is unknown when resumed", .right, [cut, .resumed(.claims { _ in "*" })]),
        FaultRow("416 for everything", .refused(1, 7), [.always(unsatisfiable)]),
        FaultRow("416 when resumed", .rightOrRefused(1, 7), [cut, .resumed(unsatisfiable)]),
        FaultRow("416 when resumed, once", .right, [cut, .resumed(1, unsatisfiable)]),
    ]

    private static let unsatisfiable = Fault.status(416, [("Content-Range", "bytes */\(size)")])

    static let validators: [FaultRow] = [
        FaultRow("a weak ETag", .right, file: FaultRow.file.with(tag: "W/\"weak\""), []),
        FaultRow("a weak ETag, one cut", .right, file: FaultRow.file.with(tag: "W/\"weak\""), [cut]),
        FaultRow("no validator", .right, file: FaultRow.file.with(tag: nil), []),
        FaultRow("no validator, one cut", .right, file: FaultRow.file.with(tag: nil), [cut]),
        FaultRow("Last-Modified only", .right, file: FaultRow.file.with(tag: nil).with(modified: old), []),
        FaultRow(
            "Last-Modified only, one cut", .right, file: FaultRow.file.with(tag: nil).with(modified: old), [cut],
            maximumServed: size),
        FaultRow(
            "Last-Modified missing when resumed", .right, file: FaultRow.file.with(tag: nil).with(modified: old),
            [cut, .resumed(.header("Last-Modified", nil))], maximumServed: size),
        FaultRow("a new ETag each time", .rightOrRefused(7), [.always(.freshTag)]),
        FaultRow("a new ETag each time, one cut", .rightOrRefused(7), [cut, .always(.freshTag)]),
        FaultRow(
            "a new ETag each time, cut each time", .refused(5, 7), [.always(.freshTag), .always(.cut(after: 700_000))]),
        FaultRow("the ETag is missing when resumed", .rightOrRefused(7), [cut, .resumed(.header("ETag", nil))]),
        FaultRow(
            "a weak ETag when resumed", .rightOrRefused(7),
            [cut, .resumed(.header("ETag", "W/\"version-1\""))]),
        FaultRow("the ETag is not quoted", .right, file: FaultRow.file.with(tag: "bare"), [cut]),
    ]

    private static let old = "Fri, 20 Nov 2026 10:00:00 GMT"

    static let garbled: [FaultRow] =
        [
            nil, "", "bytes", "bytes 0-", "items 0-\(size - 1)/\(size)", "bytes 0-\(size - 1)",
            "bytes -5-\(size - 1)/\(size)",
            "bytes 5-1/\(size)", "bytes 0-\(size)/\(size)", "bytes 0-1/1", "bytes */\(size)", "0-\(size - 1)/\(size)",
            "bytes 0-\(size - 1)/-\(size)", "bytes 0-\(size - 1)/\(size)/\(size)",
            "bytes 0-9223372036854775807/9223372036854775807",
            "bytes 0-18446744073709551615/18446744073709551616",
            "bytes 18446744073709551616-18446744073709551617/18446744073709551618",
            "bytes 99999999999999999999999999-1/2",
        ].map { FaultRow("Content-Range: \($0 ?? "none")", .rightOrRefused(7), [.always(.claims(range: $0))]) } + [
            FaultRow(
                "Content-Range of eight exbibytes", .refused(5, 7, 8),
                [.always(.claims(range: "bytes 0-9223372036854775806/9223372036854775807"))]),
            FaultRow(
                "Content-Range of a hundred bytes with the whole file", .rightOrRefused(5, 7),
                [.always(.claims(range: "bytes 0-99/100"))]),
            FaultRow("no Content-Range when resumed, once", .right, [cut, .resumed(1, .claims(range: nil))]),
            FaultRow("multipart/byteranges for one range", .rightOrRefused(7), [.always(.multipart)]),
            FaultRow("multipart/byteranges when resumed", .rightOrRefused(7), [cut, .resumed(.multipart)]),
            FaultRow(
                "multipart/byteranges with a Content-Range", .rightOrRefused(5, 7), [.always(.multipartWithRange)]),
            FaultRow(
                "multipart/byteranges with a Content-Range, chunked", .rightOrRefused(7),
                [.always(.multipartWithRange), .always(.chunked)]),
            FaultRow(
                "multipart/byteranges with a Content-Range when resumed, chunked", .rightOrRefused(7),
                [cut, .resumed(.multipartWithRange), .resumed(.chunked)]),
            FaultRow("multipart/byteranges when resumed, once", .right, [cut, .resumed(1, .multipart)]),
        ]

    @Test(arguments: honest + wholes, ConnectionCount.allCases)
    func fullResponsesAreAccepted(_ row: FaultRow, _ width: ConnectionCount) async throws { try await row.check(width) }

    @Test(arguments: places + totals, ConnectionCount.allCases)
    func contentRangeIsVerified(_ row: FaultRow, _ width: ConnectionCount) async throws { try await row.check(width) }

    @Test(arguments: validators, ConnectionCount.allCases)
    func onlyStrongValidatorsCombineParts(_ row: FaultRow, _ width: ConnectionCount) async throws {
        try await row.check(width)
    }

    @Test(arguments: garbled, ConnectionCount.allCases)
    func malformedContentRangeIsRejected(_ row: FaultRow, _ width: ConnectionCount) async throws {
        try await row.check(width)
    }
}
