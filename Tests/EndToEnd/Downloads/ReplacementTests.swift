import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Files that change on the server during a download, or between two attempts.
@Suite(.hangLimit)
struct ReplacementTests {
    private static let size = FaultRow.size
    private static let file = FaultRow.file
    private static let cutAt = FaultRow.cut
    private static let cut = FaultRule.first(1, .cut(after: cutAt))
    private static let grown = file.resized(to: size + 500_000, tag: "\"grown\"")
    private static let shrunk = file.resized(to: size - 500_000, tag: "\"shrunk\"")

    private static func replaced(by next: OfferedFile) -> FaultPlan.Replacement { .afterBytes(cutAt, next) }

    static let whileFetched: [FaultRow] = [("same length", FaultRow.other), ("longer", grown), ("shorter", shrunk)]
        .flatMap { name, next in
            [
                FaultRow("\(name)", .right, [cut], replacement: replaced(by: next)),
                FaultRow("\(name), no cut", .right, [], replacement: replaced(by: next)),
                FaultRow(
                    "\(name), If-Range ignored", .right, [cut, .always(.ignoresIfRange)],
                    replacement: replaced(by: next)),
                FaultRow(
                    "\(name), ranges ignored", .right, [cut, .always(.ignoresRange)], replacement: replaced(by: next)),
                FaultRow(
                    "\(name), weak ETags", .right, file: file.with(tag: "W/\"1\""), [cut],
                    replacement: replaced(by: next.with(tag: "W/\"2\""))),
                FaultRow(
                    "\(name), no validators", .rightOrRefused(7), file: file.with(tag: nil), [cut],
                    replacement: replaced(by: next.with(tag: nil))),
                FaultRow(
                    "\(name), dates only", .right, file: file.with(tag: nil).with(modified: dates[0]), [cut],
                    replacement: replaced(by: next.with(tag: nil).with(modified: dates[1]))),
                FaultRow(
                    "\(name), dates only, If-Range ignored", .right, file: file.with(tag: nil).with(modified: dates[0]),
                    [cut, .always(.ignoresIfRange)],
                    replacement: replaced(by: next.with(tag: nil).with(modified: dates[1]))),
                FaultRow(
                    "\(name), with digests", .right, file: file.digested(), [cut, .always(.ignoresIfRange)],
                    replacement: replaced(by: next.digested())),
            ]
        }

    private static let dates = ["Fri, 20 Nov 2026 10:00:00 GMT", "Fri, 20 Nov 2026 11:00:00 GMT"]

    /// Bytes of two versions in one response, which only a digest can detect.
    static let inPlace: [FaultRow] = [
        FaultRow(
            "overwritten in place, with digests", .rightOrRefused(7), file: file.digested(), [],
            replacement: .inPlace(cutAt, FaultRow.other.digested())),
        FaultRow(
            "overwritten in place, with digests, one cut", .rightOrRefused(7), file: file.digested(),
            [.first(1, .cut(after: 2 * cutAt))], replacement: .inPlace(cutAt, FaultRow.other.digested())),
        FaultRow(
            "overwritten under the same ETag, with digests", .rightOrRefused(7), file: file.digested(), [cut],
            replacement: replaced(by: FaultRow.other.digested().with(tag: file.tag))),
        FaultRow(
            "overwritten under the same ETag, detected by the checksum", .rightOrRefused(7), [cut],
            replacement: replaced(by: FaultRow.other.with(tag: file.tag)), options: ["--checksum", file.checksum]),
    ]

    @Test(arguments: whileFetched, ConnectionCount.allCases)
    func versionsAreNeverMixed(_ row: FaultRow, _ width: ConnectionCount) async throws {
        try await row.check(width)
    }

    @Test(arguments: inPlace, ConnectionCount.allCases)
    func digestDistinguishesVersions(_ row: FaultRow, _ width: ConnectionCount) async throws {
        try await row.check(width)
    }
}

/// A killed download, the state of the server at the next attempt, and the expected result.
struct SecondRun: CustomTestStringConvertible, Sendable {
    private static let file = FaultRow.file
    private static let size = FaultRow.size

