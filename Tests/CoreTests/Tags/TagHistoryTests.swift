import FeedCore
import Testing

struct TagHistoryTests {
    @Test func historyHasSevenDaysWithoutGaps() {
        let known = [
            TagUse(day: 100, uses: 3, accounts: 2), TagUse(day: 94, uses: 1, accounts: 1),
            TagUse(day: 93, uses: 9, accounts: 9), TagUse(day: 101, uses: 9, accounts: 9),
        ]
        let history = TagHistory("tag", known: known, today: 100)
        #expect(history.uses.map(\.day) == [100, 99, 98, 97, 96, 95, 94])
        #expect(history.uses.map(\.uses) == [3, 0, 0, 0, 0, 0, 1])
        #expect(history.uses.map(\.accounts) == [2, 0, 0, 0, 0, 0, 1])
    }

    @Test(arguments: [0, 1, 19_000, 1_628_000]) func daysCoverAllTheirIDs(day: Int64) {
        #expect(TagUse.day(ofStatus: TagUse.firstID(of: day)) == day)
        #expect(TagUse.day(ofStatus: TagUse.firstID(of: day + 1) - 1) == day)
    }

    @Test(arguments: [Int64.min, -1, .max]) func daysBeyondAllIDsAreClamped(day: Int64) {
        #expect(TagUse.firstID(of: day) >= 0)
    }

    @Test(
        arguments: [
            ("tag", "tag"), ("#Tag", "Tag"), ("größe", "größe"), ("東京", "東京"), ("a1", "a1"), ("1", nil), ("", nil),
            ("#", nil), ("##a", nil), ("two words", nil), ("a-b", nil), ("a/b", nil), ("<a>", nil),
            (String(repeating: "a", count: 200), String(repeating: "a", count: 200)),
            (String(repeating: "a", count: 201), nil),
        ] as [(String, String?)])
    func namesAreThoseOfStatuses(text: String, name: String?) { #expect(Hashtag.name(text) == name) }
}
