import FeedAPI
import FeedTerminal
import Foundation
import TestKit
import Testing

@testable import FeedClientKit
@testable import feedclient

@Suite(.hangLimit)
struct PollRendererTests {
    private static func poll(_ votes: [Int?], _ change: (inout Entity.Poll) -> Void = { _ in }) -> Entity.Poll {
        let options = votes.enumerated().map { Entity.Poll.Option(title: "option \($0)", votes_count: $1) }
        var poll = Entity.Poll(id: "7", options: options)
        poll.votes_count = votes.reduce(0) { $0 + ($1 ?? 0) }
        poll.voters_count = poll.votes_count
        poll.expires_at = ISO8601.text(milliseconds: StatusRendererTests.now + 7_500_000)
        change(&poll)
        return poll
    }

    private static func lines(_ poll: Entity.Poll, width: Int = 40, now: Int64? = StatusRendererTests.now) -> [String] {
        PollRenderer(width: width, style: TextStyle(hasColor: false), now: now).lines(poll)
    }

    @Test func optionsAreNumberedWithTheirResults() {
        let poll = Self.poll([3, 1]) { $0.own_votes = [1] }
        #expect(
            Self.lines(poll, width: 24) == [
                "[1] option 0", "    █████████░░░ 75% (3)", "[2] option 1 ✓", "    ███░░░░░░░░░ 25% (1)",
                "4 votes · open, ends in…",
            ])
        #expect(Self.lines(poll).last == "4 votes · open, ends in 2h")
        #expect(Self.lines(poll, width: 80, now: nil).last?.hasPrefix("4 votes · open, ends 2023-11-1") == true)
    }

    @Test func hiddenResultsHaveNoBars() {
        let poll = Self.poll([nil, nil]) { ($0.votes_count, $0.multiple) = (1, true) }
        #expect(
            Self.lines(poll)
                == ["[1] option 0", "[2] option 1", "1 vote · several choices · open, ends in 2h"].map {
                    TextWidth.truncated($0, to: 40)
                })
        #expect(Self.lines(Self.poll([nil]) { $0.expired = true }).last == "0 votes · closed")
    }

    @Test(arguments: [[-5, 7], [Int.max, Int.min], [0, 0]], [0, 1, 5, 12, 300])
    func oddNumbersAndWidthsAreHarmless(votes: [Int], width: Int) {
        let poll = Self.poll(votes.map { .some(max(-9, min(9, $0))) }) {
            for index in votes.indices { $0.options[index].votes_count = votes[index] }
            ($0.voters_count, $0.votes_count, $0.expires_at) = (votes[0], votes[1], "\u{1B}[31m")
        }
        let lines = Self.lines(poll, width: width)
        #expect(lines.count >= 5 && !lines.joined().contains("\u{1B}"))
    }

    @Test func pollFollowsTheTextUnlessAWarningHidesIt() {
        let poll = Self.poll([1])
        let plain = StatusRendererTests.render(
            StatusRendererTests.status("<p>which?</p>") { $0.poll = poll }, columns: 60)
        #expect(plain.contains("    which?\n    [1] option 0\n"))
        let hidden = StatusRendererTests.render(
            StatusRendererTests.status("<p>which?</p>") { ($0.poll, $0.spoiler_text) = (poll, "cw") }, columns: 60)
        #expect(!hidden.contains("option 0"))
    }

    @Test(
        arguments: [
            ("5m", 300), ("1 day 2 hours 30 minutes 10 seconds", 95_410), ("1d12h", 129_600), (" 90 minutes ", 5400),
            ("24h", 86_400), ("1s", 1), ("2days", 172_800), ("", nil), ("5", nil), ("m", nil), ("0m", nil),
            ("-5m", nil),
            ("5m 1h", nil), ("1h 1h", nil), ("1.5h", nil), ("5x", nil), ("9223372036854775807d", nil),
            ("99999999999999999999s", nil), ("106751991167300d 9223372036854775807s", nil), ("１h", nil),
        ] as [(String, Int?)])
    func durationsAreReadAsTootReadsThem(row: (text: String, seconds: Int?)) {
        #expect(DurationArgument(argument: row.text)?.seconds == row.seconds)
    }

    /// Polls of other servers, whose members may be missing, `null` or of another type.
    @Test(arguments: [
        #"{"id":"7"}"#, #"{"id":"7","expires_at":null,"expired":null,"voters_count":null,"options":null}"#,
        #"{"id":"7","expires_at":5,"expired":"no","multiple":0,"votes_count":"1","own_votes":[true],"options":[{}]}"#,
    ])
    func onlyTheIDIsRequired(json: String) throws {
        let poll = try JSONDecoder().decode(Entity.Poll.self, from: Data(json.utf8))
        #expect(poll == Entity.Poll(id: "7", options: []))
    }

    @Test func draftIsSentAsAForm() {
        var draft = PollDraft(options: ["a", "b"], seconds: 600)
        draft.isMultiple = true
        #expect(
            draft.fields.map { $0.0 + "=" + ($0.1 ?? "") } == [
                "poll[options][]=a", "poll[options][]=b", "poll[expires_in]=600", "poll[multiple]=true",
                "poll[hide_totals]=false",
            ])
    }
}
