import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

extension Person {
    /// Logs in to the pages.
    @discardableResult
    mutating func logIn(_ name: String = "ada", password: String = "secret", next: String? = nil) async throws
        -> Response
    {
        var fields = ["username": name, "password": password]
        fields["next"] = next
        let response = try await send(.post, "/login", fields)
        if let set = response.headers[.setCookie] { cookie = String(set.prefix { $0 != ";" }) }
        return response
    }

    /// The secret of the session.
    var secret: String { String((cookie ?? "").drop { $0 != "=" }.dropFirst()) }
}

/// Sessions of the pages: `/login`, `/logout`, and the cookie.
@Suite(.hangLimit)
struct SessionTests {
    private static let foreign: [HTTPFields] = [
        [.fetchSite: "cross-site"], [.fetchSite: "same-site"], [.fetchSite: "none"], [.origin: "null"],
        [.origin: "https://evil.test"], [.origin: "http://evil.feed.test"], [.origin: "https://feed.test"],
    ]
    private static let own: HTTPFields = [.fetchSite: "same-origin"]

    @Test func loginBeginsASessionThatIsListedAsALogin() async throws {
        try await Person.served(try TestServices()) { test, person in
            let form = try await person.send(.get, "/login?next=%2F%40ada%3Fmax_id%3D5")
            #expect(form.status == 200 && HTMLForm.hidden(in: form.text) == ["next": "/@ada?max_id=5"])
            #expect(form.headers[.cacheControl] == "no-store" && form.headers[.setCookie] == nil)
            let response = try await person.logIn(next: "/@ada?max_id=5")
            #expect(response.status == 303 && response.location == "/@ada?max_id=5")
            let set = try #require(response.headers[.setCookie])
            #expect(set == "session=\(person.secret); Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax")
            let home = try await person.send(.get, "/home")
            #expect(home.status == 200 && home.text.contains("href=\"/@ada\">Profile</a>"))
            #expect(home.headers[.cacheControl] == "private, no-cache")
            #expect(home.headers[.vary] == "Cookie, Accept-Language, Accept-Encoding")
            let account = try #require(try await test.store.accounts.account(named: "ada"))
            let tokens = try await test.services.stores.tokens.list(accountID: account.id)
            #expect(tokens.map(\.application) == ["test app", "Web"])
            #expect(try await person.send(.get, "/login").location == "/home")
        }
    }

    @Test func cookieIsSecureOverTLS() async throws {
        try await Person.served(try TestServices(base: "https://feed.test")) { _, person in
            let response = try await person.logIn()
            let set = try #require(response.headers[.setCookie])
            #expect(set == "__Host-session=\(person.secret); Max-Age=31536000; Path=/; Secure; HttpOnly; SameSite=Lax")
            #expect(try await person.send(.get, "/home").status == 200)
            person.cookie = "session=" + person.secret
            #expect(try await person.send(.get, "/home").status == 302)
        }
    }

    @Test func nextPageIsOnThisServer() async throws {
        try await Person.served(try TestServices()) { _, person in
            for next in ["//evil.test", "https://evil.test", "/\\evil.test", "home", ""] {
                let response = try await person.logIn(next: next)
                #expect(response.location == "/home", "\(next)")
            }
        }
    }

    @Test func newLoginReplacesTheSession() async throws {
        try await Person.served(try TestServices()) { _, person in
            try await person.logIn()
            let old = person.cookie
            try await person.logIn()
            #expect(person.cookie != old)
            #expect(try await person.send(.get, "/home").status == 200)
            person.cookie = old
            #expect(try await person.send(.get, "/home").status == 302)
        }
    }

    @Test func wrongPasswordsAreThrottledAndTheNameIsKept() async throws {
        try await Person.served(try TestServices()) { _, person in
            for _ in 0..<10 {
                let refused = try await person.logIn(password: "<wrong>", next: "/@ada")
                #expect(refused.status == 422 && refused.text.contains("Wrong username or password"))
                #expect(refused.text.contains("value=\"ada\"") && !refused.text.contains("wrong&gt;"))
                #expect(HTMLForm.hidden(in: refused.text) == ["next": "/@ada"] && person.cookie == nil)
            }
            let refused = try await person.logIn()
            #expect(refused.status == 429 && refused.headers[.retryAfter] != nil && person.cookie == nil)
        }
    }

