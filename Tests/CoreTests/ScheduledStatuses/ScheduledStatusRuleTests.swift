import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct ScheduledStatusRuleTests {
    private static let now: Int64 = 1_700_000_000_000
    private static let minute: Int64 = 60_000

    static let times: [(time: Int64, isAccepted: Bool)] = [
        (now + 5 * minute, true), (now + 5 * minute - 1, false), (now + 4 * minute, false), (now, false),
        (now - minute, false), (now + 1000 * 365 * 24 * 60 * minute, true), (.max, true), (.min, false), (0, false),
    ]

    @Test(arguments: times)
    func timeMustBeAtLeastFiveMinutesAhead(row: (time: Int64, isAccepted: Bool)) {
        if row.isAccepted { #expect(throws: Never.self) { try ScheduledStatusRule.check(row.time, at: Self.now) } }
        if !row.isAccepted {
            let error = #expect(throws: FeedError.self) { try ScheduledStatusRule.check(row.time, at: Self.now) }
            #expect(error?.kind == .invalid && error?.message.contains("at least 5 minutes") == true)
        }
    }

    @Test func accountMayHaveThreeHundred() throws {
        try ScheduledStatusRule.check(count: 299)
        for count in [300, 301, .max] {
            let error = #expect(throws: FeedError.self) { try ScheduledStatusRule.check(count: count) }
            #expect(error?.kind == .invalid && error?.message.contains("the limit of 300 scheduled posts") == true)
        }
    }

    static let delays: [(failures: Int, minutes: Int64)] = [
        (.min, 1), (0, 1), (1, 1), (2, 2), (3, 4), (8, 128), (9, 256), (10, 360), (11, 360), (1000, 360), (.max, 360),
    ]

    @Test(arguments: delays)
    func retriesBecomeRarer(row: (failures: Int, minutes: Int64)) {
        #expect(ScheduledStatusRule.retryDelay(after: row.failures) == row.minutes * Self.minute)
    }

    static let pauses: [(due: Int64?, pause: Int64)] = [
        (nil, 60_000), (now + 1, 1), (now + 1234, 1234), (now + minute, 60_000), (now + minute + 1, 60_000),
        (.max, 60_000), (now, 1000), (now - 1, 1000), (.min, 1000),
    ]

    @Test(arguments: pauses)
    func serverSleepsUntilTheNextIsDue(row: (due: Int64?, pause: Int64)) {
        #expect(ScheduledStatusRule.pause(until: row.due, at: Self.now) == row.pause)
    }

    /// Otherwise, a server could sleep while a new one becomes due.
    @Test func noServerSleepsLongerThanTheShortestNotice() {
        #expect(ScheduledStatusRule.longestPause < ScheduledStatusRule.minimumDelay)
    }
}
