import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The link with which somebody sets a new password: `/reset/CODE`.
@Suite(.hangLimit)
struct PasswordResetPageTests {
    /// Makes a link as `root`, who does not exist yet.
    private static func link(for name: String, _ test: TestServices) async throws -> String {
        let api = WebAPI(test: test, client: TestClient(test.services))
        let root = try await api.admin("root")
        let account = try #require(try await test.store.accounts.account(named: name))
        let made = try await api.send(.post, "/admin/accounts/\(account.id)/reset", as: root, .form(""))
        #expect(made.status == 200 && made.headers[.cacheControl] == "no-store", "\(made.summary)")
        let match = try #require(made.text.firstMatch(of: /value="http:\/\/feed.test(\/reset\/[A-Za-z0-9_-]{43})"/))
        let again = try await api.send(.get, "/admin/accounts/\(account.id)", as: root).text
        #expect(!again.contains("/reset/\(match.1.dropFirst("/reset/".count))"), "it is shown once")
        return String(match.1)
    }

    @Test func linkSetsAPasswordOnceAndEndsTheSessions() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            let path = try await Self.link(for: "ada", test)
            #expect(try await person.send(.get, "/home").status == 200)
            let form = try await person.send(.get, path)
            #expect(form.status == 200 && form.text.contains("@ada") && form.headers[.cacheControl] == "no-store")
            let short = try await person.send(.post, path, ["password": "short"])
            #expect(short.status == 422 && short.text.contains("Password is too short (minimum is 8 characters)."))
            let done = try await person.send(.post, path, ["password": "a new secret"])
            #expect(done.status == 303 && done.location == "/login")
            #expect(try await person.send(.get, "/home").status == 302)
            for again in [
                try await person.send(.get, path), try await person.send(.post, path, ["password": "another secret"]),
            ] {
                #expect(again.status == 404 && again.text.contains("This link is not valid"))
            }
            let (old, new) = (try await person.logIn(), try await person.logIn(password: "a new secret"))
            #expect(old.status == 422 && new.status == 303)
        }
    }

    @Test func unknownCodesAndFormsOfOtherSitesAreRefused() async throws {
        try await Person.served(try TestServices()) { test, person in
            let path = try await Self.link(for: "ada", test)
            for code in ["x", String(repeating: "A", count: 43), "%00", "%FF", String(path.dropFirst(7).dropLast())] {
                let found = try await person.send(.get, "/reset/" + code)
                #expect([400, 404, 422].contains(found.status), "\(code) \(found.status)")
            }
            let foreign = try await person.send(
                .post, path, ["password": "a new secret"], headers: [.fetchSite: "cross-site"])
            #expect(foreign.status == 403)
            test.store.clock.now += PasswordReset.lifetime
            #expect(try await person.send(.post, path, ["password": "a new secret"]).status == 404)
            let login = try await person.logIn()
            #expect(login.status == 303)
        }
    }
}