    @Test func logoutEndsTheSession() async throws {
        try await Person.served(try TestServices()) { _, person in
            try await person.logIn()
            let response = try await person.send(.post, "/logout", [:])
            #expect(response.status == 303 && response.location == "/")
            #expect(response.headers[.clearSiteData]?.contains("\"cache\"") == true)
            #expect(response.headers[.setCookie]?.hasPrefix("session=; Max-Age=0; Path=/;") == true)
            // A browser that kept the cookie, or a thief.
            #expect(try await person.send(.get, "/home").location == "/login?next=%2Fhome")
            let read = try await person.send(.get, Paths.homeTimeline, headers: Self.own)
            let written = try await person.send(.post, Paths.statuses, ["status": "x"])
            #expect(read.status == 401 && written.status == 401)
            let form = try await person.send(.get, "/login")
            #expect(form.status == 200 && form.headers[.setCookie]?.contains("Max-Age=0") == true)
        }
    }

    @Test func personalPageLeadsToTheLoginAndBack() async throws {
        try await Person.served(try TestServices()) { _, person in
            let response = try await person.send(.get, "/home?max_id=5")
            #expect(response.status == 302 && response.location == "/login?next=%2Fhome%3Fmax_id%3D5")
            let home = try await person.logIn(next: "/home?max_id=5")
            #expect(home.location == "/home?max_id=5")
        }
    }

