import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import TestKit
import Testing

/// An account that awaits approval is invisible, and its logins are refused.
@Suite(.hangLimit)
struct PendingAccountTests {
    private static let refusal = "Your login is currently pending approval"

    /// A sign-up through an application.
    private struct Applicant {
        var id: Int64
        var member: Member
        var application: (id: String, secret: String)
    }

    private static func apply(_ api: WebAPI, as name: String = "eve") async throws -> Applicant {
        let person = Person(api.client)
        let app = try await person.application(scopes: "read write follow")
        let own = try await person.token([
            "grant_type": "client_credentials", "client_id": app.id, "client_secret": app.secret,
            "scope": "read write follow",
        ])
        let form = RegistrationTests.form.merging(["username": name, "email": "eve@feed.test", "reason": "I sing"]) {
            $1
        }
        let token = try #require(own.object["access_token"] as? String)
        let made = try await person.send(
            .post, "/api/v1/accounts", form, headers: [.authorization: "Bearer " + token])
        #expect(made.status == 200, "\(made.text)")
        let account = try #require(try await api.test.store.accounts.account(named: name))
        let secret = try #require(made.object["access_token"] as? String)
        let member = Member(name: name, id: String(account.id), token: secret)
        return Applicant(id: account.id, member: member, application: app)
    }

