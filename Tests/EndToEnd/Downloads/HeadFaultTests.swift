import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Responses without the file: errors, redirects, and endless headers.
@Suite(.hangLimit)
struct HeadFaultTests {
    private static let cut = FaultRule.first(1, .cut(after: FaultRow.cut))

    private static func refusal(_ status: Int, _ seconds: String?) -> Fault {
        .status(status, seconds.map { [("Retry-After", $0)] } ?? [])
    }

    static let busy: [FaultRow] = [503, 429].flatMap { status in
        [
            FaultRow("\(status) for a second", .right, [.first(1, refusal(status, "1"))]),
            FaultRow("\(status) when resumed, for a second", .right, [cut, .resumed(1, refusal(status, "1"))]),
            FaultRow("\(status) without a time, once", .right, [.first(1, refusal(status, nil))]),
            FaultRow("\(status) with a time in the past", .right, [.first(1, refusal(status, past))]),
            FaultRow("\(status) until a date", .right, [.first(1, .busy(status, seconds: 2))]),
            FaultRow("\(status) with an invalid time", .right, [.first(1, refusal(status, "soon"))]),
            FaultRow("\(status) to every second request", .right, [.every(2, refusal(status, "0"))]),
            FaultRow(
                "\(status) for a second, always", .refused(75), [.always(refusal(status, "1"))], maximumRequests: 60),
            FaultRow("\(status) to a second connection", .right, [.besides(1, refusal(status, "1"))]),
            FaultRow("\(status) until tomorrow", .refused(75), [.always(refusal(status, "86400"))], maximumRequests: 4),
            FaultRow(
                "\(status) with a time that overflows", .refused(75),
                [.always(refusal(status, "99999999999999999999999"))], maximumRequests: 60),
        ]
    }

    private static let past = "Fri, 20 Nov 2020 10:00:00 GMT"

    static let refusals: [FaultRow] = passing + lasting + whenResumed

    private static let passing = [500, 502, 504].map { FaultRow("\($0) once", .right, [.first(1, .status($0))]) }

    private static let lasting = codes.map { status, code in
        let expected = [1, 7].contains(code) ? Expected.refused(1, 7) : .refused(code)
        return FaultRow("\(status) always", expected, [.always(.status(status))], maximumRequests: 60)
    }

    private static let codes: [(status: Int, code: Int32)] = [
        (500, 5), (502, 5), (404, 3), (410, 3), (401, 4), (403, 4), (400, 1), (204, 7), (205, 7), (304, 7), (300, 1),
        (299, 7),
    ]

    private static let whenResumed = [
        FaultRow("500 when resumed, once", .right, [cut, .resumed(1, .status(500))]),
        FaultRow("an endless 404", .refused(3), [.always(.status(404)), .always(.endless)], maximumRequests: 60),
        FaultRow("an endless 503", .refused(5, 75), [.always(.status(503)), .always(.endless)], maximumRequests: 60),
        FaultRow("a message with control characters", .refused(1, 7), [.always(.hostileWords(400))]),
        FaultRow("a second connection is closed", .right, [.besides(1, .silence)]),
        FaultRow("a second connection is reset", .right, [.besides(1, .cut(after: 1000, reset: true))]),
        FaultRow("404 when resumed", .refused(3, 7), [cut, .resumed(.status(404))], maximumRequests: 60),
        FaultRow("401 when resumed", .refused(4), [cut, .resumed(.status(401))], maximumRequests: 60),
    ]

    static let redirects: [FaultRow] = followed + endless + nowhere

    private static let followed: [FaultRow] =
        [301, 302, 303, 307, 308].map {
            FaultRow("\($0) to another path", .right, [.path("/file.bin", .redirect("{own}/here", $0))])
        } + [
            FaultRow("a redirect to a path", .right, [.path("/file.bin", .redirect("/else/where"))]),
            FaultRow(
                "a redirect, then a cut", .right,
                [.path("/file.bin", .redirect("/here")), .first(2, .cut(after: 99_999))]),
            FaultRow("a redirect to another server", .right, [.origin(0, .redirect("{other}/file.bin"))]),
            FaultRow("a redirect when resumed", .right, [cut, .path("/file.bin", elsewhere)]),
        ]

    private static let endless: [FaultRow] = [
        FaultRow("endless redirects", .refused(1, 5, 7), [.always(.redirectsForever)], maximumRequests: 30),
        FaultRow("a redirect to itself", .refused(1, 5, 7), [.always(.redirect("{own}{path}"))], maximumRequests: 30),
    ]

    private static let nowhere: [FaultRow] = [
        "file:///etc/passwd", "ftp://127.0.0.1/file.bin", "gopher://127.0.0.1/", "http:///file.bin", "http://", "",
        "http://127.0.0.1:99999/", "javascript:0",
    ].map { FaultRow("a redirect to \"\($0)\"", .refused(1, 5, 7), [.always(.redirect($0))], maximumRequests: 60) }

    /// Every response after the first one redirects to another path.
    private static let elsewhere = Fault.changingResponse { response, request, _ in
        guard request.number > 1 else { return }
        response = FaultResponse(302)
        response["Location"] = "{own}/elsewhere"
    }

    static let heads: [FaultRow] = [
        FaultRow("an endless header", .refused(5, 7), [.always(.endlessHead)], maximumRequests: 60),
        FaultRow("not HTTP", .refused(5, 7), [.always(.garbage)], maximumRequests: 60),
        FaultRow("not HTTP, once", .right, [.first(1, .garbage)]),
        FaultRow("a few 103 responses", .right, [.always(.interim(3))]),
        FaultRow("a thousand 103 responses", .rightOrRefused(5, 7), [.always(.interim(1000))]),
        FaultRow("a header of a mebibyte", .refused(5, 7), [.always(.hugeHeader(1 << 20))], maximumRequests: 60),
        FaultRow("a header of sixteen kibibytes", .right, [.always(.hugeHeader(16 << 10))]),
        FaultRow("an endless header when resumed, once", .right, [cut, .resumed(1, .endlessHead)]),
        FaultRow(
            "a file name that contains a path", .right,
            [.always(.header("Content-Disposition", "attachment; filename=\"../../../evil\""))]),
    ]

    @Test(arguments: busy, ConnectionCount.allCases)
    func busyServerIsRetried(_ row: FaultRow, _ width: ConnectionCount) async throws { try await row.check(width) }

    @Test(arguments: refusals, ConnectionCount.allCases)
    func errorStatusHasItsExitCode(_ row: FaultRow, _ width: ConnectionCount) async throws {
        try await row.check(width)
    }

    @Test(arguments: redirects, ConnectionCount.allCases)
    func redirectsAreFollowedUpToALimit(_ row: FaultRow, _ width: ConnectionCount) async throws {
        try await row.check(width)
    }

    @Test(arguments: heads, ConnectionCount.allCases)
    func headerSizeIsBounded(_ row: FaultRow, _ width: ConnectionCount) async throws { try await row.check(width) }
}
