import FeedCore
import FeedFiles
import TestKit
import Testing

@testable import FeedTestSupport

/// Mutated files are refused or copied, but never crash the copier.
@Suite(.hangLimit)
struct MediaMutationTests {
    static let seeds: [UInt64] = Array(1...10)
    static let perSeed = Soak.rounds(300, soaking: 10_000)

    /// Besides these, single bytes, bits and stretches change.
    static let fragments: [String] = [
        "\u{0}\u{0}\u{0}\u{0}", "\u{0}\u{0}\u{0}\u{1}", "\u{7F}\u{7F}\u{7F}\u{7F}", "IDAT", "fcTL", "acTL", "moov",
        "trak",
        "udta", "mdat", "RIFF", "VP8X", "ANMF", "OggS", "OpusTags", "ID3", "TAG", "APETAGEX", "NETSCAPE2.0",
    ]

    @Test(arguments: seeds)
    func mutatedFilesAreRefusedOrCopied(seed: UInt64) {
        var mutator = Mutator(seed: seed, fragments: Self.fragments)
        for count in 0..<Self.perSeed {
            let sample = mutator.one(of: MediaSample.all)
            let bytes = Self.overwritten(mutator.mutated(sample.bytes), &mutator)
            guard let copied = try? Copied(bytes) else { continue }
            // Nothing grows without bound; a JPEG file can gain what is written in a standard way.
            #expect(copied.bytes.count <= bytes.count + 100, "\(sample.name), seed \(seed), mutation \(count)")
            #expect((try? Copied(copied.bytes)) == copied, "\(sample.name), seed \(seed), mutation \(count): \(bytes)")
        }
    }

    /// Sometimes sets four bytes to an extreme number, which may be a size.
    private static func overwritten(_ bytes: [UInt8], _ mutator: inout Mutator) -> [UInt8] {
        guard bytes.count > 8, Bool.random(using: &mutator.random) else { return bytes }
        let number = mutator.one(of: [0, 1, 2, 7, 8, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
        let start = Int.random(in: 0...(bytes.count - 4), using: &mutator.random)
        return Array(bytes[..<start]) + big(number, 4) + bytes[(start + 4)...]
    }

    /// Random bytes after each signature.
    @Test(arguments: seeds)
    func noiseIsRefusedOrCopied(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for sample in MediaSample.all {
            for _ in 0..<Soak.rounds(10, soaking: 300) {
                let kept = Int.random(in: 0...min(64, sample.bytes.count), using: &random)
                let noise = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
                let bytes = sample.bytes.prefix(kept) + noise
                guard let copied = try? Copied(Array(bytes)) else { continue }
                #expect((try? Copied(copied.bytes)) == copied, "\(sample.name), seed \(seed)")
            }
        }
    }
}
