import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The settings of a member that have no suite of their own: password, logins, tokens, mutes, blocks, invitations, and
/// the end of the account.
@Suite(.hangLimit)
struct SettingsPageTests {
    private static let paths = [
        "", "/profile", "/preferences", "/password", "/logins", "/mutes", "/blocks", "/filters", "/scheduled", "/files",
        "/delete",
    ]

    @Test func everyPageIsTheMembersOnlyAndNotStored() async throws {
        try await Person.served(try TestServices()) { _, visitor in
            var person = visitor
            for path in Self.paths {
                let address = "/settings" + path
                let redirect = try await visitor.send(.get, address)
                #expect(redirect.status == 302 && redirect.location?.hasPrefix("/login?next=") == true, "\(path)")
            }
            try await person.logIn()
            let overview = try await person.send(.get, "/settings").text
            for path in Self.paths {
                let page = try await person.send(.get, "/settings" + path)
                #expect(page.status == 200 && page.headers[.cacheControl] == "no-store", "\(path)")
                #expect(page.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true, "\(path)")
                #expect(path.isEmpty || overview.contains("href=\"/settings\(path)\""), "\(path)")
            }
            #expect(overview.contains("href=\"/lists\"") && overview.contains("href=\"/followed_tags\""))
            #expect(!overview.contains("/settings/invitations"))
            let invitations = try await person.send(.get, "/settings/invitations")
            #expect(invitations.status == 403 && invitations.text.contains("Sign-up is closed"))
        }
    }