    /// The places that show accounts, and the response of each if the account does not exist.
    static let places: [(path: String, response: String)] = [
        ("/api/v1/accounts/lookup?acct=eve", "404"), ("/api/v1/accounts/{id}", "404"),
        ("/api/v1/accounts?id[]={id}", "200 []"), ("/api/v1/accounts/{id}/statuses", "404"),
        ("/api/v1/accounts/{id}/followers", "404"), ("/api/v1/accounts/{id}/following", "404"),
        ("/api/v1/accounts/relationships?id[]={id}", "200 []"), ("/api/v1/accounts/search?q=eve", "200 []"),
        ("/api/v2/search?q=eve", #"200 {"accounts":[],"statuses":[],"hashtags":[]}"#),
        ("/api/v2/search?q=eve@feed.test&resolve=true", #"200 {"accounts":[],"statuses":[],"hashtags":[]}"#),
        ("/@eve", "404"), ("/avatars/eve", "404"), ("/headers/eve", "404"),
    ]

    private static func isHidden(_ applicant: Applicant, from ada: Member, _ api: WebAPI) async throws -> [Bool] {
        var hidden: [Bool] = []
        for place in places {
            let path = place.path.replacing("{id}", with: applicant.member.id)
            let response = try await api.send(.get, path, as: ada)
            hidden.append("\(response.status) \(response.text)".hasPrefix(place.response))
        }
        return hidden
    }

    @Test func pendingAccountIsInvisibleUntilItIsApproved() async throws {
        try await WebAPI.run(registration: .approval) { api in
            let ada = try await api.person("ada")
            let eve = try await Self.apply(api)
            for (place, isHidden) in zip(Self.places, try await Self.isHidden(eve, from: ada, api)) {
                #expect(isHidden, "\(place.path)")
            }
            for action in ["follow", "block", "mute"] {
                let response = try await api.send(.post, "/api/v1/accounts/\(eve.id)/\(action)", as: ada)
                #expect(response.status == 404, "\(action): \(response.summary)")
            }
            let posted = try await api.must(.post, "/api/v1/statuses", as: ada, .form("status=%40eve+hello"))
            #expect(posted["mentions"]?.list?.isEmpty == true)
            let stats = try await api.send(.get, "/api/v1/instance").json?["stats"]
            #expect(stats?["user_count"]?.number == 1)

            _ = try await api.test.store.registrations.approve(eve.id)
            #expect(try await Self.isHidden(eve, from: ada, api).allSatisfy { !$0 })
            #expect(try await api.send(.post, "/api/v1/accounts/\(eve.id)/follow", as: ada).status == 200)
        }
    }

    @Test func tokenIsRefusedEverywhereUntilApproval() async throws {
        try await WebAPI.run(registration: .approval) { api in
            let eve = try await Self.apply(api, as: "newcomer")
            let world = try await EndpointWorld.make(api)
            var count = 0
            for endpoint in APIEndpoint.all where endpoint.scope != nil {
                let response = try await api.send(
                    endpoint.method, endpoint.path(world.ids), as: eve.member, endpoint.body(world.ids))
                #expect(
                    response.status == 403 && response.json?["error"]?.text == Self.refusal,
                    "\(endpoint.testDescription): \(response.summary)")
                count += 1
            }
            #expect(count > 50)
            for path in ["/files", "/api/v1/timelines/public"] {
                #expect(try await api.send(.get, path, as: eve.member).status == 403)
            }
            let uploaded = try await api.send(
                .post, "/FileUpload.aspx", as: eve.member, .multipart([("file", "x")]))
            #expect(uploaded.status == 403, "\(uploaded.summary)")
            #expect(try await api.send(.get, "/health", as: eve.member).status == 200)
            _ = try await api.test.store.registrations.approve(eve.id)
            let own = try await api.must(.get, "/api/v1/accounts/verify_credentials", as: eve.member)
            #expect(own["username"]?.text == "newcomer")
        }
    }

    @Test func passwordIsRefusedUntilApproval() async throws {
        try await WebAPI.run(registration: .approval) { api in
            let eve = try await Self.apply(api)
            let person = Person(api.client)
            func logIn(_ password: String) async throws -> Person.Response {
                try await person.token([
                    "grant_type": "password", "username": "eve", "password": password,
                    "client_id": eve.application.id, "client_secret": eve.application.secret, "scope": "read",
                ])
            }
            let right = try await logIn("12345678")
            #expect(right.status == 400 && right.object["error"] as? String == "invalid_grant")
            #expect(right.object["error_description"] as? String == Self.refusal)
            // Only the right password reveals that the account exists.
            let wrong = try await logIn("wrong password")
            #expect(wrong.status == 400 && wrong.object["error_description"] as? String != Self.refusal)
            let classic = try await person.send(.post, "/ViewStatus.aspx", ["userName": "eve", "password": "12345678"])
            #expect(classic.status == 403 && classic.text.contains(Self.refusal))
            _ = try await api.test.store.registrations.approve(eve.id)
            #expect(try await logIn("12345678").status == 200)
        }
    }

    /// As its tokens do; a wrong password reveals nothing.
    @Test func rightPasswordOfASuspendedAccountIsToldWhy() async throws {
        try await WebAPI.run(registration: .approval) { api in
            let eve = try await Self.apply(api)
            _ = try await api.test.store.registrations.approve(eve.id)
            _ = try await api.test.store.moderation.perform(.suspend, on: eve.id)
            let person = Person(api.client)
            for (password, refusal) in [
                ("12345678", "Your login is currently disabled"), ("wrong password", "Wrong username or password"),
            ] {
                let token = try await person.token([
                    "grant_type": "password", "username": "eve", "password": password,
                    "client_id": eve.application.id, "client_secret": eve.application.secret, "scope": "read",
                ])
                #expect(token.status == 400 && token.object["error_description"] as? String == refusal)
                let classic = try await person.send(
                    .post, "/ViewStatus.aspx", ["userName": "eve", "password": password])
                #expect(classic.text.contains(refusal), "\(classic.text)")
                let page = try await person.send(.post, "/login", ["username": "eve", "password": password])
                #expect(page.text.contains(refusal), "\(page.text)")
            }
        }
    }

    @Test func authorizePageExplainsThatApprovalIsPending() async throws {
        try await WebAPI.run(registration: .approval) { api in
            let eve = try await Self.apply(api)
            var person = Person(api.client)
            let page = try await person.open(AuthorizationTests.request(eve.application.id))
            var fields = HTMLForm.hidden(in: page.text)
            fields.merge(["username": "eve", "password": "12345678", "decision": "allow"]) { $1 }
            let refused = try await person.send(.post, "/oauth/authorize", fields)
            #expect(refused.status == 403 && refused.text.contains(Self.refusal) && refused.location == nil)
            _ = try await api.test.store.registrations.approve(eve.id)
            #expect(try await person.send(.post, "/oauth/authorize", fields).status == 303)
        }
    }

    @Test func rejectedAccountIsGone() async throws {
        try await WebAPI.run(registration: .approval) { api in
            let eve = try await Self.apply(api)
            _ = try await api.test.store.registrations.reject(eve.id)
            let own = try await api.send(.get, "/api/v1/accounts/verify_credentials", as: eve.member)
            #expect(own.status == 401, "\(own.summary)")
            #expect(try await Self.apply(api).id != eve.id)
        }
    }
}

/// `POST /api/v1/admin/accounts/:id/approve` and `reject`.
@Suite(.hangLimit)
struct ApprovalTests {
    private static func apply(_ api: WebAPI, _ name: String) async throws -> String {
        let made = try await api.test.store.registrations.register(
            NewAccount(username: name), SignUp(mode: .approval, reason: "please"))
        return String(made.account.id)
    }

