import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct PollRuleTests {
    /// Reasons for refusing a vote, each a part of the message.
    enum Refusal: String { case own, ended, exist, already }

    /// A vote in a poll with the options 0, 1 and 2 that ends at 1000.
    struct Vote: Sendable, CustomTestStringConvertible {
        let choices: [Int]
        var isMultiple = false
        var before: [Int] = []
        var now: Int64 = 999
        var isClosed = false
        var account: Int64 = 2
        let refusal: Refusal?

        var testDescription: String {
            "\(choices) after \(before) at \(now)\(isMultiple ? ", multiple" : "")\(isClosed ? ", closed" : "")"
        }
    }

    private static let votes = [
        Vote(choices: [0], refusal: nil), Vote(choices: [2], refusal: nil), Vote(choices: [3], refusal: .exist),
        Vote(choices: [-1], refusal: .exist), Vote(choices: [.max], refusal: .exist),
        Vote(choices: [.min], refusal: .exist), Vote(choices: [], refusal: .exist),
        Vote(choices: [0, 1], refusal: .already), Vote(choices: [0, 0], refusal: .already),
        Vote(choices: [0], before: [0], refusal: .already), Vote(choices: [1], before: [0], refusal: .already),
        Vote(choices: [0, 2], isMultiple: true, refusal: nil),
        Vote(choices: [0, 1, 2], isMultiple: true, refusal: nil),
        Vote(choices: [0, 0], isMultiple: true, refusal: .already),
        Vote(choices: [0, 3], isMultiple: true, refusal: .exist),
        Vote(choices: [1], isMultiple: true, before: [0, 2], refusal: nil),
        Vote(choices: [1, 2], isMultiple: true, before: [0, 2], refusal: .already),
        Vote(choices: [0], now: 1000, refusal: .ended), Vote(choices: [0], now: .max, refusal: .ended),
        // It was closed before the vote could be stored, or by a server whose clock is ahead.
        Vote(choices: [0], isClosed: true, refusal: .ended), Vote(choices: [0], now: .min, refusal: nil),
        Vote(choices: [0], account: 1, refusal: .own),
    ]

    @Test(arguments: votes) func votesAreAcceptedOrRefused(vote: Vote) {
        let poll = Poll(
            id: 7, options: ["a", "b", "c"].map { Poll.Option(title: $0) }, isMultiple: vote.isMultiple,
            expiresAt: 1000, isExpired: vote.isClosed, ownVotes: vote.before)
        var message: String?
        do {
            try PollRule.check(vote.choices, in: poll, of: 1, by: vote.account, at: vote.now)
        } catch {
            #expect(error.kind == .invalid)
            message = error.message
        }
        #expect((message == nil) == (vote.refusal == nil), "\(message ?? "accepted")")
        if let refusal = vote.refusal { #expect(message?.contains(refusal.rawValue) == true, "\(message ?? "")") }
    }

    private static let old = Poll(
        id: 7, options: [Poll.Option(title: "a", votesCount: 3), Poll.Option(title: "b")], expiresAt: 400_000)

    /// Edits at the time 100,000, whether they reset the votes, and whether they change anything.
    private static let edits: [(draft: PollDraft?, resets: Bool, changes: Bool)] = [
        (PollDraft(options: ["a", "b"], seconds: 300), false, false),
        (PollDraft(options: [" a ", "b", ""], seconds: 300), false, false),
        (PollDraft(options: ["a", "b"], seconds: 301), false, true),
        (PollDraft(options: ["a", "b"], seconds: 300, hidesTotals: true), false, true),
        (PollDraft(options: ["b", "a"], seconds: 300), true, true),
        (PollDraft(options: ["a", "B"], seconds: 300), true, true),
        (PollDraft(options: ["a", "b", "c"], seconds: 300), true, true),
        (PollDraft(options: ["a", "b"], seconds: 300, isMultiple: true), true, true),
        (nil, false, true),
    ]

    @Test(arguments: edits.indices) func onlyOtherChoicesResetVotes(index: Int) {
        let edit = Self.edits[index]
        if let draft = edit.draft { #expect(PollRule.resetsVotes(of: Self.old, draft) == edit.resets) }
        #expect(PollRule.changes(Self.old, to: edit.draft, at: 100_000) == edit.changes)
    }

    @Test func addedPollIsAChange() {
        #expect(PollRule.changes(nil, to: PollDraft(options: ["a", "b"], seconds: 300), at: 0))
        #expect(!PollRule.changes(nil, to: nil, at: 0))
    }

    @Test(arguments: [(false, false, true), (true, false, false), (true, true, true), (false, true, true)])
    func hiddenTotalsAreShownAfterTheEnd(row: (hides: Bool, isExpired: Bool, shows: Bool)) {
        let poll = Poll(id: 1, options: [], hidesTotals: row.hides, expiresAt: 0, isExpired: row.isExpired)
        #expect(poll.showsTotals == row.shows)
    }
}

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
