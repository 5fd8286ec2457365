import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Servers with a random fault for every request. None of them makes a patient client hang.
@Suite(.hangLimit)
struct RandomFaultTests {
    private static let seeds = 1...Soak.rounds(24, soaking: 480)

    /// Invalid responses, of which a few are tolerated.
    private static let odd: [Fault] = [
        .multipart, .starts(late: 1000), .claims(range: nil), .gzip, .claims(range: "bytes 7-3/5"), .garbage,
    ]

    /// Faults after which a client can continue; every second response delivers bytes.
    private static func fault(_ generator: inout SplitMix64, bringsBytes: Bool) -> Fault {
        let count = Int.random(in: 100_000...1_500_000, using: &generator)
        switch Int.random(in: bringsBytes ? 7..<14 : 0..<14, using: &generator) {
        case 0: return .silence
        case 1: return .status(500)
        case 2: return .status(503, [("Retry-After", "0")])
        case 3: return .status(429, [("Retry-After", "0")])
        case 4: return .cut(after: Int.random(in: 0...100, using: &generator))
        case 5: return .redirect("{own}/file.bin?again")
        case 6: return .cut(after: count, reset: true)
        // The client loses the bytes that it has received but not yet read when the connection is cut.
        case 7: return .cut(after: count + 700_000)
        case 8: return .isShort(count)
        case 9: return .chunked
        case 10: return .closeDelimited
        case 11: return .drip(32 << 10, pause: 1)
        case 12: return .ignoresIfRange
        default: return Fault()
        }
    }

    /// The fault of each request is a function of the seed and its number alone.
    private static func rules(_ seed: Int) -> [FaultRule] {
        (1...400).map { number in
            var generator = SplitMix64(seed: UInt64(seed << 20 | number))
            var fault = fault(&generator, bringsBytes: number % 2 == 0)
            if number % 7 == 3 { fault = odd[(seed + number) % odd.count] }
            return FaultRule(applies: { $0.number == number }, fault: fault)
        }
    }

    /// All faults of a server. With a digest, the client can detect every wrong byte.
    private static let lies: [Fault] =
        odd + [
            .flipsByte, .sendsOtherPlace, .freshTag, .ignoresRange, .ignoresIfRange, .distrustsIfRange,
            .starts(early: 1000),
            .starts(early: .max / 2), .isShort(300_000), .isLong, .claims { String($0 + 1) }, .claims { _ in "*" },
            .claims(range: "bytes 0-99/100"), .multipartWithRange, .saysWhole, .header("ETag", nil),
            .header("ETag", "W/\"version-2\""),
            .status(206), .status(416, [("Content-Range", "bytes */1000")]), .status(500), .silence,
            .endless,
            .cut(after: 200_000), .cut(after: 900_000, reset: true), .chunked, .closeDelimited, .lengthIsOff(by: 1000),
            .lengthIsOff(by: -1000), .transferGzip, .hugeHeader(200_000), .interim(20), .redirect("{own}/moved"),
            .redirect("{other}/file.bin"), .hostileWords(404), .header("Content-Length", "-1"),
        ]

    /// Up to two faults for each request; some seeds produce more of them than others.
    private static func lyingRules(_ seed: Int) -> [FaultRule] {
        (1...400).flatMap { number -> [FaultRule] in
            var generator = SplitMix64(seed: UInt64(seed << 20 | number))
            return (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in
                guard Int.random(in: 0..<8, using: &generator) < seed % 8 + 1 else { return nil }
                let lie = lies[Int.random(in: 0..<lies.count, using: &generator)]
                return FaultRule(applies: { $0.number == number }, fault: lie)
            }
        }
    }

    /// The file is right or rejected, however often the server lies, even if the file is replaced during the download.
    @Test(arguments: seeds, ConnectionCount.allCases)
    func lyingServerNeverCausesAWrongFile(_ seed: Int, _ width: ConnectionCount) async throws {
        let (one, two) = (OfferedFile.random(2 << 20 | seed).digested(), OfferedFile.random(2 << 20 | seed, seed: 2))
        let replacement = FaultPlan.Replacement.afterBytes(seed % 3 == 0 ? seed * 50_000 : .max, two.digested())
        try await FaultRow(
            "seed \(seed)", .rightOrRefused(1, 3, 4, 5, 7, 8, 75), file: one, Self.lyingRules(seed),
            replacement: replacement
        ).check(width)
    }

    @Test(arguments: seeds, ConnectionCount.allCases)
    func everyDownloadSucceeds(_ seed: Int, _ width: ConnectionCount) async throws {
        let file = OfferedFile.random(4 << 20 | seed, seed: UInt64(seed))
        let kind = [file, file.digested(), file.with(modified: "Fri, 20 Nov 2026 10:00:00 GMT")][seed % 3]
        try await FaultRow("seed \(seed)", .right, file: kind, Self.rules(seed)).check(width)
    }
}
