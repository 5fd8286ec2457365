import FeedCore
import Testing

struct NotificationGroupKeyTests {
    private static let halfDay: Int64 = 12 * 3_600_000

    /// The id of a notification created at a time.
    private static func id(_ time: Int64) -> Int64 { time << 16 | 5 }

    static let stored: [(kind: Notification.Kind, status: Int64?, time: Int64, key: String?)] = [
        (.favourite, 7, 0, "favourite-7-0"), (.favourite, 7, halfDay - 1, "favourite-7-0"),
        (.favourite, 7, halfDay, "favourite-7-1"), (.favourite, 8, 0, "favourite-8-0"),
        (.reblog, 7, 1_750_000_000_000, "reblog-7-40509"), (.follow, nil, 1_750_000_000_000, "follow-40509"),
    ]

    @Test(arguments: stored)
    func keyNamesKindStatusAndPeriod(row: (kind: Notification.Kind, status: Int64?, time: Int64, key: String?)) {
        #expect(NotificationGroupKey.stored(for: row.kind, status: row.status, id: Self.id(row.time)) == row.key)
    }

    @Test func otherKindsAreNotGrouped() {
        for kind in Notification.Kind.allCases {
            let key = NotificationGroupKey.stored(for: kind, status: 7, id: 1)
            #expect((key != nil) == [.favourite, .reblog, .follow].contains(kind), "\(kind)")
        }
    }

    static let parsed: [(text: String, key: NotificationGroupKey)] = [
        ("favourite-7-0", .group("favourite-7-0")), ("ungrouped-12", .single(12)), ("ungrouped-", .single(0)),
        ("ungrouped-x", .single(0)), ("ungrouped--1", .single(0)), ("ungrouped-+1", .single(0)),
        ("ungrouped-99999999999999999999", .single(0)), ("", .group("")), ("12", .group("12")),
    ]

    @Test(arguments: parsed)
    func keysOfClientsAreParsed(row: (text: String, key: NotificationGroupKey)) {
        #expect(NotificationGroupKey(row.text) == row.key)
    }

    @Test func keysAreWrittenAsTheyAreParsed() {
        for text in ["favourite-7-0", "ungrouped-12"] { #expect(NotificationGroupKey(text).text == text) }
    }
}
