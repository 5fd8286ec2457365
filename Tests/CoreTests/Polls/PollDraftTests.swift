import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct PollDraftTests {
    private static let accent = "e" + String(repeating: "\u{301}", count: 20)

    /// Options, the duration, and a part of the message; `nil` if the poll is accepted.
    private static let rows: [(options: [String], seconds: Int64?, message: String?)] = [
        (["a", "b"], 300, nil), (["a", "b", "c", "d"], 2_629_746, nil),
        (["a", String(repeating: "x", count: 50)], 300, nil),
        (["a", String(repeating: "👩‍👩‍👧‍👦", count: 50)], 300, nil), (["a", "A"], 300, nil),
        ([], 300, "more than one item"), (["a"], 300, "more than one item"), (["a", " \n"], 300, "more than one item"),
        (["a", "b", "c", "d", "e"], 300, "more than 4 items"), ((1...50).map(String.init), 300, "more than 4 items"),
        (["a", String(repeating: "x", count: 51)], 300, "50 characters"),
        (["a", String(repeating: accent, count: 51)], 300, "50 characters"),
        (["a", "a"], 300, "duplicate"), (["a", "\ta "], 300, "duplicate"), (["a", "b"], nil, "blank"),
        (["a", "b"], 299, "too soon"), (["a", "b"], 0, "too soon"), (["a", "b"], .min, "too soon"),
        (["a", "b"], 2_629_747, "too far"), (["a", "b"], .max, "too far"),
    ]

    @Test(arguments: rows.indices) func draftIsAcceptedOrRefused(index: Int) {
        let row = Self.rows[index]
        var message: String?
        do {
            try PollDraft(options: row.options, seconds: row.seconds).check()
        } catch {
            #expect(error.kind == .invalid)
            message = error.message
        }
        #expect((message == nil) == (row.message == nil), "\(row) gives \(message ?? "no error")")
        if let part = row.message { #expect(message?.contains(part) == true, "\(message ?? "")") }
    }

    @Test(
        arguments: [
            (nil, 300), (Int64.min, 300), (0, 300), (300, 300), (86_400, 86_400), (2_629_746, 2_629_746),
            (Int64.max, 2_629_746),
        ] as [(Int64?, Int64)])
    func endIsWithinTheLimits(row: (seconds: Int64?, counted: Int64)) {
        let draft = PollDraft(options: [], seconds: row.seconds)
        #expect(draft.end(from: 1_700_000_000_000) == 1_700_000_000_000 + 1000 * row.counted)
    }

    @Test func spaceAroundOptionsAndEmptyOptionsAreDropped() {
        let draft = PollDraft(options: [" a  b\n", "", "\u{3000}", "ä"], seconds: nil)
        #expect(draft.options == ["a  b", "ä"] && draft.bytes == 6)
    }
}
