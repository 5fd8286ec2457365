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
}
