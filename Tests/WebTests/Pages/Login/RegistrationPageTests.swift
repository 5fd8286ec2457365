import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import TestKit
import Testing

/// The sign-up pages `/join` and `/join/CODE`.
@Suite(.hangLimit)
struct RegistrationPageTests {
    static let entries = ["username": "grace", "email": "", "password": "long enough"]

    private static func invite(_ test: TestServices, uses: Int = 1, by name: String? = nil) async throws -> String {
        var inviter: Account?
        if let name { inviter = try await test.store.accounts.account(named: name) }
        return try await test.store.invitations.invite(inviter: inviter, uses: uses, lifetime: 86_400_000).code
    }

    /// Opens the page, fills in the form and submits it.
    private static func join(
        _ person: inout Person, _ path: String, _ change: [String: String] = [:]
    ) async throws -> Person.Response {
        let page = try await open(&person, path)
        let fields = HTMLForm.hidden(in: page.text).merging(entries) { $1 }.merging(change) { $1 }
        return try await person.send(.post, path, fields)
    }

    private static func open(_ person: inout Person, _ path: String) async throws -> Person.Response {
        let page = try await person.send(.get, path)
        if let set = page.headers[.setCookie] { person.cookie = String(set.prefix { $0 != ";" }) }
        return page
    }

    @Test func invitationCreatesAnAccount() async throws {
        try await Person.served(try TestServices(registration: .invite)) { test, person in
            let code = try await Self.invite(test, by: "ada")
            let page = try await Self.open(&person, "/join/" + code)
            #expect(page.status == 200 && page.text.contains("@ada</strong></bdi> invites you"))
            #expect(!page.text.contains("Why do you want to join"))
            let made = try await Self.join(&person, "/join/" + code)
            #expect(made.status == 200 && made.text.contains("@grace</strong></bdi> is ready"))
            #expect(made.text.contains("value=\"http://feed.test\""))
            let account = try await test.services.login.passwords.check(
                username: "grace", password: "long enough", address: "x")
            #expect(account.username == "grace" && account.role == .member)
            let again = try await Self.join(&person, "/join/" + code, ["username": "other"])
            #expect(again.status == 404 && again.text.contains("invitation is not valid"))
            #expect(try await test.store.accounts.account(named: "other") == nil)
        }
    }

    /// For each mode: the statuses of `/join`, `/join/CODE` and `/join/WRONG`. `/join` also exists where it only says
    /// that nobody can sign up there.
    static let doors: [(mode: RegistrationPolicy.Mode, statuses: [Int])] = [
        (.closed, [200, 404, 404]), (.open, [200, 200, 404]), (.approval, [200, 200, 404]), (.invite, [200, 200, 404]),
    ]

    @Test func pagesExistWhereTheModeAllowsThem() async throws {
        #expect(Self.doors.map(\.mode) == RegistrationPolicy.Mode.allCases)
        for (mode, statuses) in Self.doors {
            try await Person.served(try TestServices(registration: mode)) { test, person in
                let code = try await Self.invite(test)
                for (path, status) in zip(["", "/" + code, "/wrong"], statuses) {
                    let page = try await Self.open(&person, "/join" + path)
                    #expect(page.status == status && page.text.contains("<!DOCTYPE html>"), "\(mode) \(path)")
                    #expect(page.headers[.cacheControl] == "no-store", "\(mode) \(path)")
                    let sent = try await person.send(.post, "/join" + path, Self.entries)
                    #expect(sent.status == (status == 200 ? 403 : 404), "\(mode) \(path)")
                }
                #expect(try await test.store.accounts.counts().accounts == 1)
            }
        }
    }

    static let closed: [(mode: RegistrationPolicy.Mode, path: String, heading: String, hint: String)] = [
        (.closed, "/join", "Sign-up is closed", "Only the operator"),
        (.closed, "/join/code", "Sign-up is closed", "Only the operator"),
        (.invite, "/join", "Signing up requires an invitation", "open its complete address"),
    ]

