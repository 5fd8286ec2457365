import FeedAPI
import TestKit
import Testing

/// A text and the time it represents.
struct DateRow: CustomTestStringConvertible, Sendable {
    let text: String
    let seconds: Int64

    var testDescription: String { text }

    init(_ text: String, _ seconds: Int64) {
        self.text = text
        self.seconds = seconds
    }

    static let valid: [DateRow] = [
        DateRow("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        DateRow("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        DateRow("Sun Nov  6 08:49:37 1994", 784_111_777),
        DateRow("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        DateRow("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        DateRow("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
        DateRow("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
        DateRow("Thu, 31 Dec 2099 23:59:59 GMT", 4_102_444_799),
        DateRow("Friday, 31-Dec-99 23:59:59 GMT", 946_684_799),
        // A leap second becomes the first second of the next minute.
        DateRow("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        // C17: the weekday is ignored.
        DateRow("Tue, 01 Jan 2024 00:00:00 GMT", 1_704_067_200),
    ]

    static let garbage: [String] = [
        "", " ", "garbage", "0", "1704067200", "2024-01-01T00:00:00Z", ",", "GMT", ", , , , , GMT",
        "Mon, 01 Jan 2024 00:00:00", "Mon, 01 Jan 2024 00:00:00 +0000", "Mon, 01 Jan 2024 00:00:00 UTC",
        "Mon, 01 Jan 2024 00:00:00 GMT; length=1000", "Mon, 01 Jan 2024 00:00:00 GMT;length=1000",
        "Mon, 01 Jan 2024 24:00:00 GMT", "Mon, 01 Jan 2024 00:60:00 GMT", "Mon, 01 Jan 2024 00:00:61 GMT",
        "Mon, 01 Jan 2024 00:00 GMT", "Mon, 01 Jan 2024 00:00:00:00 GMT", "Mon, 01 Jan 2024 0:0:0 GMT",
        "Mon, 00 Jan 2024 00:00:00 GMT", "Mon, 32 Jan 2024 00:00:00 GMT", "Mon, -1 Jan 2024 00:00:00 GMT",
        "Mon, 01 Foo 2024 00:00:00 GMT", "Mon, 01 jan 2024 00:00:00 GMT", "Mon, 01 1 2024 00:00:00 GMT",
        "Mon, 01 Jan 99999 00:00:00 GMT", "Mon, 01 Jan -024 00:00:00 GMT", "Mon 01 Jan 2024 00:00:00 GMT",
        "Monday, 01-Jan-2024 00:00:00 GMT", "Monday, 01-Jan 00:00:00 GMT", "Monday, 01-Jan-24-1 00:00:00 GMT",
        "Mon Jan 1 00:00:00 GMT", "Mon Jan 32 00:00:00 2024", "Mon Jan 1 99:00:00 2024",
        "Mon, \u{0660}1 Jan 2024 00:00:00 GMT",
    ]

    /// Impossible days; parsing them as days of the next month would compare against an unintended time.
    static let impossible: [String] = [
        "Sat, 31 Feb 2024 00:00:00 GMT", "Fri, 30 Feb 2024 00:00:00 GMT", "Wed, 29 Feb 2023 00:00:00 GMT",
        "Wed, 31 Apr 2024 00:00:00 GMT", "Saturday, 31-Feb-24 00:00:00 GMT", "Sat Feb 31 00:00:00 2024",
    ]
}

@Suite(.hangLimit)
struct HTTPDateTests {
    @Test(arguments: DateRow.valid)
    func parsesValidDates(row: DateRow) {
        #expect(HTTPDate.seconds(row.text) == row.seconds)
    }

    @Test(arguments: DateRow.garbage)
    func rejectsMalformedDates(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }

    @Test(arguments: DateRow.impossible)
    func rejectsImpossibleDates(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }

    @Test func formatsDates() {
        #expect(HTTPDate.text(seconds: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(seconds: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(seconds: 1_709_251_199) == "Thu, 29 Feb 2024 23:59:59 GMT")
        #expect(HTTPDate.text(seconds: 4_102_444_799) == "Thu, 31 Dec 2099 23:59:59 GMT")
    }

    /// From 1970 to 2099; the odd step covers every time of day.
    @Test func datesRoundTrip() {
        for seconds in stride(from: Int64(0), through: 4_102_444_799, by: 1_000_003) {
            let text = HTTPDate.text(seconds: seconds)
            #expect(HTTPDate.seconds(text) == seconds, "\(text)")
            #expect(text.utf8.count == 29, "\(text)")
        }
    }

    /// The obsolete forms, derived from the preferred one, with two-digit years only where the century is unambiguous.
    /// The weekdays are wrong, but ignored.
    @Test func obsoleteFormsRoundTrip() {
        for seconds in stride(from: Int64(315_532_800), through: 2_500_000_000, by: 1_000_003) {
            let words = HTTPDate.text(seconds: seconds).split(separator: " ")
            let (weekday, day, month, year, clock) = (words[0].prefix(3), words[1], words[2], words[3], words[4])
            let old = "\(weekday)day, \(day)-\(month)-\(year.suffix(2)) \(clock) GMT"
            #expect(HTTPDate.seconds(old) == seconds, "\(old)")
            let padded = day.hasPrefix("0") ? " \(day.suffix(1))" : String(day)
            let unix = "\(weekday) \(month) \(padded) \(clock) \(year)"
            #expect(HTTPDate.seconds(unix) == seconds, "\(unix)")
        }
    }
}
