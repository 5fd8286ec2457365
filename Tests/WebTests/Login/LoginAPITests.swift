import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The logins of an account, and the change of its password.
@Suite(.hangLimit)
struct LoginAPITests {
    @Test func loginsAreListedNewestFirstByPages() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            _ = try await api.person("bob")
            for scopes in ["read", "read write", "profile"] { _ = try await api.limited(ada, scopes: scopes) }
            var found: [JSONValue] = []
            var path: String? = "/api/v1/tokens?limit=2"
            while let next = path {
                let page = try await api.send(.get, next, as: ada)
                found += page.json?.list ?? []
                let link = page.headers[.link]?.firstMatch(of: /<http:\/\/feed\.test([^>]*)>; rel="next"/)
                path = link.map { String($0.1) }
            }
            #expect(found.map { $0["scope"]?.text } == ["profile", "read write", "read", ScopeSet.all.formatted])
            let names = found.map { $0["application"]?["name"]?.text }
            #expect(names == ["limited", "limited", "limited", "test app"])
            #expect(found.allSatisfy { $0["last_used"] == nil && $0["application"]?["website"] == .null })
        }
    }

    @Test func loginOfTheRequestIsMarked() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let phone = try await api.limited(ada, scopes: "read write")
            for (person, expected) in [(ada, [false, true]), (phone, [true, false])] {
                let list = try await api.send(.get, "/api/v1/tokens", as: person).json?.list ?? []
                #expect(list.compactMap { $0["current"]?.flag } == expected)
                for login in list {
                    let path = "/api/v1/tokens/" + (login["id"]?.text ?? "")
                    #expect(try await api.send(.get, path, as: person).json == login)
                }
            }
            let own = try await api.send(.get, "/api/v1/tokens?limit=1", as: phone).json?[0]?["id"]?.text ?? ""
            let ended = try await api.send(.post, "/api/v1/tokens/\(own)/invalidate", as: phone)
            #expect(ended.status == 200 && ended.json?["current"] == .flag(true))
            #expect(try await api.send(.get, "/api/v1/tokens", as: phone).status == 401)
        }
    }

    @Test func loginHasTheWebsiteOfItsApplication() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let application = try await api.test.services.stores.applications.register(
                ClientApplication(clientID: "x", name: "Reader", website: "https://reader.test", scopes: .all),
                secretHash: [1])
            _ = try await api.test.services.login.tokens.create(
                for: Int64(ada.id), scopes: .all, application: application)
            let login = try await api.send(.get, "/api/v1/tokens?limit=1", as: ada).json?[0]
            #expect(login?["application"]?["name"]?.text == "Reader")
            #expect(login?["application"]?["website"]?.text == "https://reader.test")
        }
    }

    @Test func loginIsEndedByItsOwnerOnly() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let phone = try await api.limited(ada, scopes: "read")
            let newest = try #require(try await api.send(.get, "/api/v1/tokens", as: ada).json?[0])
            let path = "/api/v1/tokens/\(newest["id"]?.text ?? "")"
            #expect(try await api.send(.get, path, as: ada).json == newest)
            #expect(try await api.send(.get, path, as: bob).status == 404)
            #expect(try await api.send(.post, path + "/invalidate", as: bob).status == 404)
            #expect(try await api.send(.get, Paths.homeTimeline, as: phone).status == 200)
            #expect(try await api.send(.post, path + "/invalidate", as: ada).json == newest)
            #expect(try await api.send(.get, Paths.homeTimeline, as: phone).status == 401)
            #expect(try await api.send(.post, path + "/invalidate", as: ada).status == 404)
            #expect(try await api.send(.get, "/api/v1/tokens", as: ada).json?.list?.count == 1)
        }
    }

    @Test func newPasswordEndsAllOtherLogins() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let phone = try await api.limited(ada, scopes: "read")
            let form = WebBody.form("old_password=secret&new_password=a+better+one")
            #expect(try await api.send(.post, Paths.passwordChange, as: ada, form).text == "{}")
            #expect(try await api.send(.get, Paths.homeTimeline, as: ada).status == 200)
            #expect(try await api.send(.get, Paths.homeTimeline, as: phone).status == 401)
            let passwords = api.test.services.login.passwords
            await #expect(throws: FeedError.self) {
                try await passwords.check(username: "ada", password: "secret", address: "192.0.2.1")
            }
            let account = try await passwords.check(username: "ada", password: "a better one", address: "192.0.2.1")
            #expect(String(account.id) == ada.id)
        }
    }

    @Test func passwordChangesWithTheSessionOfThePages() async throws {
        try await Person.served(try TestServices()) { _, person in
            try await person.logIn()
            let fields = ["old_password": "secret", "new_password": "a better one"]
            let foreign = try await person.send(
                .post, Paths.passwordChange, fields, headers: [.origin: "https://evil.test"])
            #expect(foreign.status == 403)
            #expect(try await person.send(.post, Paths.passwordChange, fields).status == 200)
            #expect(try await person.send(.get, "/home").status == 200)
        }
    }

    @Test(arguments: [
        "", "old_password=secret", "new_password=a+better+one", "old_password=&new_password=a+better+one",
        "old_password=secret&new_password=short", "old_password=secret&new_password=secret",
        "old_password=secret&new_password=a+better+one&new_password=another+one",
    ])
    func unusablePasswordIsRefused(form: String) async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            #expect(try await api.send(.post, Paths.passwordChange, as: ada, .form(form)).status == 422)
            let long = String(repeating: "x", count: 1025)
            let refused = try await api.send(
                .post, Paths.passwordChange, as: ada, .form("old_password=secret&new_password=" + long))
            #expect(refused.status == 422)
            let login = try await api.test.services.login.passwords.check(
                username: "ada", password: "secret", address: "192.0.2.1")
            #expect(String(login.id) == ada.id)
        }
    }

    @Test func wrongOldPasswordsCountAsFailedLogins() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            func status(_ old: String) async throws -> Int {
                let form = "old_password=\(old)&new_password=a+better+one"
                return try await api.send(.post, Paths.passwordChange, as: ada, .form(form)).status
            }
            for _ in 1...10 { #expect(try await status("wrong") == 401) }
            #expect(try await status("secret") == 429)
        }
    }
}