    @Test func pageSaysWhyNobodyCanSignUp() async throws {
        for row in Self.closed {
            try await Person.served(try TestServices(registration: row.mode)) { _, person in
                let page = try await person.send(.get, row.path)
                #expect(page.text.contains("<h1 class=\"page-heading\">\(row.heading)</h1>"), "\(row)")
                #expect(page.text.contains("<title>\(row.heading) – ") && page.text.contains(row.hint), "\(row)")
                #expect(!page.text.contains("<form"), "\(row)")
            }
        }
    }

    @Test func rulesAreShownAndMustBeAgreedTo() async throws {
        try await Person.served(try TestServices(registration: .open)) { test, person in
            #expect(try await !Self.open(&person, "/join").text.contains("name=\"agreement\""))
            var values = ReloadableSettings.Values()
            values.registration = RegistrationPolicy(mode: .open, blockedNames: [])
            (values.site.rules, values.site.text) = (["Be <kind>.", "No spam."], "A harbour for words.")
            test.settings.replace(with: values)
            let page = try await Self.open(&person, "/join")
            for text in ["<li>Be &lt;kind&gt;.</li>", "<li>No spam.</li>", "feed.test", "A harbour for words."] {
                #expect(page.text.contains(text), "\(text)")
            }
            let refused = try await Self.join(&person, "/join", ["email": "g@example.org"])
            #expect(refused.status == 422 && refused.text.contains("Please agree to the rules."))
            #expect(refused.text.contains("value=\"g@example.org\""))
            #expect(try await test.store.accounts.account(named: "grace") == nil)
            let made = try await Self.join(&person, "/join", ["agreement": "1"])
            #expect(made.status == 200 && made.text.contains("is ready"))
            let front = try await person.send(.get, "/")
            #expect(front.text.contains("A harbour for words."))
        }
    }

    @Test func policyCanChangeWhileTheServerIsRunning() async throws {
        try await Person.served(try TestServices(registration: .open)) { test, person in
            let open = try await person.send(.get, "/join")
            test.settings.replace(with: ReloadableSettings.Values())
            let closed = try await person.send(.get, "/join")
            #expect(open.text.contains("<form") && closed.text.contains("Sign-up is closed"))
        }
    }

    /// An invitation replaces the approval on a server whose operator approves sign-ups.
    @Test func signUpAwaitsApproval() async throws {
        try await Person.served(try TestServices(registration: .approval)) { test, person in
            let page = try await Self.open(&person, "/join")
            #expect(page.text.contains("Why do you want to join"))
            let made = try await Self.join(&person, "/join", ["reason": "I know ada.\r\nReally <b>"])
            #expect(made.status == 200 && made.text.contains("was received") && !made.text.contains("is ready"))
            #expect(try await test.store.registrations.pending().map(\.reason) == ["I know ada.\nReally <b>"])
            let code = try await Self.invite(test)
            let invited = try await Self.join(&person, "/join/" + code, ["username": "hal"])
            #expect(invited.text.contains("is ready"))
            #expect(try await test.store.registrations.pending().count == 1)
        }
    }

    static let refused: [(change: [String: String], words: String)] = [
        (["username": ""], "Username can&#39;t be blank."), (["username": "ADA"], "Username has already been taken."),
        (["username": "a b"], "Username is invalid."), (["username": "Adm1n"], "Username is reserved."),
        (["username": "mallory"], "Username is reserved."), (["email": "x"], "Email is invalid."),
        (["email": "TAKEN@feed.test"], "Email has already been taken."),
        (["password": ""], "Password can&#39;t be blank."),
        (["password": "short"], "Password is too short"),
        (["reason": String(repeating: "x", count: 1001)], "Reason is too long."),
    ]