    @Test func administratorsAnswerSignUps() async throws {
        try await WebAPI.run(registration: .approval) { api in
            let admin = try await api.admin("chief")
            let (eve, mallory) = (try await Self.apply(api, "eve"), try await Self.apply(api, "mallory"))
            let approved = try await api.must(.post, "/api/v1/admin/accounts/\(eve)/approve", as: admin)
            #expect(approved["username"]?.text == "eve" && approved["approved"]?.flag == true)
            #expect(approved["suspended"]?.flag == false && approved["account"]?["id"]?.text == eve)
            #expect(try await api.send(.get, "/api/v1/accounts/\(eve)").status == 200)
            let rejected = try await api.must(.post, "/api/v1/admin/accounts/\(mallory)/reject", as: admin)
            #expect(rejected["approved"]?.flag == false && rejected["invite_request"]?.text == "please")
            #expect(try await api.test.store.accounts.account(named: "mallory") == nil)
            for id in [eve, admin.id] {
                for action in ["approve", "reject"] {
                    let again = try await api.send(.post, "/api/v1/admin/accounts/\(id)/\(action)", as: admin)
                    #expect(again.status == 403, "\(again.summary)")
                }
            }
            #expect(try await api.send(.post, "/api/v1/admin/accounts/\(mallory)/approve", as: admin).status == 404)
        }
    }

    /// The lists of accounts for administrators tell pending accounts from suspended ones.
    @Test func pendingAccountsAreListed() async throws {
        try await WebAPI.run(registration: .approval) { api in
            let admin = try await api.admin("chief")
            let ada = try await api.person("ada")
            _ = try await api.test.store.moderation.perform(.suspend, on: Int64(ada.id) ?? 0)
            let eve = try await Self.apply(api, "eve")
            for (state, names) in [("pending", ["eve"]), ("suspended", ["ada"]), ("active", ["chief"])] {
                let found = try await api.must(.get, "/api/v2/admin/accounts?status=" + state, as: admin)
                #expect(found.list?.compactMap { $0["username"]?.text } == names, "\(state)")
            }
            let shown = try await api.must(.get, "/api/v1/admin/accounts/" + eve, as: admin)
            #expect(shown["approved"]?.flag == false && shown["invite_request"]?.text == "please")
            #expect(shown["suspended"]?.flag == false)
            let restored = try await api.send(.post, "/api/v1/admin/accounts/\(eve)/unsuspend", as: admin)
            #expect(restored.status == 409, "\(restored.summary)")
            #expect(try await api.test.store.registrations.pending().count == 1)
        }
    }

    @Test func membersCannotAnswerSignUps() async throws {
        try await WebAPI.run(registration: .approval) { api in
            let ada = try await api.limited(try await api.person("ada"), scopes: "read write admin:write:accounts")
            let eve = try await Self.apply(api, "eve")
            for action in ["approve", "reject"] {
                let response = try await api.send(.post, "/api/v1/admin/accounts/\(eve)/\(action)", as: ada)
                #expect(response.status == 403, "\(response.summary)")
            }
            #expect(try await api.test.store.registrations.pending().count == 1)
        }
    }
}
