import Testing

@testable import feedclient

/// Times in the local time zone, whatever it is.
struct LocalTimeTests {
    private static let now: Int64 = 1_700_000_000_000

    @Test func dayIsNamedUnlessItIsToday() {
        let time: Int64 = 1_700_000_000_000
        let full = LocalTime.full(time)
        #expect(full.wholeMatch(of: /2023-11-1[45] \d\d:\d\d/) != nil, "\(full)")
        #expect(LocalTime.text(time, now: time + 10 * 86_400_000) == full)
        #expect(full.hasSuffix(" " + LocalTime.text(time, now: time)))
    }

    /// Times of servers are shown in the same way; a text that is no time is shown as it is, but safely.
    @Test func timesOfServersAreLocal() {
        #expect(LocalTime.full(iso: "2023-11-14T22:13:20.000Z") == LocalTime.full(1_700_000_000_000))
        #expect(LocalTime.full(iso: "2023-11-15T00:13:20+02:00") == LocalTime.full(1_700_000_000_000))
        #expect(LocalTime.full(iso: "\u{1B}[2Jsoon") == "[2Jsoon" && LocalTime.full(iso: "") == "")
    }

    @Test(arguments: [
        (5000, "5s"), (190_000, "3m"), (7_500_000, "2h"), (518_400_000, "6d"), (604_799_999, "6d"), (-5000, "0s"),
    ])
    func timesAreAbbreviated(ago: Int64, text: String) {
        #expect(RelativeTime.text(Self.now - ago, now: Self.now) == text)
        #expect(RelativeTime.phrase(Self.now - ago, now: Self.now) == text + " ago")
    }

    /// One style for people: relative while it is recent, then the local date and time.
    @Test(arguments: [604_800_000, 3_000_000_000, 70_000_000_000] as [Int64])
    func olderTimesHaveADate(age: Int64) {
        let now = Self.now
        #expect(RelativeTime.text(now - age, now: now) == LocalTime.full(now - age))
        #expect(RelativeTime.phrase(now - age, now: now) == LocalTime.full(now - age))
        #expect(RelativeTime.text(until: now + age, now: now) == LocalTime.full(now + age))
        #expect(RelativeTime.text(until: now + 7_500_000, now: now) == "in 2h")
    }
}
