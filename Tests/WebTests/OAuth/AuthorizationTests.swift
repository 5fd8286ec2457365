import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The authorization page and its codes.
@Suite(.hangLimit)
struct AuthorizationTests {
    static let address = "https://app.test/cb"

    static func request(_ id: String, _ more: [String: String] = [:]) -> [String: String] {
        ["response_type": "code", "client_id": id, "redirect_uri": address, "scope": "read"].merging(more) { $1 }
    }

    static func trade(_ app: (id: String, secret: String), _ code: String, _ more: [String: String] = [:]) -> [String:
        String]
    {
        [
            "grant_type": "authorization_code", "client_id": app.id, "client_secret": app.secret, "code": code,
            "redirect_uri": address,
        ].merging(more) { $1 }
    }

    @Test func codeIsExchangedForATokenOnce() async throws {
        try await Person.served(try TestServices()) { _, person in
            let app = try await person.application()
            let response = try await person.allow(Self.request(app.id, ["state": "a b&c=\"<é"]))
            let location = try #require(response.location)
            #expect(response.status == 303 && location.hasPrefix(Self.address + "?code="))
            #expect(HTMLForm.query(of: location)["state"] == "a b&c=\"<é")
            let code = try #require(HTMLForm.query(of: location)["code"])
            let issued = try await person.token(Self.trade(app, code))
            let token = try #require(issued.object["access_token"] as? String)
            #expect(issued.status == 200 && issued.object["scope"] as? String == "read")
            #expect(issued.object["token_type"] as? String == "Bearer" && issued.object["created_at"] is Int)
            #expect(issued.object["expires_in"] == nil && issued.object["refresh_token"] == nil)
            #expect(issued.headers[.cacheControl] == "no-store")
            #expect(try await person.works(token))
            let again = try await person.token(Self.trade(app, code))
            #expect(again.status == 400 && again.object["error"] as? String == "invalid_grant")
            #expect(try await person.works(token) == false)
        }
    }

    @Test func outOfBandCodeIsDisplayed() async throws {
        try await Person.served(try TestServices()) { _, person in
            let app = try await person.application(redirect: RedirectURI.outOfBand)
            // The parameters that Mastodon.py sends.
            let response = try await person.allow([
                "response_type": "code", "client_id": app.id, "redirect_uri": RedirectURI.outOfBand, "scope": "read",
                "state": "None", "lang": "None", "force_login": "False",
            ])
            let code = HTMLForm.title(of: response.text)
            #expect(response.status == 200 && response.location == nil && code.count == 43)
            #expect(response.text.contains("value=\"\(code)\" readonly"))
            let issued = try await person.token(
                Self.trade(app, code, ["redirect_uri": RedirectURI.outOfBand]))
            #expect(issued.status == 200)
        }
    }

