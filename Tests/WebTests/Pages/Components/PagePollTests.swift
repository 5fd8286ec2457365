import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// Polls in the web reader.
@Suite(.hangLimit)
struct PagePollTests {
    /// The page of a status with a poll.
    private static func page(_ poll: Poll, spoiler: String = "") throws -> String {
        let author = Account(id: 1, username: "ada", createdAt: 0)
        var status = Status(
            id: 7, account: author, createdAt: 0, text: "which?", content: "<p>which?</p>", spoilerText: spoiler)
        status.poll = poll
        let site = try TestServices().services.site
        var context = PageContext(site: site.settings.site, edition: try site.assets.edition(), base: "")
        context.show(PageThread(status, in: nil))
        let html = String(decoding: context.html(), as: UTF8.self)
        // Without the parts that only script shows.
        return String(html[..<(try #require(html.range(of: "<template"))).lowerBound])
    }

    private static func poll(_ votes: [Int], _ change: (inout Poll) -> Void = { _ in }) -> Poll {
        let options = votes.enumerated().map { Poll.Option(title: "option \($0)", votesCount: $1) }
        // 1 December 2023, 06:39 UTC
        var poll = Poll(id: 7, options: options, expiresAt: 1_701_412_795_863, votersCount: votes.reduce(0, +))
        change(&poll)
        return poll
    }

    @Test func optionsHaveBarsWithTextualEquivalents() throws {
        let page = try Self.page(Self.poll([1, 2, 0]))
        for (title, share, votes) in [
            ("option 0", 33, "1 vote"), ("option 1", 67, "2 votes"), ("option 2", 0, "0 votes"),
        ] {
            #expect(
                page.contains(
                    "<li class=\"poll-option\"><svg class=\"poll-bar\" aria-hidden=\"true\" focusable=\"false\">"
                        + "<rect width=\"\(share)%\" height=\"100%\"/></svg><bdi class=\"poll-title\">\(title)</bdi> "
                        + "<span class=\"poll-share\">\(share)%<span class=\"visually-hidden\">, \(votes)</span></span></li>"
                ),
                "\(title)")
        }
        #expect(page.contains("<section class=\"poll\" aria-label=\"Poll\">"))
        let end = "<time datetime=\"2023-12-01T06:39:55.863Z\">1 Dec 2023, 06:39 UTC</time>"
        #expect(page.contains("<p class=\"poll-state\">3 votes · Open until \(end)</p>"))
        let closed = try Self.page(Self.poll([1, 2, 0]) { $0.isExpired = true })
        #expect(closed.contains("<p class=\"poll-state\">3 votes · Closed \(end)</p>"))
        // The policy of the pages permits no inline styles.
        for part in ["style=", "{{", "\n\n"] { #expect(!page.contains(part), "\(part)") }
    }

    @Test func hiddenResultsAreNotInThePage() throws {
        let page = try Self.page(Self.poll([5, 7]) { $0.hidesTotals = true })
        #expect(page.contains("12 votes · Open until") && page.contains("Results are hidden until then"))
        #expect(!page.contains("poll-bar") && !page.contains("42%") && !page.contains("58%"))
        let closed = try Self.page(
            Self.poll([5, 7]) { ($0.hidesTotals, $0.isExpired) = (true, true) })
        #expect(closed.contains("58%") && !closed.contains("hidden until"))
    }

    @Test func titlesAreEscapedAndContentWarningsCoverThePoll() throws {
        let hostile = #"<script>alert("1")</script>"#
        let page = try Self.page(Self.poll([0, 0]) { $0.options[0].title = hostile }, spoiler: "cw")
        #expect(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert(&quot;1&quot;)"))
        let (start, poll) = (page.range(of: "<details class=\"spoiler\">"), page.range(of: "class=\"poll\""))
        let end = page.range(of: "</details>")
        let positions = [start, poll, end].compactMap { $0?.lowerBound }
        #expect(positions.count == 3 && positions == positions.sorted())
    }

    @Test(arguments: [
        (0, 0, 0), (0, 5, 0), (5, 0, 0), (1, 3, 33), (2, 3, 67), (3, 3, 100), (9, 3, 100), (1, Int.max, 0),
        (Int.max, Int.max, 100), (-1, 3, 0),
    ])
    func percentagesAreWithinTheirRange(row: (votes: Int, voters: Int, expected: Int)) {
        #expect(PagePoll.percentage(row.votes, of: row.voters) == row.expected)
    }

    @Test func summaryCountsVotesAndPeople() {
        #expect(PagePoll.summary(of: Self.poll([1, 0])) == "1 vote")
        let several = Self.poll([2, 1]) { ($0.isMultiple, $0.votersCount) = (true, 2) }
        #expect(PagePoll.summary(of: several) == "3 votes by 2 people, several choices allowed")
        let one = Self.poll([1, 1]) { ($0.isMultiple, $0.votersCount) = (true, 1) }
        #expect(PagePoll.summary(of: one) == "2 votes by 1 person, several choices allowed")
    }

    @Test func statusWithoutPollHasNone() throws {
        let author = Account(id: 1, username: "ada", createdAt: 0)
        let status = Status(id: 7, account: author, createdAt: 0, text: "x", content: "<p>x</p>")
        #expect(TemplateValues(pollOf: status, EmojiSet([])).map { _ in true } == nil)
    }
}
