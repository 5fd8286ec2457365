import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The forms of a profile, on which a member looks at somebody else.
@Suite(.hangLimit)
struct ProfileActionPageTests {
    /// A form, the member of the relationship that it changes, and what the page says then.
    private static let steps: [(action: String, form: String, member: String, value: Bool, text: String)] = [
        ("follow", "", "following", true, "You follow this account."),
        ("notify", "", "notifying", true, "Stop notifying me"),
        ("unnotify", "", "notifying", false, "Notify me of new posts"),
        ("hide_boosts", "", "showing_reblogs", false, "Show boosts"),
        ("show_boosts", "", "showing_reblogs", true, "Hide boosts"),
        ("mute", "duration=3600&notifications=false", "muting", true, "You mute this account until "),
        ("unmute", "", "muting", false, "<button class=\"button\">Mute</button>"),
        ("unfollow", "", "following", false, "Follow<span"),
        ("mute", "duration=0&notifications=true", "muting_notifications", true, "with its notifications."),
        ("block", "", "blocking", true, "You block this account."),
        ("unblock", "", "blocking", false, "Block<span"),
    ]

    private static func relationship(_ api: WebAPI, _ viewer: Member, to other: Member) async throws -> JSONValue {
        let path = "/api/v1/accounts/relationships?id[]=\(other.id)"
        return try #require(try await api.must(.get, path, as: viewer)[0])
    }

