import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Polls as apps post them, vote in them and see them.
@Suite(.hangLimit)
struct PollAPITests {
    static let form = "status=which%3F&poll[options][]=cats&poll[options][]=dogs&poll[expires_in]=300"

    /// Posts a status with a poll; returns its id.
    private static func ask(_ api: WebAPI, by person: Member, _ more: String = "") async throws -> String {
        let posted = try await api.must(.post, "/api/v1/statuses", as: person, .form(form + more))
        return try #require(posted["id"]?.text)
    }

    private static func vote(
        _ api: WebAPI, _ id: String, as person: Member, _ choices: [Int] = [0]
    ) async throws -> WebResponse {
        let form = choices.map { "choices[]=\($0)" }.joined(separator: "&")
        return try await api.send(.post, "/api/v1/polls/\(id)/votes", as: person, .form(form))
    }

    /// Lets time pass until all polls have ended, and closes them as the server does.
    private static func close(_ api: WebAPI) async throws {
        api.test.store.clock.now += 300_000
        while try await api.test.services.stores.polls.closeNext() {}
    }

    private static func counts(_ poll: JSONValue?) -> [JSONValue?]? {
        poll?["options"]?.list?.map { $0["votes_count"] }
    }

    @Test func encodingsPostTheSamePoll() async throws {
        let bodies = [
            WebBody.form("status=x&poll[options][]=+a&poll[options][]=b&poll[expires_in]=600&poll[multiple]=1"),
            .form(
                "status=x&poll%5Boptions%5D%5B0%5D=a&poll%5Boptions%5D%5B1%5D=b&poll[expires_in]=600&poll[multiple]=on"),
            .json(
                #"{"status":"x","poll":{"options":["a","b",""],"expires_in":600,"multiple":true,"hide_totals":false}}"#),
            .json(#"{"status":"x","poll":{"options":["a","b"],"expires_in":"600","multiple":"true"}}"#),
            .multipart([
                ("status", "x"), ("poll[options][]", "a"), ("poll[options][]", "b"), ("poll[expires_in]", "600"),
                ("poll[multiple]", "true"), ("poll[hide_totals]", "false"),
            ]),
        ]
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for body in bodies {
                let status = try await api.must(.post, "/api/v1/statuses", as: ada, body)
                let poll = try #require(status["poll"])
                #expect(EntityShape.status.check(status, hasToken: true) == [])
                #expect(poll["options"]?.list?.map { $0["title"]?.text } == ["a", "b"], "\(body)")
                #expect(poll["multiple"] == .flag(true) && poll["expired"] == .flag(false))
                #expect(poll["voted"] == .flag(true) && poll["own_votes"] == .list([]))
                let end = ISO8601Text.text(api.test.store.clock.now + 600_000)
                #expect(poll["expires_at"]?.text == end)
                let id = try #require(poll["id"]?.text)
                #expect(try await api.must(.get, "/api/v1/polls/\(id)", as: ada) == poll)
            }
        }
    }

    @Test(arguments: ["null", "{}", "[]", "\"x\"", "false"]) func emptyPollIsNone(poll: String) async throws {
        try await WebAPI.run { api in
            let body = WebBody.json(#"{"status":"x","poll":\#(poll)}"#)
            let status = try await api.must(.post, "/api/v1/statuses", as: try await api.person("ada"), body)
            #expect(status["poll"] == .null)
        }
    }

    @Test func everyoneSeesTheVotesAndTheirOwn() async throws {
        try await WebAPI.run { api in
            let (ada, bob, cleo) = (
                try await api.person("ada"), try await api.person("bob"), try await api.person("cleo")
            )
            let id = try await Self.ask(api, by: ada, "&poll[multiple]=true")
            let timeline = "/api/v1/timelines/public"
            _ = try await api.send(.get, timeline, as: cleo)
            let voted = try await Self.vote(api, id, as: bob, [1, 0])
            #expect(voted.status == 200 && voted.json?["own_votes"] == .list([.number(0), .number(1)]))
            #expect(try await Self.vote(api, id, as: cleo, [1]).status == 200)
            let rows: [(person: Member?, voted: JSONValue?, own: JSONValue?)] = [
                (nil, nil, nil), (ada, .flag(true), .list([])), (bob, .flag(true), .list([.number(0), .number(1)])),
                (cleo, .flag(true), .list([.number(1)])),
                (try await api.person("dora"), .flag(false), .list([])),
            ]
            for row in rows {
                let shown = try await api.send(.get, "/api/v1/polls/\(id)", as: row.person)
                let poll = try #require(shown.json)
                #expect(EntityShape.poll.check(poll, hasToken: row.person != nil) == [])
                #expect(poll["votes_count"] == .number(3) && poll["voters_count"] == .number(2))
                #expect(Self.counts(poll) == [.number(1), .number(2)])
                #expect(poll["voted"] == row.voted && poll["own_votes"] == row.own)
                // Also where the page had been cached before.
                #expect(try await api.send(.get, timeline, as: row.person).json?[0]?["poll"] == poll)
            }
        }
    }

    @Test func hiddenTotalsAreShownAfterTheEnd() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let id = try await Self.ask(api, by: ada, "&poll[hide_totals]=true")
            _ = try await Self.vote(api, id, as: bob)
            for person in [nil, ada, bob] {
                let poll = try await api.send(.get, "/api/v1/polls/\(id)", as: person).json
                #expect(Self.counts(poll) == [.null, .null] && poll?["votes_count"] == .number(1))
            }
            try await Self.close(api)
            let poll = try await api.send(.get, "/api/v1/polls/\(id)").json
            #expect(Self.counts(poll) == [.number(1), .number(0)] && poll?["expired"] == .flag(true))
        }
    }