    @Test func errorsAreShownAndEntriesAreKept() async throws {
        let test = try TestServices(registration: .approval, blockedNames: ["Mallory"])
        var taken = NewAccount(username: "taken")
        taken.email = "taken@feed.test"
        _ = try await test.store.accounts.create(taken)
        try await Person.served(test) { test, person in
            for row in Self.refused {
                let response = try await Self.join(
                    &person, "/join", ["email": "kept@feed.test", "reason": "my \"reason\""].merging(row.change) { $1 })
                #expect(response.status == 422 && response.text.contains(row.words), "\(row): \(response.text)")
                #expect(!response.text.contains("long enough") && !response.text.contains(">short<"), "\(row)")
                if row.change["email"] == nil { #expect(response.text.contains("value=\"kept@feed.test\""), "\(row)") }
                if row.change["reason"] == nil {
                    #expect(response.text.contains("my &quot;reason&quot;</textarea>"), "\(row)")
                }
            }
            #expect(try await test.store.registrations.pending().isEmpty)
            let hostile = try await Self.join(&person, "/join", ["username": "\"><script>alert(1)</script>"])
            #expect(hostile.status == 422 && !hostile.text.contains("<script"))
        }
    }

    @Test func crossSiteFormIsRejected() async throws {
        try await Person.served(try TestServices(registration: .open)) { test, person in
            let code = try await Self.invite(test)
            let page = try await Self.open(&person, "/join")
            let fields = HTMLForm.hidden(in: page.text).merging(Self.entries) { $1 }
            let own = person.cookie
            var other = Person(person.client)
            _ = try await Self.open(&other, "/join")
            for (cookie, path, change) in [
                (nil, "/join", [:]), (other.cookie, "/join", [:]), ("form=", "/join", [:]),
                (own, "/join", ["csrf_token": ""]),
                (own, "/join", ["csrf_token": "9999999999999.x"]), (own, "/join/" + code, [:]),
            ] as [(String?, String, [String: String])] {
                person.cookie = cookie
                let response = try await person.send(.post, path, fields.merging(change) { $1 })
                #expect(response.status == 403 && response.text.contains("has expired"), "\(cookie ?? "-") \(change)")
                #expect(response.text.contains("value=\"grace\"") && !response.text.contains("long enough"))
            }
            person.cookie = own
            test.store.clock.now += 600_000
            #expect(try await person.send(.post, "/join", fields).status == 403)
            #expect(try await test.store.accounts.counts().accounts == 1)
            #expect(try await Self.join(&person, "/join").status == 200)
        }
    }

    @Test func pageIsLockedDown() async throws {
        try await Person.served(try TestServices(registration: .invite)) { test, person in
            let page = try await Self.open(&person, "/join/" + (try await Self.invite(test)))
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            for part in ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"] {
                #expect(policy.contains(part))
            }
            let cookie = page.headers[.setCookie] ?? ""
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            #expect(try page.headers[#require(HTTPField.Name("Referrer-Policy"))] == "same-origin")
            #expect(page.headers[.accessControlAllowOrigin] == nil && page.text.contains("noindex"))
        }
    }

    /// Forms with obvious mistakes are not counted, and reveal nothing about existing accounts.
    @Test func signUpsPerAddressAreLimited() async throws {
        let test = try TestServices(registration: .open, enforcesRateLimits: true)
        try await Person.served(test) { test, person in
            for number in 0..<6 {
                let short = try await Self.join(&person, "/join", ["username": "ada", "password": "short"])
                #expect(short.status == 422 && !short.text.contains("taken"))
                let made = try await Self.join(&person, "/join", ["username": "user\(number)"])
                #expect(made.status == (number < 5 ? 200 : 429), "\(number)")
                if number == 5 {
                    #expect(made.headers[.retryAfter] != nil && made.text.contains("value=\"user5\""))
                }
            }
            #expect(try await test.store.accounts.counts().accounts == 6)
        }
    }
}
