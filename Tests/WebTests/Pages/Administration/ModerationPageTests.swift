import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Accounts and reports on the operator's pages.
@Suite(.hangLimit)
struct ModerationPageTests {
    private static func accounts(_ query: String, _ root: Member, _ api: WebAPI) async throws -> [String] {
        let page = try await api.send(.get, "/admin/accounts" + query, as: root)
        #expect(page.status == 200, "\(page.summary)")
        return page.text.matches(of: /href="\/admin\/accounts\/\d+"><bdi>@(\w+)</).map { String($0.1) }.sorted()
    }

    @Test func accountsAreFoundAsInTheAPI() async throws {
        try await WebAPI.run { api in
            let root = try await api.admin("root")
            for name in ["ada", "adam", "bob"] { _ = try await api.person(name) }
            let ada = try #require(try await api.test.store.accounts.account(named: "ada"))
            try await api.test.store.database.stores.moderation.perform(.silence, on: ada.id)
            for (query, names) in [
                ("", ["ada", "adam", "bob", "root"]), ("?username=@AD", ["ada", "adam"]), ("?status=silenced", ["ada"]),
                ("?permissions=staff&username=", ["root"]), ("?username=x%27%22%3E", []),
            ] {
                #expect(try await Self.accounts(query, root, api) == names, "\(query)")
            }
            let typed = try await api.send(.get, "/admin/accounts?username=x%27%22%3E&status=silenced", as: root).text
            #expect(typed.contains("value=\"x&#39;&quot;&gt;\"") && typed.contains(#"value="silenced" selected"#))
            let first = try await api.send(.get, "/admin/accounts?username=ad&limit=1", as: root).text
            let older = try #require(first.firstMatch(of: /href="([^"]+)" rel="next"/)?.1.replacing("&amp;", with: "&"))
            #expect(older.hasPrefix("/admin/accounts?username=ad&max_id="))
            #expect(try await Self.accounts(String(older.dropFirst("/admin/accounts".count)), root, api) == ["ada"])
        }
    }

