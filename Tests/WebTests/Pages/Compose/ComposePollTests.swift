import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Polls and times on the page on which members post.
@Suite(.hangLimit)
struct ComposePollTests {
    private static let poll = [
        "poll[options][0]": "yes", "poll[options][1]": "\"no\" <i>", "poll[options][2]": " ",
        "poll[expires_in]": "3600", "poll[multiple]": "1", "poll[hide_totals]": "1",
    ]

    @Test func pollIsPosted() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            let fields = try await person.composing("which?").merging(Self.poll) { $1 }
            let status = try await person.posted(person.send(.post, "/compose", fields), test)
            let poll = try #require(status.poll)
            #expect(poll.titles == ["yes", "\"no\" <i>"] && poll.isMultiple && poll.hidesTotals)
            #expect(poll.expiresAt == status.createdAt + 3_600_000)
            #expect(try await person.posted(person.send(.post, "/compose", fields), test).id == status.id)
            // The fields that browsers send without a poll.
            let none = try await person.composing("none").merging(["poll[options][]": "", "poll[expires_in]": "300"]) {
                $1
            }
            #expect(try await person.posted(person.send(.post, "/compose", none), test).poll == nil)
        }
    }

    @Test func refusedPollIsKept() async throws {
        try await Person.served(try TestServices()) { test, person in
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            let file = try await test.store.image(by: ada)
            try await person.logIn()
            let tries: [([String: String], String)] = [
                (["poll[options][0]": ""], "Options must have more than one item"),
                (["poll[options][0]": "\"no\" <i>"], "Options contain duplicate items"),
                (["poll[expires_in]": "5"], "Expires at is too soon"),
                (["media_ids[0]": String(file.id)], "A post cannot have both a poll and attached files"),
            ]
            for (change, message) in tries {
                let fields = try await person.composing("which?").merging(Self.poll) { $1 }.merging(change) { $1 }
                let refused = try await person.send(.post, "/compose", fields)
                #expect(refused.status == 422, "\(message)")
                #expect(refused.text.contains("id=\"poll-error\" role=\"alert\">\(message)</p>"), "\(message)")
                #expect(refused.text.contains("<details class=\"form-part\" open>"))
                let option =
                    "value=\"&quot;no&quot; &lt;i&gt;\" dir=\"auto\" autocomplete=\"off\" aria-invalid=\"true\" "
                #expect(refused.text.contains(option + "aria-describedby=\"poll-error\""), "\(message)")
                #expect(refused.text.contains("name=\"poll[multiple]\" value=\"1\" checked"))
            }
            let page = Pagination(limit: 20)
            #expect(try await test.store.timelines.timeline(.account(ada.id), page: page, for: nil).entries.isEmpty)
        }
    }

    @Test func statusIsScheduledOnce() async throws {
        try await Person.served(try TestServices()) { test, person in
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            try await person.logIn()
            var fields = try await person.composing("later")
            let time = test.store.clock.now / 60_000 * 60_000 + 7_200_000
            fields["scheduled_at"] = String(ISO8601.text(milliseconds: time).prefix(16))
            let sent = try await person.send(.post, "/compose", fields)
            let second = try await person.send(.post, "/compose", fields)
            #expect(sent.status == 303 && sent.location == second.location)
            let scheduled = try await test.store.scheduledStatuses.statuses(of: ada.id, page: Pagination(limit: 5))
            #expect(scheduled.map(\.scheduledAt) == [time] && scheduled.map(\.parameters.text) == ["later"])
            let confirmed = try await person.send(.get, try #require(sent.location))
            #expect(confirmed.text.contains("Your post will be published on \(PageDate.full(time))."))
            #expect(HTMLForm.hidden(in: confirmed.text)["key"] != fields["key"])
            let (_, _) = try await test.account("grace")
            var other = person
            try await other.logIn("grace")
            #expect(try await other.send(.get, try #require(sent.location)).status == 404)
        }
    }

    @Test func refusedTimeIsKept() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            let now = String(ISO8601.text(milliseconds: test.store.clock.now).prefix(16))
            for (time, message) in [(now, "must be at least 5 minutes"), ("\"soon\"", "must be a time such as")] {
                var fields = try await person.composing("too soon")
                fields["scheduled_at"] = time
                let refused = try await person.send(.post, "/compose", fields)
                #expect(refused.status == 422 && refused.text.contains(message), "\(time)")
                #expect(
                    refused.text.contains("aria-describedby=\"schedule-hint schedule-error\" aria-invalid=\"true\""))
                #expect(refused.text.contains("value=\"\(time.replacing("\"", with: "&quot;"))\""))
                #expect(refused.text.contains(">\ntoo soon</textarea>"))
            }
        }
    }
}