    @Test func formsOfOtherSitesAreRefused() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            for path in ["/password", "/delete", "/logins", "/profile", "/files/x/delete"] {
                let response = try await person.send(
                    .post, "/settings" + path, ["password": "secret", "name": "x"],
                    headers: [.fetchSite: "cross-site"])
                #expect(response.status == 403, "\(path)")
            }
            #expect(try await test.store.accounts.account(named: "ada")?.removedAt == nil)
        }
    }

    @Test func passwordIsChangedAndRefusalsStandAtTheirFields() async throws {
        try await Person.served(try TestServices()) { test, visitor in
            var (person, other) = (visitor, visitor)
            try await person.logIn()
            try await other.logIn()
            let new = "a new password"
            let rows: [(String, String, String, field: Int)] = [
                ("wrong", new, new, 0), ("", new, new, 0), ("secret", "short", "short", 1), ("secret", "", "", 1),
                ("secret", new, "another", 2),
            ]
            for (old, first, second, field) in rows {
                let fields = ["old_password": old, "new_password": first, "repeated_password": second]
                let refused = try await person.send(.post, "/settings/password", fields)
                #expect(refused.status == 422, "\(old) \(first)")
                #expect(refused.text.contains("id=\"field-0-\(field)-message\" role=\"alert\""), "\(old) \(first)")
                #expect(refused.text.contains("aria-describedby=\"field-0-\(field)-message\""), "\(old) \(first)")
                #expect(!refused.text.contains("value=\"\(first)\"") || first.isEmpty)
            }
            let fields = ["old_password": "secret", "new_password": new, "repeated_password": new]
            let changed = try await person.send(.post, "/settings/password", fields)
            #expect(changed.status == 303 && changed.location == "/settings/password?saved")
            #expect(try await person.send(.get, "/settings/password?saved").text.contains("Saved."))
            #expect(try await other.send(.get, "/settings").status == 302)
            _ = try await test.services.login.passwords.check(username: "ada", password: new, address: "192.0.2.1")
        }
    }

    @Test func otherLoginsEndAndTheOwnOneHasNoButton() async throws {
        try await Person.served(try TestServices()) { test, visitor in
            var (person, other) = (visitor, visitor)
            try await person.logIn()
            try await other.logIn()
            let page = try await person.send(.get, "/settings/logins").text
            #expect(page.contains("<bdi>Web (this browser)</bdi>") && page.contains("<bdi>Web</bdi>"))
            let ends = page.matches(of: /action="(\/settings\/logins\/\d+\/end)"/).map { String($0.1) }
            // The token of the account in tests, too.
            #expect(ends.count == 2)
            let eve = try await test.account("eve")
            let foreign = try #require(try await test.store.tokens.list(accountID: eve.account.id).first)
            #expect(try await person.send(.post, "/settings/logins/\(foreign.id)/end", [:]).status == 404)
            let ended = try await person.send(.post, try #require(ends.first), [:])
            #expect(ended.status == 303 && ended.location == "/settings/logins")
            #expect(try await other.send(.get, "/settings").status == 302)
            #expect(try await person.send(.get, "/settings").status == 200)
        }
    }

    @Test func tokenIsShownOnceAndMayDoWhatItsMakerChose() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            for fields in [
                ["name": "Bot"], ["name": "", "scopes[]": "read"], ["name": "Web", "scopes[]": "read"],
                ["name": "Bot", "scopes[]": "admin:write"],
            ] {
                let refused = try await person.send(.post, "/settings/logins", fields)
                #expect(refused.status == 422 && refused.text.contains("role=\"alert\""), "\(fields)")
                #expect(!refused.text.contains("class=\"code\""), "\(fields)")
            }
            let made = try await person.send(
                .post, "/settings/logins", ["name": "<Bot>", "scopes[]": "write:statuses"])
            #expect(made.status == 200 && made.headers[.cacheControl] == "no-store")
            let secret = String(try #require(made.text.firstMatch(of: /class="code">([\w-]{43})</)).1)
            #expect(made.text.contains("&lt;Bot&gt;") && !made.text.contains("<Bot>"))
            #expect(try await !person.send(.get, "/settings/logins").text.contains(secret))
            guard case .account(let viewer) = try await test.services.login.tokens.holder(secret) else {
                Issue.record("the token is unknown")
                return
            }
            #expect(viewer.scopes.names == ["write:statuses"] && viewer.application == "<Bot>" && !viewer.isSession)
        }
    }

    /// A token that may change the account must not get one that may do more.
    @Test func onlyBrowsersMakeTokens() async throws {
        try await WebAPI.run { api in
            let ada = try await api.limited(try await api.person("ada"), scopes: "write:accounts read")
            let before = try await api.test.store.tokens.list(accountID: try #require(Int64(ada.id))).count
            let form = WebBody.form("name=x&scopes[]=write")
            #expect(try await api.send(.post, "/settings/logins", as: ada, form).status == 403)
            #expect(try await api.test.store.tokens.list(accountID: try #require(Int64(ada.id))).count == before)
        }
    }

    @Test func mutedAndBlockedAccountsAreListedAndReleased() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            for (path, verb) in [("/settings/mutes", "mute"), ("/settings/blocks", "block")] {
                #expect(try await api.send(.get, path, as: ada).text.contains("Nobody."), "\(path)")
                try await api.must(.post, "/api/v1/accounts/\(bob.id)/\(verb)", as: ada)
                let page = try await api.send(.get, path, as: ada).text
                #expect(page.contains("action=\"/@bob/un\(verb)\"") && page.contains("value=\"\(path)\""), "\(path)")
                let next = WebBody.form("next=" + HTMLForm.escaped(path))
                let released = try await api.send(.post, "/@bob/un\(verb)", as: ada, next)
                #expect(released.status == 303 && released.headers[.location] == path)
                #expect(try await !api.send(.get, path, as: ada).text.contains("/@bob/un\(verb)"), "\(path)")
            }
        }
    }

    @Test func mutedAccountsAreShownWithTheEndInTheMembersZone() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let zone = WebBody.form("source[privacy]=public&time_zone=Asia%2FTokyo")
            #expect(try await api.send(.post, "/settings/preferences", as: ada, zone).status == 303)
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/mute", as: ada, .form("duration=3600"))
            let end = api.test.store.clock.now + 3_600_000
            let text = PageDate.full(end + 9 * 3_600_000).replacing("UTC", with: "UTC+9")
            for path in ["/settings/mutes", "/@bob"] {
                let page = try await api.send(.get, path, as: ada).text
                #expect(page.contains("ntil " + text), "\(path)")
            }
        }
    }

    @Test func membersInviteAsManyAsTheOperatorAllows() async throws {
        var limits = Limits()
        limits.memberInvitations = 1
        try await WebAPI.run(limits: limits, registration: .invite) { api in
            let (ada, bob, root) = (
                try await api.person("ada"), try await api.person("bob"), try await api.admin("root")
            )
            let path = "/settings/invitations"
            #expect(try await api.send(.get, "/settings", as: ada).text.contains(path))
            let made = try await api.send(.post, path, as: ada, .form("days=7&uses=5"))
            #expect(made.status == 303 && made.headers[.location] == path + "?saved")
            let page = try await api.send(.get, path, as: ada).text
            let code = String(try #require(page.firstMatch(of: /http:\/\/feed\.test\/join\/(\w+)/)).1)
            #expect(page.contains("Used 0 of 1."))
            let more = try await api.send(.post, path, as: ada, .form("days=7"))
            #expect(more.status == 422 && more.text.contains("You cannot have more than 1 invitations"))
            #expect(try await api.send(.post, path, as: ada, .form("days=9999")).status == 422)
            #expect(try await api.send(.post, "\(path)/\(code)/revoke", as: bob, .form("")).status == 404)
            #expect(try await api.send(.get, "/join/\(code)").status == 200)
            #expect(try await api.send(.post, "\(path)/\(code)/revoke", as: ada, .form("")).status == 303)
            #expect(try await api.send(.get, "/join/\(code)").status == 404)
            for _ in 0..<2 {
                #expect(try await api.send(.post, path, as: root, .form("days=1&uses=20")).status == 303)
            }
            #expect(try await api.send(.get, path, as: root).text.contains("Used 0 of 20."))
            #expect(try await api.send(.post, path, as: root, .form("days=1&uses=0")).status == 422)
        }
    }

    @Test func theOnlyAdministratorKeepsTheAccount() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            _ = try await test.store.accounts.setRole(.admin, of: ada.id)
            let refused = try await person.send(.post, "/settings/delete", ["password": "secret"])
            #expect(refused.status == 409 && refused.text.contains("ada is the only administrator"))
            #expect(try await test.store.accounts.account(named: "ada")?.removedAt == nil)
            let root = try await test.store.account("root")
            _ = try await test.store.accounts.setRole(.admin, of: root.id)
            #expect(try await person.send(.post, "/settings/delete", ["password": "secret"]).status == 303)
        }
    }

    @Test func accountIsDeletedAfterItsPassword() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            let wrong = try await person.send(.post, "/settings/delete", ["password": "wrong"])
            #expect(wrong.status == 422 && wrong.text.contains("This is not your password"))
            #expect(try await test.store.accounts.account(named: "ada")?.removedAt == nil)
            let removed = try await person.send(.post, "/settings/delete", ["password": "secret"])
            #expect(removed.status == 303 && removed.location == "/")
            #expect(removed.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(try await person.send(.get, "/settings").status != 200)
            #expect(try await person.send(.get, "/@ada").status == 404)
            let id = try #require(try await AccountDeletion(test.store.database).pending().first)
            #expect(try await AccountDeletion(test.store.database).complete(id))
        }
    }
}
