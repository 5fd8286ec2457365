import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The buttons and forms of the statuses on pages.
@Suite(.hangLimit)
struct StatusActionPageTests {
    /// The page of a button, and whether it is pressed.
    private static func isPressed(_ verb: String, _ id: Int64, in page: String) -> Bool? {
        for (prefix, isPressed) in [("", false), ("un", true)] {
            let button = "formaction=\"/statuses/\(id)/\(prefix)\(verb)\" aria-pressed=\"\(isPressed)\""
            if page.contains(button) { return isPressed }
        }
        return nil
    }

    /// Sends the form of a status, as its page does.
    private static func press(
        _ verb: String, _ id: Int64, by person: Person, next: String? = nil
    ) async throws -> Person.Response {
        var fields: [String: String] = [:]
        fields["next"] = next
        return try await person.send(.post, "/statuses/\(id)/\(verb)", fields)
    }

    @Test func everyPageShowsAtOnceWhatItsReaderHasDone() async throws {
        try await Person.served(try TestServices()) { test, person in
            let (grace, _) = try await test.account("grace")
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            try await test.store.follows.follow(grace.id, by: ada.id)
            let ids = [
                try await test.store.post("hers #tag", by: grace), try await test.store.post("own #tag", by: ada),
            ]
            .map(\.id)
            try await person.logIn()
            for (id, author) in zip(ids, ["grace", "ada"]) {
                let verbs = ["favourite", "reblog", "bookmark"] + (author == "ada" ? ["pin"] : [])
                for page in ["/", "/home", "/@\(author)", "/@\(author)/\(id)", "/tags/tag?max_id=\(Int64.max)"] {
                    for verb in verbs {
                        #expect(
                            try await Self.isPressed(verb, id, in: person.send(.get, page).text) == false,
                            "\(verb) \(page)")
                        let sent = try await Self.press(verb, id, by: person, next: page)
                        #expect(sent.status == 303 && sent.location == "\(page)#status-\(id)")
                        #expect(
                            try await Self.isPressed(verb, id, in: person.send(.get, page).text) == true,
                            "\(verb) \(page)")
                        // A double click.
                        #expect(try await Self.press(verb, id, by: person, next: page).status == 303)
                        #expect(try await Self.press("un" + verb, id, by: person, next: page).status == 303)
                    }
                }
            }
        }
    }

    @Test func listsOfWhatAMemberKeepsChangeAtOnce() async throws {
        try await Person.served(try TestServices()) { test, person in
            let (grace, _) = try await test.account("grace")
            let id = try await test.store.post("keep this", by: grace).id
            try await person.logIn()
            for (verb, page) in [("favourite", "/favourites"), ("bookmark", "/bookmarks")] {
                #expect(try await !person.send(.get, page).text.contains("keep this"), "\(page)")
                #expect(try await Self.press(verb, id, by: person).status == 303)
                #expect(try await Self.isPressed(verb, id, in: person.send(.get, page).text) == true, "\(page)")
                let found = try await person.send(.get, "/search?q=keep").text
                #expect(Self.isPressed(verb, id, in: found) == true)
                let sent = try await Self.press("un" + verb, id, by: person, next: page)
                #expect(sent.location == "\(page)#status-\(id)")
                #expect(try await !person.send(.get, page).text.contains("keep this"), "\(page)")
            }
        }
    }

    @Test func buttonsAreForMembersAndForWhatTheyMayDo() async throws {
        try await Person.served(try TestServices()) { test, visitor in
            let (grace, _) = try await test.account("grace")
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            try await test.store.follows.follow(grace.id, by: ada.id)
            let shown = try await test.store.post("for all", by: grace)
            let hidden = try await test.store.post("for followers", by: grace, .followers)
            let direct = try await test.store.post("for @ada", by: grace, .direct)
            let own = try await test.store.post("own", by: ada, .direct)
            #expect(try await !visitor.send(.get, "/@grace").text.contains("class=\"actions\""))
            var person = visitor
            try await person.logIn()
            let profile = try await person.send(.get, "/@grace").text
            #expect(Self.isPressed("reblog", shown.id, in: profile) == false)
            #expect(profile.contains("Favourite<span class=\"visually-hidden\"> the post by grace</span>"))
            for status in [hidden, direct] {
                let page = try await person.send(.get, "/@grace/\(status.id)").text
                #expect(Self.isPressed("reblog", status.id, in: page) == nil)
                #expect(Self.isPressed("favourite", status.id, in: page) == false)
            }
            for word in ["pin\"", "/edit", "/delete"] {
                #expect(!profile.contains("/statuses/\(shown.id)/\(word)") && !profile.contains(word), "\(word)")
            }
            let mine = try await person.send(.get, "/@ada/\(own.id)").text
            #expect(Self.isPressed("pin", own.id, in: mine) == nil)
            #expect(mine.contains("/statuses/\(own.id)/delete?next=%2F%40ada%2F\(own.id)"))
            // Visitors who make a form of their own.
            #expect(try await Self.press("favourite", shown.id, by: visitor).status == 401)
        }
    }

    @Test func refusalsAreThoseOfTheAPI() async throws {
        try await Person.served(try TestServices()) { test, person in
            let (grace, token) = try await test.account("grace")
            let secret = try await test.store.post("for @grace", by: grace, .direct, poll: Self.poll())
            let shown = try await test.store.post("for all", by: grace)
            try await person.logIn()
            for verb in ["favourite", "unfavourite", "reblog", "unreblog", "bookmark", "unbookmark", "pin", "delete"] {
                #expect(try await Self.press(verb, secret.id, by: person).status == 404, "\(verb)")
                #expect(try await Self.press(verb, 5, by: person).status == 404, "\(verb)")
            }
            #expect(try await person.send(.post, "/polls/\(secret.id)/votes", ["choices": "0"]).status == 404)
            #expect(try await Self.press("pin", shown.id, by: person).status == 422)
            #expect(try await Self.press("delete", shown.id, by: person).status == 404)
            #expect(try await person.send(.get, "/statuses/\(shown.id)/delete").status == 404)
            let fan = try await test.store.post("for followers", by: grace, .followers)
            #expect(try await Self.press("reblog", fan.id, by: person).status == 404)
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            try await test.store.follows.follow(grace.id, by: ada.id)
            #expect(try await Self.press("reblog", fan.id, by: person).status == 403)
            // A token that may only read.
            let reader = try await test.services.login.tokens.create(
                for: grace.id, scopes: try ScopeSet(parsing: "read"), application: ClientApplication(name: "reader"))
            for (secret, status) in [(reader, 403), (token, 303)] {
                let sent = try await person.send(
                    .post, "/statuses/\(shown.id)/favourite", [:], headers: [.authorization: "Bearer " + secret])
                #expect(sent.status == status)
            }
            let stored = try await test.store.statuses.status(id: shown.id, for: nil)
            #expect(stored?.favouritesCount == 1)
        }
    }

    @Test func formsLeadToPagesOfThisServerOnly() async throws {
        try await Person.served(try TestServices()) { test, person in
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            let id = try await test.store.post("own", by: ada).id
            try await person.logIn()
            for next in ["//evil.test", "https://evil.test", "/\\evil.test", "", "#x"] {
                let sent = try await Self.press("favourite", id, by: person, next: next)
                #expect(sent.location == "/statuses/\(id)#status-\(id)", "\(next)")
            }
            let sent = try await Self.press("favourite", id, by: person, next: "/home#other")
            #expect(sent.location == "/home#status-\(id)")
        }
    }

    private static func poll(isMultiple: Bool = false) -> PollDraft {
        PollDraft(options: ["<b>yes</b>", "no"], seconds: 3600, isMultiple: isMultiple)
    }

    @Test func pollIsAFormUntilItsReaderHasVoted() async throws {
        try await Person.served(try TestServices()) { test, visitor in
            let (grace, _) = try await test.account("grace")
            var (person, author) = (visitor, visitor)
            try await person.logIn()
            try await author.logIn("grace")
            for isMultiple in [false, true] {
                let id = try await test.store.post("which?", by: grace, poll: Self.poll(isMultiple: isMultiple)).id
                let (page, form) = ("/@grace/\(id)", "action=\"/polls/\(id)/votes\"")
                for other in [visitor, author] { #expect(try await !other.send(.get, page).text.contains(form)) }
                let open = try await person.send(.get, page).text
                #expect(open.contains(form) && open.contains("&lt;b&gt;yes&lt;/b&gt;") && !open.contains("<b>yes"))
                #expect(open.contains("type=\"\(isMultiple ? "checkbox" : "radio")\" name=\"choices\" value=\"1\""))
                let empty = try await person.send(.post, "/polls/\(id)/votes", ["next": page])
                #expect(empty.status == 422 && empty.text.contains("No answer is chosen"))
                let sent = try await person.send(.post, "/polls/\(id)/votes", ["next": page, "choices": "1"])
                #expect(sent.status == 303 && sent.location == "\(page)#status-\(id)")
                let voted = try await person.send(.get, page).text
                #expect(
                    !voted.contains(form) && voted.contains("your choice</span></span></bdi>")
                        && voted.contains("1 vote"))
                #expect(try await person.send(.post, "/polls/\(id)/votes", ["choices": "1"]).status == 422)
                #expect(try await author.send(.post, "/polls/\(id)/votes", ["choices": "1"]).status == 422)
                #expect(try await visitor.send(.post, "/polls/\(id)/votes", ["choices": "1"]).status == 401)
                let stored = try await test.store.statuses.status(id: id, for: nil)
                #expect(stored?.poll?.options.map(\.votesCount) == [0, 1])
            }
        }
    }

    @Test func deletionAsksFirst() async throws {
        try await Person.served(try TestServices()) { test, person in
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            let ids = [
                try await test.store.post("<script>one", by: ada), try await test.store.post("two", by: ada, .direct),
            ].map(\.id)
            try await person.logIn()
            for (id, (next, last)) in zip(ids, [("/home", "/home"), ("/@ada/\(ids[1])", "/@ada")]) {
                let query = "?next=" + next.percentEncodedSegment
                let question = try await person.send(.get, "/statuses/\(id)/delete" + query)
                #expect(question.status == 200 && question.headers[.cacheControl] == "no-store")
                #expect(question.text.contains(id == ids[0] ? "&lt;script&gt;one" : "two"))
                #expect(!question.text.contains("class=\"actions\""))
                #expect(HTMLForm.hidden(in: question.text)["next"] == next)
                #expect(try await test.store.statuses.status(id: id, for: ada.id) != nil)
                let sent = try await Self.press("delete", id, by: person, next: next)
                #expect(sent.status == 303 && sent.location == last)
                #expect(try await test.store.statuses.status(id: id, for: ada.id) == nil)
                #expect(try await Self.press("delete", id, by: person, next: next).status == 404)
            }
        }
    }

    @Test func formsCountAgainstTheLimitsOfTheAPI() {
        let kinds = { (path: String) in RateRule.kinds(.post, route: path, path: path) }
        #expect(kinds("/statuses/{id}/reblog") == [.page, .request, .post])
        #expect(kinds("/statuses/{id}/favourite") == [.page, .request])
        #expect(kinds("/polls/{id}/votes") == [.page, .request])
        #expect(RateRule.kinds(.get, route: "/statuses/{id}", path: "/statuses/{id}") == [.page])
    }
}
