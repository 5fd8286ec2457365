import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The page on which members edit their statuses.
@Suite(.hangLimit)
struct EditPageTests {
    @Test func formIsFilledAndItsChangesAreStored() async throws {
        try await Person.served(try TestServices()) { test, person in
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            let file = try await test.store.image(by: ada, "<a cat>")
            let old = try await test.store.post("ol <text>", by: ada, .followers, media: [file], language: "de")
            try await person.logIn()
            let address = "/statuses/\(old.id)/edit"
            #expect(try await person.send(.get, "/home").text.contains("ol &lt;text&gt;"))
            let form = try await person.send(.get, address + "?next=%2Fhome")
            #expect(
                form.text.contains(">\nol &lt;text&gt;</textarea>") && form.text.contains(">\n&lt;a cat&gt;</textarea>")
            )
            #expect(form.text.contains("value=\"de\" selected") && !form.text.contains("name=\"visibility\""))
            #expect(!form.text.contains("name=\"scheduled_at\"") && form.text.contains("action=\"\(address)\""))
            var fields = HTMLForm.hidden(in: form.text)
            #expect(fields["media_ids[]"] == String(file.id) && fields["next"] == "/home" && fields["key"] == nil)
            fields["status"] = "new text"
            fields["language"] = "en"
            fields["visibility"] = "public"
            fields["media_attributes[0][description]"] = "a dog"
            fields["media_attributes[0][focus]"] = "0,-1"
            let sent = try await person.send(.post, address, fields)
            #expect(sent.status == 303 && sent.location == "/home#status-\(old.id)")
            let new = try #require(try await test.store.statuses.status(id: old.id, for: ada.id))
            #expect(new.text == "new text" && new.language == "en" && new.visibility == .followers)
            #expect(new.media.map(\.description) == ["a dog"] && new.media.map(\.focus) == [MediaFocus(x: 0, y: -1)])
            #expect(try await person.send(.get, "/home").text.contains("new text"))
            // A double click.
            #expect(try await person.send(.post, address, fields).status == 303)
            #expect(try await test.store.edits.history(of: old.id, for: ada.id)?.edits.count == 2)
            fields["remove"] = String(file.id)
            let removed = try await person.send(.post, address, fields)
            #expect(removed.status == 200 && !removed.text.contains("attachment-preview"))
            #expect(try await test.store.statuses.status(id: old.id, for: ada.id)?.media.count == 1)
        }
    }

    @Test func refusedEditKeepsWhatWasTyped() async throws {
        try await Person.served(try TestServices()) { test, person in
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            let id = try await test.store.post("old", by: ada).id
            try await person.logIn()
            let form = try await person.send(.get, "/statuses/\(id)/edit")
            let fields = HTMLForm.hidden(in: form.text).merging(["status": " ", "spoiler_text": ""]) { $1 }
            let refused = try await person.send(.post, "/statuses/\(id)/edit", fields)
            #expect(refused.status == 422 && refused.text.contains("Text can&#39;t be blank"))
            #expect(refused.text.contains("action=\"/statuses/\(id)/edit\""))
            #expect(try await test.store.statuses.status(id: id, for: nil)?.text == "old")
        }
    }

    @Test func pollKeepsItsVotesAndItsEnd() async throws {
        try await Person.served(try TestServices()) { test, person in
            let (grace, _) = try await test.account("grace")
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            let draft = PollDraft(options: ["a", "b"], seconds: 600)
            let old = try await test.store.post("which", by: ada, poll: draft)
            _ = try await test.store.polls.vote([1], in: old.id, by: grace.id)
            try await person.logIn()
            let address = "/statuses/\(old.id)/edit"
            for isClosed in [false, true] {
                if isClosed {
                    test.store.clock.now += 700_000
                    #expect(try await test.store.polls.closeNext())
                }
                let form = try await person.send(.get, address)
                let end = PageDate.full(try #require(old.poll?.expiresAt))
                #expect(form.text.contains("<option value=\"\" selected>As it is: until \(end)</option>"))
                var fields = HTMLForm.hidden(in: form.text)
                fields["status"] = "which? \(isClosed)"
                (fields["poll[options][0]"], fields["poll[options][1]"], fields["poll[expires_in]"]) = ("a", "b", "")
                #expect(try await person.send(.post, address, fields).status == 303)
                let new = try #require(try await test.store.statuses.status(id: old.id, for: nil))
                #expect(new.text == "which? \(isClosed)" && new.poll?.expiresAt == old.poll?.expiresAt)
                #expect(new.poll?.isExpired == isClosed && new.poll?.options.map(\.votesCount) == [0, 1])
                // Another answer of a poll that has ended needs a new end.
                fields["poll[options][1]"] = "c"
                guard isClosed else { continue }
                let refused = try await person.send(.post, address, fields)
                #expect(refused.status == 422 && refused.text.contains("id=\"poll-error\""))
                fields["poll[expires_in]"] = "300"
                #expect(try await person.send(.post, address, fields).status == 303)
                let open = try await test.store.statuses.status(id: old.id, for: nil)?.poll
                #expect(open?.isExpired == false && open?.options.map(\.votesCount) == [0, 0])
            }
        }
    }

    @Test func onlyOwnStatusesAreEdited() async throws {
        try await Person.served(try TestServices()) { test, person in
            let (grace, _) = try await test.account("grace")
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            let other = try await test.store.post("hers", by: grace).id
            let boost = try await test.store.boosts.boost(other, visibility: .public, by: ada.id).boost?.id ?? 0
            #expect(try await person.send(.get, "/statuses/\(other)/edit").status == 302)
            try await person.logIn()
            for id in [other, boost, 5] {
                #expect(try await person.send(.get, "/statuses/\(id)/edit").status == 404)
                #expect(try await person.send(.post, "/statuses/\(id)/edit", ["status": "mine"]).status == 404)
            }
            #expect(try await test.store.statuses.status(id: other, for: nil)?.text == "hers")
        }
    }
}