    @Test func accountsAreRestrictedAndRestored() async throws {
        try await WebAPI.run { api in
            let (ada, root) = (try await api.person("ada"), try await api.admin("root"))
            let place = "/admin/accounts/" + ada.id
            func stored() async throws -> Account {
                try #require(try await api.test.store.accounts.account(named: "ada"))
            }
            let steps: [(verb: String, isAsExpected: @Sendable (Account) -> Bool)] = [
                ("silence", { $0.silencedAt != nil }), ("unsilence", { $0.silencedAt == nil }),
                ("suspend", { $0.suspendedAt != nil }), ("unsuspend", { $0.suspendedAt == nil }),
                ("promote", { $0.role == .admin }), ("demote", { $0.role == .member }),
            ]
            for (verb, isAsExpected) in steps {
                #expect(
                    try await api.send(.get, place, as: root).text.contains("action=\"\(place)/\(verb)\""), "\(verb)")
                let done = try await api.send(.post, place + "/" + verb, as: root, .form(""))
                #expect(done.status == 303 && done.headers[.location] == place, "\(verb) \(done.summary)")
                #expect(isAsExpected(try await stored()), "\(verb)")
            }
            let own = "/admin/accounts/" + root.id
            let page = try await api.send(.get, own, as: root).text
            for verb in ["silence", "suspend", "demote"] {
                #expect(!page.contains("\(own)/\(verb)"), "\(verb)")
                #expect(try await api.send(.post, own + "/" + verb, as: root, .form("")).status == 403, "\(verb)")
            }
        }
    }

    @Test func aSuspendedAccountIsRemovedAfterAQuestion() async throws {
        try await WebAPI.run { api in
            let (ada, root) = (try await api.person("ada"), try await api.admin("root"))
            let (place, own) = ("/admin/accounts/" + ada.id, "/admin/accounts/" + root.id)
            func removedAt() async throws -> Int64? {
                try #require(try await api.test.store.accounts.account(named: "ada")).removedAt
            }
            #expect(try await !api.send(.get, place, as: root).text.contains("\(place)/remove"))
            #expect(try await api.send(.post, place + "/remove", as: root, .form("")).status == 403)
            _ = try await api.send(.post, place + "/suspend", as: root, .form(""))
            #expect(try await api.send(.get, place, as: root).text.contains("href=\"\(place)/remove\""))
            let question = try await api.send(.get, place + "/remove", as: root)
            #expect(question.status == 200 && question.text.contains("This cannot be undone."))
            #expect(question.text.contains("action=\"\(place)/remove\"") && question.text.contains("href=\"\(place)\""))
            #expect(try await removedAt() == nil)
            let done = try await api.send(.post, place + "/remove", as: root, .form(""))
            #expect(done.status == 303 && done.headers[.location] == "/admin/accounts", "\(done.summary)")
            #expect(try await removedAt() != nil)
            #expect(try await api.send(.get, place, as: root).status == 404)
            #expect(try await api.send(.post, own + "/remove", as: root, .form("")).status == 403)
        }
    }

    @Test func aReportedPostIsDeletedAfterAQuestion() async throws {
        try await WebAPI.run { api in
            let (ada, bob, root) = (
                try await api.person("ada"), try await api.person("bob"), try await api.admin("root")
            )
            let (id, other) = (try await api.post("buy this", by: ada), try await api.post("hello", by: ada))
            let form = WebBody.form("account_id=\(ada.id)&status_ids[]=\(id)")
            let report = try #require(try await api.must(.post, "/api/v1/reports", as: bob, form)["id"]?.text)
            let place = "/admin/reports/\(report)"
            let path = "\(place)/statuses/\(id)/delete"
            #expect(try await api.send(.get, place, as: root).text.contains("href=\"\(path)\""))
            let question = try await api.send(.get, path, as: root)
            #expect(question.status == 200 && question.text.contains("buy this"))
            #expect(question.text.contains("action=\"\(path)\"") && question.text.contains("href=\"\(place)\""))
            let unreported = "\(place)/statuses/\(other)/delete"
            #expect(try await api.send(.post, unreported, as: root, .form("")).status == 404)
            #expect(try await api.send(.post, path, as: ada, .form("")).status == 404)
            #expect(try await api.send(.get, "/api/v1/statuses/\(id)").status == 200)
            let done = try await api.send(.post, path, as: root, .form(""))
            #expect(done.status == 303 && done.headers[.location] == place, "\(done.summary)")
            #expect(try await api.send(.get, "/api/v1/statuses/\(id)").status == 404)
            #expect(try await api.send(.get, "/api/v1/statuses/\(other)").status == 200)
            #expect(try await api.send(.get, place, as: root).text.contains("Deleted posts"))
        }
    }

    @Test func reportsAreAnsweredWithTheirPosts() async throws {
        try await WebAPI.run { api in
            let (ada, bob, root) = (
                try await api.person("ada"), try await api.person("bob"), try await api.admin("root")
            )
            let id = try await api.post("@bob buy <this>", by: ada, "direct")
            let form = WebBody.form("account_id=\(ada.id)&status_ids[]=\(id)&comment=%3Cb%3E&category=spam")
            let report = try #require(try await api.must(.post, "/api/v1/reports", as: bob, form)["id"]?.text)
            let place = "/admin/reports/" + report
            #expect(try await api.send(.get, "/admin", as: root).text.contains("1 report to resolve"))
            let list = try await api.send(.get, "/admin/reports", as: root).text
            #expect(list.contains("@bob reports @ada: spam") && list.contains("href=\"\(place)\""))
            let page = try await api.send(.get, place, as: root).text
            #expect(page.contains("buy &lt;this&gt;") && page.contains("data-id=\"\(id)\""))
            #expect(page.contains("&lt;b&gt;") && !page.contains("action=\"/statuses/"), "no actions of members")
            for (verb, words) in [
                ("assign_to_self", "open, assigned to @root"), ("unassign", ">open<"), ("resolve", "resolved by @root"),
                ("reopen", ">open<"), ("silence", "resolved by @root"),
            ] {
                let done = try await api.send(.post, place + "/" + verb, as: root, .form(""))
                #expect(done.status == 303 && done.headers[.location] == place, "\(verb) \(done.summary)")
                #expect(try await api.send(.get, place, as: root).text.contains(words), "\(verb)")
            }
            let silenced = try await api.test.store.accounts.account(named: "ada")?.silencedAt
            #expect(silenced != nil)
            #expect(try await api.send(.get, "/admin/reports", as: root).text.contains("No such reports."))
            #expect(try await api.send(.get, "/admin/reports?resolved=true", as: root).text.contains(place))
            for verb in ["resolve", "suspend"] {
                #expect(try await api.send(.post, place + "/" + verb, as: bob, .form("")).status == 404)
            }
        }
    }
}
