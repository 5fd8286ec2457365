import FeedFiles
import FeedTestSupport
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct ContentCodingTests {
    static let preferred: [(accepted: String?, coding: ContentCoding)] = [
        (nil, .identity), ("", .identity), ("gzip", .gzip), ("GZip", .gzip), ("x-gzip", .gzip),
        ("gzip, deflate, br", .gzip), ("br;q=1.0, gzip;q=0.8, *;q=0.1", .gzip), ("deflate", .identity),
        ("identity", .identity), ("*", .gzip), ("*;q=0", .identity), ("gzip;q=0", .identity),
        ("gzip;q=0.000", .identity),
        ("*, gzip;q=0", .identity), ("gzip;q=0, *", .identity), ("gzip, *;q=0", .gzip), ("gzip;q=0.001", .gzip),
        ("gzip;q=0.5, identity;q=0.6", .identity), ("gzip;q=0.6, identity;q=0.5", .gzip), ("identity, gzip", .gzip),
        ("identity;q=0, *", .gzip), ("identity, *;q=0.5", .identity), (" gzip ; q=1 ", .gzip), ("gzip;Q=0", .identity),
        ("\tgzip\t;\tq=0.25,identity;q=0.2", .gzip), (",,gzip,,", .gzip), ("gzip;q=1.000", .gzip), ("gzip;q=1.", .gzip),
        // Malformed elements are ignored.
        ("gzip;q=2", .identity), ("gzip;q=1.001", .identity), ("gzip;q=0.1234", .identity), ("gzip;q=", .identity),
        ("gzip;q", .identity), ("gzip;q=-1", .identity), ("gzip;q=0,5", .identity), ("gzip;level=9", .identity),
        ("gzip;q=1;q=1", .identity), (";q=1", .identity), ("gzipped", .identity), ("gzip;q=.5", .identity),
        ("gzip;q=nonsense, gzip", .gzip), (String(repeating: "gzip;q=1,", count: 63) + "gzip", .gzip),
        // Longer lists count as absent.
        (String(repeating: "gzip;q=1,", count: 64) + "gzip", .identity),
        (String(repeating: "gzip;q=1,", count: 10_000), .identity),
    ]

    @Test(arguments: preferred.indices) func clientsGetTheCodingTheyPrefer(index: Int) {
        let (accepted, coding) = Self.preferred[index]
        #expect(ContentCoding(accepted: accepted) == coding, "\(accepted?.prefix(60) ?? "none")")
    }

    @Test func eachCodingHasItsOwnTag() {
        let tag = EntityTag("a")
        #expect(tag.coded(.identity) == tag)
        #expect(tag.coded(.gzip).headerValue == "\"a-gzip\"")
        #expect(EntityTag("a", isWeak: true).coded(.gzip).headerValue == "W/\"a-gzip\"")
    }

    @Test(arguments: [0, 1, 1400, 100_000]) func gzipRestoresTheBytes(count: Int) async throws {
        var random = SplitMix64(seed: UInt64(count))
        let text = String(repeating: "All work and no play. ", count: count / 44 + 1)
        let noise = (0..<count / 2).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let bytes = Array((Array(text.utf8) + noise).prefix(count))
        let compressed = try #require(bytes.withUnsafeBytes(Gzip.compress))
        #expect(bytes.withUnsafeBytes(Gzip.compress) == compressed)
        let restored = try await Tool.run("gzip", ["-dc"], input: Data(compressed))
        #expect(restored.code == 0 && Array(restored.output) == bytes, "\(restored.error)")
    }
}
