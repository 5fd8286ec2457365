import FeedAPI
import FeedClientKit
import Foundation
import TestKit
import Testing

@testable import feedclient

@Suite(.hangLimit)
struct ScheduledTimeTests {
    /// 2026-03-28T12:00:00Z, a day before the clocks change in Berlin.
    private static let now: Int64 = 1_774_699_200_000
    private static let hour: Int64 = 3_600_000

    private static func time(_ text: String, in zone: String = "UTC") throws -> Int64 {
        let zone: TimeZone = try #require(TimeZone(identifier: zone))
        return try ScheduledTime.milliseconds(text, now: now, zone: zone)
    }

    static let relative: [(text: String, hours: Double)] = [
        ("+2h", 2), ("+90m", 1.5), ("+1d", 24), ("+1w", 168), ("+1d12h", 36), ("+12h1d", 36), ("+1w1d1h30m", 193.5),
        ("+5m", 1.0 / 12), ("+0h5m", 1.0 / 12), ("+0005m", 1.0 / 12), ("+100w", 16_800),
    ]

    @Test(arguments: relative) func relativeTimesCountFromNow(row: (text: String, hours: Double)) throws {
        #expect(try Self.time(row.text) == Self.now + Int64((row.hours * Double(Self.hour)).rounded()))
    }

    static let absolute: [(text: String, zone: String, wanted: String)] = [
        ("2026-03-28T18:00:00Z", "Europe/Berlin", "2026-03-28T18:00:00.000Z"),
        ("2026-03-28T18:00+0500", "Europe/Berlin", "2026-03-28T13:00:00.000Z"),
        ("2026-03-28T18:00", "Europe/Berlin", "2026-03-28T17:00:00.000Z"),
        ("2026-03-28 18:00", "Asia/Kolkata", "2026-03-28T12:30:00.000Z"),
        // Summer time begins in between.
        ("2026-03-29T18:00", "Europe/Berlin", "2026-03-29T16:00:00.000Z"),
        ("2026-03-29T01:59", "Europe/Berlin", "2026-03-29T00:59:00.000Z"),
        ("2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00:00.000Z"),
        ("2026-12-24", "Europe/Berlin", "2026-12-23T23:00:00.000Z"),
        ("2026-12-24", "America/New_York", "2026-12-24T05:00:00.000Z"),
    ]

    @Test(arguments: absolute)
    func absoluteTimesAreLocal(row: (text: String, zone: String, wanted: String)) throws {
        #expect(ISO8601.text(milliseconds: try Self.time(row.text, in: row.zone)) == row.wanted)
    }

    static let refused: [(text: String, part: String)] = [
        ("", "is not a time"), ("soon", "is not a time"), ("2h", "is not a time"), ("+", "is not a time"),
        ("+h", "is not a time"), ("+2", "is not a time"), ("+2x", "is not a time"), ("+2h3", "is not a time"),
        ("+1h1h", "is not a time"), ("+1.5h", "is not a time"), ("+-2h", "is not a time"), ("+2 h", "is not a time"),
        ("+9223372036854775807w", "is not a time"), ("+99999999999999999999m", "is not a time"),
        ("+100000d", "is not a time"), ("+２h", "is not a time"), ("18:00", "is not a time"),
        ("2026-02-30", "is not a time"), ("+4m", "less than 5 minutes"), ("+0m", "less than 5 minutes"),
        ("2026-03-28T12:04:59Z", "less than 5 minutes"), ("2026-03-28T11:59:59Z", "in the past"),
        ("1970-01-01", "in the past"),
    ]

    @Test(arguments: refused) func otherTimesAreRefusedWithAReason(row: (text: String, part: String)) {
        let error = #expect(throws: FeedClientError.self) { try Self.time(row.text) }
        #expect(error?.code == .usage && error?.message.contains(row.part) == true && error?.hint != nil)
    }
}
