import FeedAPI
import NIOHTTP1
import TestKit
import Testing

@testable import FeedClientKit

private let day: Int64 = 86_400

/// A date some seconds after the test's present time.
private func date(_ seconds: Int64) -> String { HTTPDate.text(seconds: 1_700_000_000 + seconds) }

private let cases: [FreshnessTests.Case] = [
    .init(headers: [], lifetime: day),
    .init(headers: [("Cache-Control", "public")], lifetime: day),
    .init(headers: [("Cache-Control", "max-age=60")], lifetime: 60),
    .init(headers: [("cache-control", "Public, Max-Age = 60 , immutable")], lifetime: 60),
    .init(headers: [("Cache-Control", "max-age=\"60\"")], lifetime: 60),
    .init(headers: [("Cache-Control", "public"), ("Cache-Control", "max-age=61")], lifetime: 61),
    .init(headers: [("Cache-Control", "max-age=31536000")], lifetime: 30 * day),
    .init(headers: [("Cache-Control", "max-age=99999999999999999999999")], lifetime: 30 * day),
    .init(headers: [("Cache-Control", "max-age=0")], lifetime: 0),
    .init(headers: [("Cache-Control", "max-age=-5")], lifetime: 0),
    .init(headers: [("Cache-Control", "max-age=soon")], lifetime: 0),
    .init(headers: [("Cache-Control", "max-age")], lifetime: 0),
    .init(headers: [("Cache-Control", "no-cache")], lifetime: 0),
    .init(headers: [("Cache-Control", "max-age=60, no-cache")], lifetime: 0),
    .init(headers: [("Cache-Control", "x=\"a, no-cache\", max-age=60")], lifetime: 60),
    .init(headers: [("Cache-Control", "max-age=60"), ("Age", "20")], lifetime: 40),
    .init(headers: [("Cache-Control", "max-age=60"), ("Age", "100")], lifetime: 0),
    .init(headers: [("Cache-Control", "max-age=60"), ("Age", "old")], lifetime: 60),
    .init(headers: [("Expires", date(60)), ("Date", date(20))], lifetime: 40),
    .init(headers: [("Expires", date(60)), ("Date", date(20)), ("Age", "30")], lifetime: 10),
    .init(headers: [("Expires", date(60))], lifetime: 60),
    .init(headers: [("Expires", date(-1))], lifetime: 0),
    .init(headers: [("Expires", date(99 * day))], lifetime: 30 * day),
    .init(headers: [("Expires", "0")], lifetime: 0),
    .init(headers: [("Expires", date(60)), ("Cache-Control", "max-age=5")], lifetime: 5),
    .init(headers: [("Expires", date(60)), ("Cache-Control", "no-cache")], lifetime: 0),
    .init(headers: [("Cache-Control", "no-store, max-age=60")], lifetime: 60, isStorable: false),
    .init(headers: [("Cache-Control", "NO-STORE")], lifetime: day, isStorable: false),
    .init(headers: [("Cache-Control", ",,=,")], lifetime: day),
    .init(headers: [("Cache-Control", "max-age=60, x=\u{600}, no-store")], lifetime: 60, isStorable: false),
    .init(headers: [("Cache-Control", "x=\"\u{301}, no-store\", max-age=60")], lifetime: 60),
]

@Suite(.hangLimit)
struct FreshnessTests {
    private static let now: Int64 = 1_700_000_000_000

    struct Case: Sendable, CustomTestStringConvertible {
        var headers: [(String, String)]
        /// In seconds.
        var lifetime: Int64
        var isStorable = true

        var testDescription: String { "\(headers)" }
    }

    @Test(arguments: cases)
    func headersDetermineFreshness(_ example: Case) {
        let freshness = Freshness(HTTPHeaders(example.headers), now: Self.now)
        #expect(freshness.freshUntil == Self.now + example.lifetime * 1000)
        #expect(freshness.isStorable == example.isStorable)
    }

    @Test func wrongClockDoesNotMakeAPictureFreshForever() throws {
        let entry = try AvatarEntry(
            bytes: PictureServer.picture(), headers: [:], freshUntil: Self.now + Freshness.maximum)
        #expect(entry.isFresh(at: Self.now))
        #expect(!entry.isFresh(at: Self.now - 1))
        #expect(!entry.isFresh(at: Self.now + Freshness.maximum))
    }

    @Test func typeIsDetectedFromTheFirstBytes() {
        #expect(AvatarType(sniffing: PictureServer.picture()) == .png)
        #expect(AvatarType(sniffing: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(AvatarType(sniffing: Array("GIF89a".utf8)) == .gif)
        #expect(AvatarType(sniffing: Array("RIFF1234WEBPVP8 ".utf8)) == .webp)
        for text in ["", "<html>", "<svg xmlns=", "RIFF1234WAVE", "GIF88a", "\u{89}PNG"] {
            #expect(AvatarType(sniffing: Array(text.utf8)) == nil)
        }
    }
}
