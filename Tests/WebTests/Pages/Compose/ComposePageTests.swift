import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The page on which members post.
@Suite(.hangLimit)
struct ComposePageTests {
    /// The fields of the open form.
    private static func fields(_ person: Person, _ query: String = "", text: String) async throws -> [String: String] {
        let page = try await person.send(.get, "/compose" + query)
        #expect(page.status == 200 && page.headers[.cacheControl] == "no-store")
        return HTMLForm.hidden(in: page.text).merging(["status": text, "visibility": "unlisted"]) { $1 }
    }

    private static func texts(_ test: TestServices) async throws -> [String] {
        let account = try #require(try await test.store.accounts.account(named: "ada"))
        let page = Pagination(limit: 20)
        return try await test.store.timelines.timeline(.account(account.id), page: page, for: account.id).entries
            .map(\.text)
    }

    @Test func doubleClickPostsOnce() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            var fields = try await Self.fields(person, text: "one\r\ntwo <b>")
            fields["spoiler_text"] = "warning"
            let first = try await person.send(.post, "/compose", fields)
            let second = try await person.send(.post, "/compose", fields)
            #expect(first.status == 303 && first.location?.hasPrefix("/@ada/") == true)
            #expect(second.status == 303 && second.location == first.location)
            #expect(try await Self.texts(test) == ["one\ntwo <b>"])
            let page = try await person.send(.get, try #require(first.location))
            #expect(page.status == 200 && page.text.contains("two &lt;b&gt;") && page.text.contains("warning"))
            // The form after a return to it, with another text.
            fields["status"] = "three"
            let third = try await person.send(.post, "/compose", fields)
            #expect(third.status == 303 && third.location != first.location)
            #expect(try await Self.texts(test) == ["three", "one\ntwo <b>"])
        }
    }

    @Test func refusedTextIsKept() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            let long = String(repeating: "<é>", count: 5000)
            var fields = try await Self.fields(person, text: long)
            fields["spoiler_text"] = "\"warning\""
            let refused = try await person.send(.post, "/compose", fields)
            #expect(refused.status == 422 && refused.text.contains("aria-describedby=\"status-limit status-message\""))
            #expect(refused.text.contains(String(repeating: "&lt;é&gt;", count: 5000) + "</textarea>"))
            #expect(refused.text.contains("value=\"&quot;warning&quot;\""))
            #expect(refused.text.contains("<option value=\"unlisted\" selected>"))
            #expect(HTMLForm.hidden(in: refused.text)["key"] == fields["key"])
            #expect(try await Self.texts(test).isEmpty)
        }
    }

    @Test func everyFieldIsInertWhenTheFormReturns() async throws {
        try await Person.served(try TestServices()) { test, person in
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            let file = try await test.store.image(by: ada)
            try await person.logIn()
            let hostile = "\"><script>\u{600}<img src=x onerror=x>\u{202E}"
            let names = [
                "status", "spoiler_text", "visibility", "language", "scheduled_at", "poll[options][0]",
                "poll[expires_in]", "media_attributes[0][description]", "media_attributes[0][focus]", "key", "next",
                "in_reply_to_id", "sensitive",
            ]
            var fields = try await Self.fields(person, text: "")
            fields["media_ids[0]"] = String(file.id)
            fields["media_attributes[0][id]"] = String(file.id)
            for name in names { fields[name] = hostile }
            for path in ["/compose", "/statuses/\(try await test.store.post("own", by: ada).id)/edit"] {
                for button in ["add", "other"] {
                    fields[button] = "1"
                    let page = try await person.send(.post, path, fields)
                    #expect(page.status == (button == "add" ? 200 : 422), "\(path)")
                    for markup in ["<script>", "<img src=x"] {
                        #expect(page.text.range(of: markup, options: .literal) == nil, "\(path)")
                    }
                    #expect(page.text.contains("&lt;script&gt;"), "\(path)")
                    fields[button] = nil
                }
            }
            #expect(try await Self.texts(test) == ["own"])
        }
    }

    @Test func replyMentionsAndIsNotSeenByMorePeople() async throws {
        try await Person.served(try TestServices()) { test, person in
            let (grace, _) = try await test.account("grace")
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            let status = try await test.store.post("for @ada only", by: grace, .direct)
            try await person.logIn()
            let query = "?in_reply_to_id=\(status.id)"
            let page = try await person.send(.get, "/compose" + query)
            #expect(page.text.contains("@grace </textarea>") && page.text.contains("value=\"direct\" selected"))
            #expect(!page.text.contains("value=\"private\"") && !page.text.contains("value=\"public\""))
            let fields = try await Self.fields(person, query, text: "@grace yes")
            #expect(fields["visibility"] == "unlisted")
            let sent = try await person.send(.post, "/compose", fields)
            let id = try #require(sent.location?.split(separator: "/").last.flatMap { Int64($0) })
            let reply = try await test.store.statuses.status(id: id, for: ada.id)
            #expect(reply?.inReplyToID == status.id && reply?.visibility == .direct)
            let hidden = try await test.store.post("for @grace only", by: grace, .direct)
            #expect(try await person.send(.get, "/compose?in_reply_to_id=\(hidden.id)").status == 404)
        }
    }

    @Test func visitorsAreSentToTheLoginAndFormsOfEndedSessionsRefused() async throws {
        try await Person.served(try TestServices()) { test, person in
            let visit = try await person.send(.get, "/compose?in_reply_to_id=5")
            #expect(visit.location == "/login?next=%2Fcompose%3Fin_reply_to_id%3D5")
            try await person.logIn()
            let fields = try await Self.fields(person, text: "too late")
            _ = try await person.send(.post, "/logout", [:])
            #expect(try await person.send(.post, "/compose", fields).status == 401)
            person.cookie = nil
            #expect(try await person.send(.post, "/compose", fields).status == 401)
            #expect(try await Self.texts(test).isEmpty)
        }
    }
}