    @Test func pageStatesTheRequestAndIsLockedDown() async throws {
        try await Person.served(try TestServices()) { _, person in
            let name = "<script>alert(1)</script>\"'"
            let app = try await person.application(name: name, scopes: "read write follow push")
            let response = try await person.open(
                Self.request(app.id, ["scope": "read follow", "state": "\"><script>alert(2)</script>"]))
            #expect(response.status == 200 && !response.text.contains("<script"))
            #expect(response.text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;"))
            #expect(response.text.contains("app.test") && response.text.contains("follow, block and mute"))
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(try response.headers[#require(HTTPField.Name("Referrer-Policy"))] == "same-origin")
            let policy = response.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"))
            let cookie = response.headers[.setCookie] ?? ""
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            #expect(response.headers[.accessControlAllowOrigin] == nil)
        }
    }

    /// There are no push notifications, but applications ask for the scope.
    @Test func pageOffersOnlyWhatIsSupported() {
        #expect(ScopeDescription.lines(ScopeSet(names: ["push"])).isEmpty)
        #expect(ScopeDescription.lines(ScopeSet(names: ["profile", "read", "write", "follow", "push"])).count == 4)
    }

    @Test func denialRedirectsWithoutACode() async throws {
        try await Person.served(try TestServices()) { _, person in
            let app = try await person.application()
            let response = try await person.allow(Self.request(app.id, ["state": "s"]), decision: "deny")
            let values = HTMLForm.query(of: response.location ?? "")
            #expect(values["error"] == "access_denied" && values["state"] == "s" && values["code"] == nil)
        }
    }

    /// Changes that turn a request into an error page, never into a redirect.
    static let broken: [[String: String]] = [
        ["client_id": "nobody"], ["redirect_uri": "https://evil.test/cb"], ["redirect_uri": address + "/"],
        ["redirect_uri": address + "?x"], ["redirect_uri": "https://app.test"], ["redirect_uri": "javascript:alert(1)"],
        ["redirect_uri": "https://app.test/cb#x"], ["response_type": "token"], ["scope": "read write follow"],
        ["scope": "everything"], ["code_challenge": "short", "code_challenge_method": "S256"],
        ["code_challenge": String(repeating: "a", count: 43), "code_challenge_method": "plain"],
        ["code_challenge": String(repeating: "a", count: 43)], ["code_challenge_method": "plain"],
        ["state": String(repeating: "s", count: 5000)],
    ]

    @Test func invalidRequestShowsAPageInsteadOfRedirecting() async throws {
        try await Person.served(try TestServices()) { _, person in
            let app = try await person.application()
            for change in Self.broken {
                let response = try await person.open(Self.request(app.id, change))
                #expect(response.status == 400 && response.location == nil, "\(change)")
                #expect(response.text.contains("<!DOCTYPE html>") && !response.text.contains("alert(1)"), "\(change)")
                #expect(response.headers[.cacheControl] == "no-store", "\(change)")
            }
        }
    }

    /// A form that another site submits in the user's name.
    @Test func crossSiteFormIsRejected() async throws {
        try await Person.served(try TestServices()) { _, person in
            let app = try await person.application()
            var fields = HTMLForm.hidden(in: try await person.open(Self.request(app.id)).text)
            fields.merge(["username": "ada", "password": "secret", "decision": "allow"]) { $1 }
            let own = person.cookie
            var other = Person(person.client)
            _ = try await other.open(Self.request(app.id))
            for (cookie, change) in [
                (nil, [:]), (other.cookie, [:]), ("form=", [:]), (own, ["csrf_token": ""]),
                (own, ["csrf_token": "9999999999999.x"]), (own, ["scope": "write"]), (own, ["state": "other"]),
            ] as [(String?, [String: String])] {
                person.cookie = cookie
                let response = try await person.send(.post, "/oauth/authorize", fields.merging(change) { $1 })
                #expect(response.status == 403 && response.location == nil, "\(cookie ?? "-") \(change)")
            }
            person.cookie = own
            #expect(try await person.send(.post, "/oauth/authorize", fields).status == 303)
        }
    }

    @Test func expiredPageAsksAgain() async throws {
        try await Person.served(try TestServices()) { test, person in
            let app = try await person.application()
            var fields = HTMLForm.hidden(in: try await person.open(Self.request(app.id)).text)
            fields.merge(["username": "ada", "password": "secret", "decision": "allow"]) { $1 }
            test.store.clock.now += 600_000
            let old = try await person.send(.post, "/oauth/authorize", fields)
            #expect(old.status == 403 && old.text.contains("has expired"))
            fields["csrf_token"] = HTMLForm.hidden(in: old.text)["csrf_token"]
            #expect(try await person.send(.post, "/oauth/authorize", fields).status == 303)
        }
    }

    @Test func wrongPasswordsAreThrottled() async throws {
        try await Person.served(try TestServices()) { _, person in
            let app = try await person.application()
            for _ in 0..<10 {
                let response = try await person.allow(Self.request(app.id), password: "wrong")
                #expect(response.status == 422 && response.text.contains("Wrong username or password"))
                #expect(response.text.contains("value=\"ada\"") && !response.text.contains("wrong\""))
            }
            let response = try await person.allow(Self.request(app.id))
            #expect(response.status == 429 && response.headers[.retryAfter] != nil && response.location == nil)
        }
    }
}