    @Test func everyFormWorksAndThePageShowsIt() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            for step in Self.steps {
                _ = try await api.send(.get, "/@bob", as: ada)
                let response = try await api.send(.post, "/@bob/\(step.action)", as: ada, .form(step.form))
                #expect(response.status == 303 && response.headers[.location] == "/@bob", "\(step.action)")
                #expect(response.headers[.cacheControl] == "no-store", "\(step.action)")
                let state = try await Self.relationship(api, ada, to: bob)
                #expect(state[step.member]?.flag == step.value, "\(step.action)")
                let page = try await api.send(.get, "/@bob", as: ada).text
                #expect(page.contains(step.text), "\(step.action)")
                #expect(try await !api.send(.get, "/@bob").text.contains("relation-state"), "\(step.action)")
            }
        }
    }

    @Test func followOfALockedAccountIsARequestThatItAnswers() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            try await api.must(.patch, "/api/v1/accounts/update_credentials", as: bob, .form("locked=true"))
            for (answer, isFollowing) in [("reject", false), ("accept", true)] {
                #expect(try await api.send(.post, "/@bob/follow", as: ada, .form("")).status == 303)
                let page = try await api.send(.get, "/@bob", as: ada).text
                #expect(
                    page.contains("data-follow-state>You have asked to follow") && page.contains("Withdraw request"))
                #expect(try await api.send(.get, "/@ada", as: bob).text.contains("Asks to follow you."))
                let next = WebBody.form("next=%2Ffollow_requests")
                let response = try await api.send(.post, "/@ada/\(answer)", as: bob, next)
                #expect(response.status == 303 && response.headers[.location] == "/follow_requests")
                #expect(try await Self.relationship(api, ada, to: bob)["following"]?.flag == isFollowing)
            }
            #expect(try await api.send(.post, "/@ada/accept", as: bob, .form("")).status == 404)
            #expect(try await api.send(.post, "/@ada/remove_follower", as: bob, .form("")).status == 303)
            #expect(try await Self.relationship(api, ada, to: bob)["following"]?.flag == false)
        }
    }

    @Test func refusalsAreThoseOfTheAPI() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let names = Self.steps.map(\.action) + ["accept", "reject", "remove_follower", "report", "note"]
            for action in Set(names) {
                let visitor = try await api.send(
                    .post, "/@bob/\(action)", .form(""), headers: ["Sec-Fetch-Site": "same-origin"])
                #expect(visitor.status == 401, "\(action)")
                let foreign = try await api.send(
                    .post, "/@bob/\(action)", .form(""), headers: ["Sec-Fetch-Site": "cross-site"])
                #expect(foreign.status == 403, "\(action)")
                #expect(try await api.send(.post, "/@ada/\(action)", as: ada, .form("")).status == 403, "\(action)")
                #expect(try await api.send(.post, "/@nobody/\(action)", as: ada, .form("")).status == 404, "\(action)")
            }
            try await api.must(.post, "/api/v1/accounts/\(ada.id)/block", as: bob)
            #expect(try await api.send(.post, "/@bob/follow", as: ada, .form("")).status == 403)
            #expect(try await api.send(.get, "/@bob", as: ada).text.contains("This account blocks you."))
            let away = try await api.send(.post, "/@bob/mute", as: ada, .form("next=%2F%2Fevil.test"))
            #expect(away.headers[.location] == "/@bob")
            #expect(try await api.send(.post, "/@bob/mute", as: ada, .form("duration=x")).status == 422)
        }
    }

    /// A token that may read statuses, but not relationships, gets another page than the session of its account.
    @Test func relationshipsAreNotShownToTokensWithoutTheirScope() async throws {
        try await WebAPI.run { api in
            let (ada, _) = (try await api.person("ada"), try await api.person("bob"))
            let narrow = try await api.limited(ada, scopes: "read:statuses")
            _ = try await api.send(.post, "/@bob/note", as: ada, .form("comment=secret"))
            for _ in 0..<2 {
                #expect(try await api.send(.get, "/@bob", as: ada).text.contains("secret"))
                let page = try await api.send(.get, "/@bob", as: narrow)
                #expect(page.status == 200 && !page.text.contains("secret"))
            }
        }
    }

    @Test func notesAreKeptAfterAnErrorAndShownToTheirAuthorOnly() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let saved = try await api.send(.post, "/@bob/note", as: ada, .form("comment=met+%3Cb%3E%0D%0Aonce"))
            #expect(saved.status == 303 && saved.headers[.location] == "/@bob")
            #expect(try await Self.relationship(api, ada, to: bob)["note"]?.text == "met <b>\nonce")
            #expect(try await api.send(.get, "/@bob", as: ada).text.contains("met &lt;b&gt;\nonce"))
            #expect(try await api.send(.get, "/@bob/note", as: ada).text.contains("met &lt;b&gt;\nonce</textarea>"))
            #expect(try await !api.send(.get, "/@bob", as: bob).text.contains("met &lt;b&gt;"))
            let long = String(repeating: "n", count: 2001)
            let refused = try await api.send(.post, "/@bob/note", as: ada, .form("comment=" + long))
            #expect(refused.status == 422 && refused.text.contains(long + "</textarea>"))
            #expect(refused.text.contains(#"aria-invalid="true" aria-describedby="form-message""#))
            #expect(refused.text.contains(#"id="form-message" role="alert""#))
        }
    }

    @Test func reportsAreThoseOfTheAPI() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let admin = try await api.admin("root")
            let post = try await api.post("a bad <post>", by: bob)
            let hidden = try await api.post("hidden", by: bob, "direct")
            let page = try await api.send(.get, "/@bob/\(post)", as: ada).text
            #expect(page.contains("href=\"/@bob/report?status=\(post)\""))
            let form = try await api.send(.get, "/@bob/report?status=\(post)", as: ada)
            #expect(form.status == 200 && form.headers[.cacheControl] == "no-store")
            #expect(form.text.contains("a bad &lt;post&gt;") && form.text.contains("value=\"\(post)\""))
            #expect(try await !api.send(.get, "/@bob/report?status=\(hidden)", as: ada).text.contains("hidden<"))
            let fields = "category=spam&comment=look&status_ids[]=\(post)"
            let sent = try await api.send(.post, "/@bob/report", as: ada, .form(fields))
            #expect(sent.status == 303)
            let location = try #require(sent.headers[.location])
            #expect(try await api.send(.get, location, as: ada).text.contains("The moderators of this site have"))
            let reports = try await api.must(.get, "/api/v1/admin/reports", as: admin)
            #expect(reports[0]?["comment"]?.text == "look" && reports[0]?["category"]?.text == "spam")
            #expect(reports[0]?["target_account"]?["id"]?.text == bob.id)
            #expect(reports[0]?["statuses"]?[0]?["id"]?.text == post)
            let long = String(repeating: "n", count: 1001)
            let refused = try await api.send(.post, "/@bob/report", as: ada, .form("category=spam&comment=" + long))
            #expect(refused.status == 422 && refused.text.contains(long + "</textarea>"))
            #expect(refused.text.contains(#"<option value="spam" selected>"#))
            #expect(refused.text.contains(#"aria-invalid="true""#))
        }
    }
}