    @Test func formIsKeptUntilTheNextLogin() async throws {
        try await Person.served(try TestServices()) { _, person in
            try await person.logIn()
            let ended = person
            _ = try await person.send(.post, "/logout", [:])
            let accepts: HTTPFields = [.accept: "text/html"]
            var typed = ["status": "Two\nlines <b>", "visibility": "unlisted"]
            let passwords = ["password", "old_password", "new_password", "repeated_password"]
            for name in passwords + ["Password", "password\u{301}"] { typed[name] = "secret" }
            let path = "/compose?next=%2Fhome"
            let refused = try await ended.send(.post, path, typed, headers: accepts)
            #expect(refused.status == 401 && refused.text.contains("You are logged out"))
            #expect(refused.text.contains("href=\"/login\"") && refused.headers[.cacheControl] == "no-store")
            #expect(refused.text.contains("action=\"\(path)\""))
            let (hidden, shown) = (HTMLForm.hidden(in: refused.text), HTMLForm.areas(in: refused.text))
            #expect(hidden == ["visibility": "unlisted", "next": "/home"] && shown == ["status": "Two\nlines <b>"])
            #expect(refused.text.contains(">Text</label>"))
            let kept = hidden.merging(shown) { $1 }
            try await person.logIn()
            let posted = try await person.send(.post, path, kept, headers: accepts)
            #expect(posted.status == 303)
            let page = try await person.send(.get, try #require(posted.location))
            #expect(page.text.contains("Two") && page.text.contains("lines &lt;b&gt;"))
            // Scripts and apps need no page.
            #expect(try await ended.send(.post, "/compose", typed).text.hasPrefix("{"))
        }
    }

    @Test func textBesideAFileIsKeptWithoutASession() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let form = WebBody.files([("file", [UInt8](repeating: 7, count: 3 << 20))], [("status", "typed")])
            let headers = ["Accept": "text/html", "Sec-Fetch-Site": "same-origin"]
            let refused = try await api.send(.post, "/compose", form, headers: headers)
            let kept = HTMLForm.hidden(in: refused.text).merging(HTMLForm.areas(in: refused.text)) { $1 }
            #expect(refused.status == 401 && kept == ["status": "typed", "add": "1"])
            // The file can be chosen again before the text is published.
            let again = try await api.send(.post, "/compose", as: ada, .form(HTMLForm.encoded(kept)))
            #expect(again.status == 200 && again.text.contains(">\ntyped</textarea>"), "\(again.summary)")
            #expect(again.text.contains("type=\"file\" name=\"file\""))
            #expect(try await api.send(.get, "/api/v1/accounts/\(ada.id)/statuses", as: ada).text == "[]")
        }
    }

    /// A form that is not read to its end cannot be kept.
    @Test(arguments: ["Expect: 100-continue\r\nContent-Length: 10", "Content-Length: \(Limits.refusedFormBytes + 1)"])
    func formThatIsTooLongToKeepIsNotRead(fields: String) async throws {
        try await LiveServer.run(ConnectionLimits()) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.write(
                "POST /compose HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nSec-Fetch-Site: same-origin\r\n"
                    + "Content-Type: multipart/form-data; boundary=B\r\n\(fields)\r\n\r\n")
            let responses = try await connection.responses()
            #expect(responses.map(\.status) == [401])
            let text = try #require(responses.first?.text)
            #expect(text.contains("You are logged out") && !text.contains("Nothing is lost"))
        }
    }

    /// Every form of every page, with and without a session.
    @Test func formsOfOtherSitesAreRefused() async throws {
        try await Person.served(try TestServices(registration: .open)) { test, person in
            let forms = test.services.endpoints().filter(\.isForm)
            #expect(Set(forms.map(\.path.pattern)).isSuperset(of: ["/login", "/logout", "/join", "/oauth/authorize"]))
            let visitor = person
            try await person.logIn()
            for form in forms {
                for fields in Self.foreign {
                    for sender in [visitor, person] {
                        let response = try await sender.send(form.method, form.testPath, [:], headers: fields)
                        #expect(response.status == 403, "\(form) \(fields)")
                        #expect(response.headers[.setCookie] == nil, "\(form) \(fields)")
                    }
                }
            }
            #expect(try await person.send(.get, "/home").status == 200)
        }
    }

    @Test func otherSitesCannotUseTheAPIWithTheCookie() async throws {
        try await Person.served(try TestServices()) { _, person in
            try await person.logIn()
            for fields in Self.foreign where fields[.fetchSite] != "none" {
                #expect(try await person.send(.get, Paths.homeTimeline, headers: fields).status == 403, "\(fields)")
                #expect(try await person.send(.get, Paths.streaming + "/user", headers: fields).status == 403)
                let posted = try await person.send(.post, Paths.statuses, ["status": "x"], headers: fields)
                #expect(posted.status == 403, "\(fields)")
                // The page, however, may be opened from there, and pictures may be shown there.
                #expect(try await person.send(.get, "/home", headers: fields).status == 200, "\(fields)")
                #expect(try await person.send(.get, "/avatars/ada", headers: fields).status == 200, "\(fields)")
            }
            let typed = try await person.send(.get, Paths.homeTimeline, headers: [.fetchSite: "none"])
            #expect(typed.status == 401)
            #expect(try await person.send(.get, Paths.homeTimeline, headers: Self.own).status == 200)
            // Over plain http, browsers send only Origin, and not with every request.
            #expect(try await person.send(.get, Paths.homeTimeline).status == 200)
            let posted = try await person.send(
                .post, Paths.statuses, ["status": "from the page"], headers: [.origin: "http://feed.test"])
            #expect(posted.status == 200)
        }
    }

    @Test func authorizationFieldWins() async throws {
        try await Person.served(try TestServices()) { test, person in
            let (_, token) = try await test.account("grace")
            try await person.logIn()
            let path = "/api/v1/accounts/verify_credentials"
            let own = try await person.send(.get, path, headers: Self.own)
            #expect(own.object["username"] as? String == "ada")
            for headers in Self.foreign + [Self.own] {
                var headers = headers
                headers[.authorization] = "Bearer " + token
                let response = try await person.send(.get, path, headers: headers)
                #expect(response.object["username"] as? String == "grace", "\(headers)")
            }
            for value in ["Bearer wrong-wrong-wrong-wrong", "Basic eDp5"] {
                var headers = Self.own
                headers[.authorization] = value
                #expect(try await person.send(.get, path, headers: headers).status == 401, "\(value)")
            }
        }
    }

    @Test func membersAndVisitorsNeverSeeEachOthersPages() async throws {
        try await Person.served(try TestServices()) { test, visitor in
            let (grace, _) = try await test.account("grace")
            try await test.store.post("for followers", by: grace, .followers)
            try await test.store.post("for all", by: grace)
            var (ada, author) = (visitor, visitor)
            try await ada.logIn()
            try await author.logIn("grace")
            for _ in 0..<3 {
                for path in ["/", "/@grace"] {
                    let pages = [
                        try await author.send(.get, path), try await visitor.send(.get, path),
                        try await ada.send(.get, path),
                    ]
                    let isProfile = path != "/"
                    #expect(pages.map { $0.text.contains("for followers") } == [isProfile, false, false], "\(path)")
                    #expect(pages.map { $0.text.contains("href=\"/login\"") } == [false, true, false], "\(path)")
                    #expect(
                        pages.map { $0.text.contains("href=\"/@ada\">Profile") } == [false, false, true], "\(path)")
                    #expect(pages[1].headers[.cacheControl] == "no-cache", "\(path)")
                }
                #expect(try await author.send(.get, "/home").text.contains("for followers"))
                #expect(try await !ada.send(.get, "/home").text.contains("for all"))
            }
        }
    }

    /// The size of a compressed page would tell something about its content (BREACH).
    @Test func pagesOfMembersAreNotCompressed() async throws {
        try await Person.served(try TestServices()) { _, visitor in
            var member = visitor
            try await member.logIn()
            for path in ["/", "/@ada", "/home"] {
                for _ in 0..<3 {
                    let page = try await member.send(.get, path, headers: [.acceptEncoding: "gzip"])
                    #expect(page.status == 200 && page.headers[.contentEncoding] == nil, "\(path)")
                }
            }
            var codings: [String?] = []
            for _ in 0..<3 {
                let page = try await visitor.send(.get, "/", headers: [.acceptEncoding: "gzip"])
                codings.append(page.headers[.contentEncoding])
            }
            #expect(codings == [nil, "gzip", "gzip"])
        }
    }

    @Test func signingUpLogsIn() async throws {
        for mode in [RegistrationPolicy.Mode.open, .approval] {
            try await Person.served(try TestServices(registration: mode)) { _, person in
                let page = try await person.send(.get, "/join")
                person.cookie = page.headers[.setCookie].map { String($0.prefix { $0 != ";" }) }
                let fields = HTMLForm.hidden(in: page.text)
                    .merging(["username": "hedy", "email": "", "password": "long enough"]) { $1 }
                let made = try await person.send(.post, "/join", fields)
                let set = made.headers[.setCookie]
                #expect(made.status == 200 && (set != nil) == (mode == .open))
                person.cookie = set.map { String($0.prefix { $0 != ";" }) }
                #expect(try await person.send(.get, "/home").status == (mode == .open ? 200 : 302))
            }
        }
    }

    @Test func authorizationAsksOnlyForConsentInASession() async throws {
        try await Person.served(try TestServices()) { test, person in
            let app = try await person.application(scopes: "read write admin:read")
            let query = AuthorizationTests.request(app.id, ["state": "s"])
            try await person.logIn()
            let page = try await person.send(.get, "/oauth/authorize?" + HTMLForm.encoded(query))
            #expect(page.status == 200 && page.text.contains("@ada") && !page.text.contains("type=\"password\""))
            var fields = HTMLForm.hidden(in: page.text)
            #expect(fields["csrf_token"] == nil)
            fields["decision"] = "deny"
            let denied = try await person.send(.post, "/oauth/authorize", fields)
            #expect(HTMLForm.query(of: denied.location ?? "")["error"] == "access_denied")
            fields["decision"] = "allow"
            let allowed = try await person.send(.post, "/oauth/authorize", fields)
            let code = try #require(HTMLForm.query(of: allowed.location ?? "")["code"])
            #expect(try await person.token(AuthorizationTests.trade(app, code)).status == 200)
            // A session does not have the scopes of administrators, and some applications insist on a login.
            for more in [["force_login": "true"], ["scope": "admin:read"]] {
                let form = try await person.send(
                    .get, "/oauth/authorize?" + HTMLForm.encoded(query.merging(more) { $1 }))
                #expect(form.text.contains("type=\"password\""), "\(more)")
            }
            fields["scope"] = "admin:read"
            #expect(try await person.send(.post, "/oauth/authorize", fields).status == 403)
            // The token of an application is not a session.
            let (_, token) = try await test.account("grace")
            var headers: HTTPFields = [.authorization: "Bearer " + token]
            fields["scope"] = "read"
            #expect(try await person.send(.post, "/oauth/authorize", fields, headers: headers).status == 403)
            headers = [.cookie: "session=" + token]
            #expect(try await person.send(.post, "/oauth/authorize", fields, headers: headers).status == 403)
        }
    }
}