    @Test func endNotifiesAuthorAndVoters() async throws {
        try await WebAPI.run { api in
            let (ada, bob, cleo) = (
                try await api.person("ada"), try await api.person("bob"), try await api.person("cleo")
            )
            let id = try await Self.ask(api, by: ada)
            _ = try await Self.vote(api, id, as: bob)
            _ = try await api.send(.get, "/@ada/\(id)")
            try await Self.close(api)
            for (person, count) in [(ada, 1), (bob, 1), (cleo, 0)] {
                let told = try await api.must(.get, "/api/v1/notifications?types[]=poll", as: person)
                #expect(told.list?.count == count, "\(person.name)")
                guard count > 0 else { continue }
                #expect(told[0]?["type"]?.text == "poll" && told[0]?["account"]?["id"]?.text == ada.id)
                #expect(told[0]?["status"]?["poll"]?["expired"] == .flag(true))
                #expect(EntityShape.notification.check(try #require(told[0]), hasToken: true) == [])
                #expect(try await api.must(.get, "/api/v1/notifications?exclude_types[]=poll", as: person) == .list([]))
            }
            let late = try await Self.vote(api, id, as: cleo)
            #expect(late.status == 422 && late.text.contains("already ended"), "\(late.summary)")
            #expect(try await api.send(.get, "/@ada/\(id)").text.contains("Closed <time"))
        }
    }

    @Test func voteIsRefusedAsInMastodon() async throws {
        try await WebAPI.run { api in
            let (ada, bob, cleo) = (
                try await api.person("ada"), try await api.person("bob"), try await api.person("cleo")
            )
            let id = try await Self.ask(api, by: ada)
            let hidden = try await Self.ask(api, by: ada, "&visibility=private")
            let boost = try await api.must(.post, "/api/v1/statuses/\(id)/reblog", as: bob)
            #expect(boost["reblog"]?["poll"]?["id"]?.text == id)
            #expect(try await Self.vote(api, id, as: bob).status == 200)
            try await api.must(.post, "/api/v1/accounts/\(ada.id)/block", as: cleo)
            let rows: [(id: String, person: Member, code: Int, part: String)] = [
                (id, bob, 422, "already voted"), (id, ada, 422, "own polls"), (id, cleo, 403, "not allowed"),
                (hidden, bob, 404, "not found"), (boost.ids[0], bob, 404, "not found"), ("1", bob, 404, "not found"),
            ]
            for row in rows {
                let response = try await Self.vote(api, row.id, as: row.person)
                #expect(response.status == row.code && response.text.contains(row.part), "\(response.summary)")
            }
            #expect(try await api.send(.get, "/api/v1/polls/\(hidden)", as: bob).status == 404)
            #expect(try await api.send(.get, "/api/v1/polls/\(boost.ids[0])", as: bob).status == 404)
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/block", as: ada)
            #expect(try await Self.vote(api, id, as: bob, [1]).status == 404)
        }
    }

    @Test func editChangesThePoll() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let id = try await Self.ask(api, by: ada)
            let path = "/api/v1/statuses/" + id
            _ = try await Self.vote(api, id, as: bob)
            let later = try await api.must(
                .put, path, as: ada, .form(Self.form.replacing("expires_in]=300", with: "expires_in]=900")))
            #expect(Self.counts(later["poll"]) == [.number(1), .number(0)])
            let other = try await api.must(.put, path, as: ada, .form(Self.form.replacing("dogs", with: "birds")))
            #expect(Self.counts(other["poll"]) == [.number(0), .number(0)] && other["poll"]?["id"]?.text == id)
            #expect(try await Self.vote(api, id, as: bob).status == 200)
            // As in Mastodon, an edit without the poll removes it.
            let bare = try await api.must(.put, path, as: ada, .form("status=which%3F"))
            #expect(bare["poll"] == .null)
            #expect(try await api.send(.get, "/api/v1/polls/\(id)").status == 404)
            let history = try await api.must(.get, path + "/history", as: bob)
            let options = history.list?.map { $0["poll"]?["options"]?.list?.compactMap { $0["title"]?.text } ?? [] }
            #expect(options == [["cats", "dogs"], ["cats", "dogs"], ["cats", "birds"], []])
            #expect(EntityShape.statusEdit.check(try #require(history[0]), hasToken: true) == [])
        }
    }

    @Test func deletedStatusIsReturnedWithItsPoll() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let id = try await Self.ask(api, by: ada)
            let deleted = try await api.must(.delete, "/api/v1/statuses/\(id)", as: ada)
            #expect(deleted["poll"]?["options"]?.list?.count == 2 && deleted["text"]?.text == "which?")
            #expect(try await api.send(.get, "/api/v1/polls/\(id)").status == 404)
        }
    }

    @Test(arguments: ["/api/v1/instance", "/api/v2/instance"]) func instanceStatesTheLimits(path: String) async throws {
        try await WebAPI.run { api in
            let limits = try await api.send(.get, path).json?["configuration"]?["polls"]
            #expect(
                limits
                    == .object([
                        "max_options": .number(4), "max_characters_per_option": .number(50),
                        "min_expiration": .number(300), "max_expiration": .number(2_629_746),
                    ]))
        }
    }
}

private enum ISO8601Text {
    static func text(_ milliseconds: Int64) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}
