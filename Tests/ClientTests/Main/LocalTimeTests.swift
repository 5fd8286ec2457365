import Testing

@testable import feedclient

/// Times in the local time zone, whatever it is.
struct LocalTimeTests {
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
}