    let testDescription: String
    var first = file
    let second: OfferedFile
    var rules: [FaultRule] = []
    var expected = Expected.right
    /// Whether the bytes of the first attempt are reused.
    var isResumed = false

    static let rows: [SecondRun] = [
        SecondRun(testDescription: "nothing changed", second: file, isResumed: true),
        SecondRun(testDescription: "the same length", second: FaultRow.other),
        SecondRun(testDescription: "longer", second: file.resized(to: size + 99_999, tag: "\"longer\"")),
        SecondRun(testDescription: "shorter", second: file.resized(to: size - 99_999, tag: "\"shorter\"")),
        SecondRun(testDescription: "shorter than the part file", second: file.resized(to: 1000, tag: "\"shorter\"")),
        SecondRun(testDescription: "empty", second: .random(0, seed: 3)),
        SecondRun(
            testDescription: "as long as the part file", second: file.resized(to: 2 << 20, tag: "\"shorter\"")),
        SecondRun(
            testDescription: "the same length, If-Range ignored", second: FaultRow.other,
            rules: [.always(.ignoresIfRange)]),
        SecondRun(
            testDescription: "longer, If-Range ignored", second: file.resized(to: size + 99_999, tag: "\"longer\""),
            rules: [.always(.ignoresIfRange)]),
        SecondRun(
            testDescription: "the same length, ranges ignored", second: FaultRow.other, rules: [.always(.ignoresRange)]),
        SecondRun(
            testDescription: "nothing changed, If-Range distrusted", second: file, rules: [.always(.distrustsIfRange)],
            isResumed: true),
        SecondRun(
            testDescription: "nothing changed, If-Range ignored", second: file, rules: [.always(.ignoresIfRange)],
            isResumed: true),
        SecondRun(
            testDescription: "nothing changed, parts are short", second: file, rules: [.always(.isShort(100_000))],
            isResumed: true),
        SecondRun(
            testDescription: "the same length, no validators", first: file.with(tag: nil),
            second: FaultRow.other.with(tag: nil)),
        SecondRun(
            testDescription: "the same length, weak validators", first: file.with(tag: "W/\"1\""),
            second: FaultRow.other.with(tag: "W/\"1\"")),
        SecondRun(
            testDescription: "without an ETag", second: FaultRow.other.with(tag: nil),
            rules: [.always(.ignoresIfRange)]),
        SecondRun(
            testDescription: "the same length under the same ETag, with digests", first: file.digested(),
            second: FaultRow.other.with(tag: file.tag).digested(), expected: .rightOrRefused(7)),
        SecondRun(
            testDescription: "gone", second: file, rules: [.always(.status(404))], expected: .refused(3)),
    ]

    /// Kills a download whose server stopped sending after two of three mebibytes, and starts another one.
    func check(_ width: ConnectionCount) async throws {
        try await DownloadSlots.shared.run {
            try await FaultServer.serving(.silent(first, after: 2 << 20)) { server in
                let fixture = try DownloadFixture()
                let options = ["--chunk-size", "256KiB"] + width.options
                try await fixture.downloadUntilSilent(server, options, noted: minimumJournaled(width))
                server.change(to: FaultPlan(second, rules))
                let done = try await fixture.download(server.url, options)
                try fixture.check(done, expected, versions: [second])
                guard isResumed else { return }
                #expect(done.wasResumed, "\(done.error)")
                // Several connections take over ranges from each other, so that some bytes are received twice.
                if width == .standard { #expect(server.served <= Self.size - FaultRow.chunk, "\(server.served) bytes") }
            }
        }
    }

    /// The minimum number of bytes that the journal must list. Each connection may buffer up to half a mebibyte.
    private func minimumJournaled(_ width: ConnectionCount) -> Int {
        // Without a strong entity tag, the journal lists no bytes.
        guard let tag = first.tag, tag.hasPrefix("\"") else { return 0 }
        return width == .standard ? 1 << 20 : 1
    }
}

@Suite(.hangLimit)
struct SecondRunTests {
    @Test(arguments: SecondRun.rows, ConnectionCount.allCases)
    func killedDownloadResumesOrStartsOver(_ row: SecondRun, _ width: ConnectionCount) async throws {
        try await row.check(width)
    }
}
