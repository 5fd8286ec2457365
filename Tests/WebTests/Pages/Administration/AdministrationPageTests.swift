import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The operator's pages, by forms.
@Suite(.hangLimit)
struct AdministrationPageTests {
    static let pages = [
        "/admin", "/admin/sign-ups", "/admin/invitations", "/admin/accounts", "/admin/reports", "/admin/logins",
        "/admin/settings",
    ]

    @Test func pagesExistForAdministratorsOnly() async throws {
        try await WebAPI.run { api in
            let (ada, root) = (try await api.person("ada"), try await api.admin("root"))
            for path in Self.pages {
                let page = try await api.send(.get, path, as: root)
                #expect(page.status == 200 && page.headers[.cacheControl] == "no-store", "\(path) \(page.summary)")
                #expect(page.headers[.frameOptions] == "DENY", "\(path)")
                #expect(page.text.contains(#"<a href="\#(path)" aria-current="page">"#), "\(path)")
                let missing = try await api.send(.get, path, as: ada)
                #expect(missing.status == 404 && missing.headers[.cacheControl] == "no-store", "\(path)")
                let visitor = try await api.send(.get, path)
                #expect(
                    visitor.status == 302 && visitor.headers[.location]?.hasPrefix("/login?next=") == true, "\(path)")
            }
            #expect(try await api.send(.get, "/admin/nothing", as: root).status == 404)
            for path in ["/admin/accounts/1", "/admin/reports/1", "/admin/accounts/x"] {
                #expect(try await api.send(.get, path, as: root).status == 404, "\(path)")
            }
            #expect(try await api.send(.get, "/home", as: root).text.contains(#"<a href="/admin">Administration</a>"#))
            #expect(try await !api.send(.get, "/home", as: ada).text.contains("/admin"))
        }
    }

    /// A session may do what its account may; the token of an app needs the scope, even in a cookie.
    @Test func sessionsOfAdministratorsNeedNoScope() async throws {
        let test = try TestServices()
        try await Person.served(test) { test, person in
            try await person.logIn()
            #expect(try await person.send(.get, "/admin").status == 404)
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            _ = try await test.store.accounts.setRole(.admin, of: ada.id)
            #expect(try await person.send(.get, "/admin").status == 200)
            let made = try await person.send(.post, "/admin/invitations", ["uses": "2", "days": "3"])
            #expect(made.status == 303 && made.location == "/admin/invitations")
            let foreign = try await person.send(
                .post, "/admin/invitations", ["uses": "2", "days": "3"], headers: [.fetchSite: "cross-site"])
            #expect(foreign.status == 403)
            #expect(try await test.store.invitations.invitations().count == 1)
            let token = try await test.services.login.tokens.create(
                for: ada.id, scopes: .all, application: ClientApplication(name: "app"))
            person.cookie = "session=" + token
            #expect(try await person.send(.get, "/admin").status == 403)
        }
    }

    @Test func signUpsAreApprovedAndRejected() async throws {
        try await WebAPI.run(registration: .approval) { api in
            let root = try await api.admin("root")
            let registrations = api.test.store.registrations
            for name in ["eve", "mallory"] {
                _ = try await registrations.register(
                    NewAccount(username: name), SignUp(mode: .approval, reason: "I like <b>feeds"))
            }
            let list = try await api.send(.get, "/admin/sign-ups", as: root).text
            #expect(list.contains("@eve") && list.contains("@mallory") && list.contains("I like &lt;b&gt;feeds"))
            #expect(try await api.send(.get, "/admin", as: root).text.contains("2 sign-ups to approve"))
            let forms = list.matches(of: /action="(\/admin\/sign-ups\/\d+\/\w+)"/).map { String($0.1) }
            #expect(forms.count == 4)
            for path in [forms[0], forms[3]] {
                let done = try await api.send(.post, path, as: root, .form(""))
                #expect(done.status == 303 && done.headers[.location] == "/admin/sign-ups", "\(done.summary)")
            }
            #expect(try await api.send(.get, "/@eve").status == 200)
            #expect(try await api.test.store.accounts.account(named: "mallory") == nil)
            #expect(try await api.send(.get, "/admin/sign-ups", as: root).text.contains("Nobody awaits approval."))
            #expect(try await api.send(.post, forms[0], as: root, .form("")).status == 403)
        }
    }

    @Test func invitationsAreMadeAndRevoked() async throws {
        try await WebAPI.run(registration: .invite) { api in
            let root = try await api.admin("root")
            let made = try await api.send(.post, "/admin/invitations", as: root, .form("uses=3&days=2"))
            #expect(made.status == 303)
            let invitation = try #require(try await api.test.store.invitations.invitations().first)
            #expect(invitation.maximumUses == 3 && invitation.inviter?.username == "root")
            #expect(invitation.expiresAt - invitation.createdAt == 2 * 86_400_000)
            let list = try await api.send(.get, "/admin/invitations", as: root).text
            #expect(list.contains("http://feed.test/join/\(invitation.code)") && list.contains("used 0 of 3"))
            for form in ["uses=0&days=1", "uses=10001&days=1", "uses=1&days=3651", "uses=x&days=1", "uses=1", ""] {
                let refused = try await api.send(.post, "/admin/invitations", as: root, .form(form))
                #expect(refused.status == 422 && refused.text.contains("must be a number from 1 to"), "\(form)")
            }
            let path = "/admin/invitations/\(invitation.code)/revoke"
            #expect(try await api.send(.post, path, as: root, .form("")).status == 303)
            #expect(try await api.send(.post, path, as: root, .form("")).status == 404)
            #expect(try await api.test.store.invitations.invitations().isEmpty)
        }
    }

    private static let sources: [EffectiveSetting.Source] = [.option, .variable("FEED_HOST"), .file, .standard]
    private static let sourceWords = [
        ("en", ["flag", "FEED_HOST", "file", "default"]), ("de", ["Befehlszeile", "FEED_HOST", "Datei", "Standard"]),
        ("zh-CN", ["命令行", "FEED_HOST", "文件", "默认"]),
    ]

    @Test func loadSettingsAndFailedLoginsAreShown() async throws {
        let test = try TestServices()
        var services = test.services
        services.monitoring.load = { [("memory", "12 MiB")] }
        services.monitoring.settings = {
            Self.sources.map { EffectiveSetting(name: "host", value: .text("127.0.0.9"), source: $0, reloads: false) }
        }
        for number in 0..<FailedLogins.maximumCount + 5 {
            let name = number == 104 ? String(repeating: "<i>", count: 1000) : "name\(number)"
            services.monitoring.failedLogins.add(
                LoginFailure(name: name, address: "203.0.113.7", reason: .wrongPassword), at: Int64(number))
        }
        try await WebAPI.run(test, services) { api in
            let root = try await api.admin("root")
            let overview = try await api.send(.get, "/admin", as: root).text
            #expect(overview.contains("<dt>memory</dt>") && overview.contains("12 MiB"))
            let (toDo, load) = (overview.firstRange(of: "To do"), overview.firstRange(of: "Load and sizes"))
            #expect(try #require(toDo).lowerBound < #require(load).lowerBound)
            let settings = try await api.send(.get, "/admin/settings", as: root).text
            #expect(settings.contains("127.0.0.9"))
            for (language, words) in Self.sourceWords {
                let page = try await api.send(
                    .get, "/admin/settings", as: root, headers: ["Accept-Language": language])
                let badges = page.text.matches(of: /<span class="badge">([^<]*)</).map { String($0.1) }
                #expect(badges == words)
            }
            let logins = try await api.send(.get, "/admin/logins", as: root).text
            #expect(logins.contains("wrong password") && logins.contains("from 203.0.113.7"))
            #expect(!logins.contains("<i>") && logins.contains("&lt;i&gt;") && logins.utf8.count < 100_000)
            #expect(!logins.contains("<bdi>name4</bdi>") && logins.contains("<bdi>name5</bdi>"))
        }
    }
}
