import Foundation
import Testing

/// Servers that roll a die for every request. Nothing they do hinders a patient client for ever.
@Suite(.timeLimit(.minutes(15)))
struct RandomFaultTests {
    private static let seeds = 1...48

    /// Answers that make no sense; a few are let pass.
    private static let odd: [Fault] = [
        .multipart, .starts(late: 1000), .claims(range: nil), .gzip, .claims(range: "bytes 7-3/5"), .garbage,
    ]

    /// Faults after which a client can go on; between two in a row that bring nothing there is always one that brings bytes.
    private static func fault(_ generator: inout SplitMix, bringsBytes: Bool) -> Fault {
        let count = Int.random(in: 100_000...1_500_000, using: &generator)
        switch Int.random(in: bringsBytes ? 6..<14 : 0..<14, using: &generator) {
        case 0: return .silence
        case 1: return .status(500)
        case 2: return .status(503, [("Retry-After", "0")])
        case 3: return .status(429, [("Retry-After", "0")])
        case 4: return .cut(after: Int.random(in: 0...100, using: &generator))
        case 5: return .redirect("{own}/moved")
        case 6: return .cut(after: count, reset: true)
        case 7: return .cut(after: count)
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
            var generator = SplitMix(seed: UInt64(seed << 20 | number))
            var fault = fault(&generator, bringsBytes: number % 2 == 0)
            if number % 7 == 3 { fault = odd[(seed + number) % odd.count] }
            return FaultRule(applies: { $0.number == number }, fault: fault)
        }
    }

    @Test(arguments: seeds, Width.allCases)
    func everyDownloadEndsRight(_ seed: Int, _ width: Width) async throws {
        let file = OfferedFile.random(4 << 20 | seed, seed: UInt64(seed))
        let kind = [file, file.digested(), file.with(modified: "Fri, 20 Nov 2026 10:00:00 GMT")][seed % 3]
        try await FaultRow("seed \(seed)", .right, file: kind, Self.rules(seed)).check(width)
    }
}
