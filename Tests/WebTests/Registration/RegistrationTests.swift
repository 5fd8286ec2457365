import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Registration of new accounts.
@Suite(.hangLimit)
struct RegistrationTests {
    static let form = [
        "username": "grace", "email": "Grace@feed.test", "password": "12345678", "agreement": "1", "locale": "en",
    ]

    private static func application(_ person: Person, scopes: String = "read write") async throws -> HTTPFields {
        let app = try await person.application(scopes: scopes)
        let issued = try await person.token([
            "grant_type": "client_credentials", "client_id": app.id, "client_secret": app.secret, "scope": scopes,
        ])
        return [.authorization: "Bearer \(issued.object["access_token"] as? String ?? "")"]
    }

    @Test func accountIsCreatedAndLoggedIn() async throws {
        try await Person.served(try TestServices(registration: .open)) { test, person in
            let application = try await Self.application(person)
            let made = try await person.send(.post, "/api/v1/accounts", Self.form, headers: application)
            #expect(made.status == 200 && made.object["scope"] as? String == "read write")
            #expect(try await person.works(try #require(made.object["access_token"] as? String)))
            for name in ["grace", "grace@FEED.test"] {
                let account = try await test.services.login.passwords.check(
                    username: name, password: "12345678", address: "x")
                #expect(account.username == "grace" && account.privacy == .indexable)
            }
        }
    }

    static let refused: [(change: [String: String], field: String, error: String)] = [
        (["username": ""], "username", "ERR_BLANK"), (["username": "ADA"], "username", "ERR_TAKEN"),
        (["username": "a b"], "username", "ERR_INVALID"), (["username": "Adm1n"], "username", "ERR_RESERVED"),
        (["username": "Mallory"], "username", "ERR_RESERVED"),
        (["reason": String(repeating: "x", count: 1001)], "reason", "ERR_TOO_LONG"),
        (["username": String(repeating: "a", count: 31)], "username", "ERR_TOO_LONG"),
        (["email": ""], "email", "ERR_BLANK"), (["email": "x"], "email", "ERR_INVALID"),
        (["email": "a@b@c"], "email", "ERR_INVALID"), (["email": "a b@c"], "email", "ERR_INVALID"),
        (["email": "TAKEN@feed.test"], "email", "ERR_TAKEN"), (["password": ""], "password", "ERR_BLANK"),
        (["password": "1234567"], "password", "ERR_TOO_SHORT"),
        (["password": String(repeating: "x", count: 1025)], "password", "ERR_TOO_LONG"),
        (["agreement": "false"], "agreement", "ERR_ACCEPTED"), (["agreement": ""], "agreement", "ERR_ACCEPTED"),
    ]

    @Test func errorsAreReportedPerField() async throws {
        let test = try TestServices(registration: .open, blockedNames: ["mallory"])
        try await Person.served(test) { test, person in
            let application = try await Self.application(person)
            let first = Self.form.merging(["email": "taken@feed.test", "username": "first"]) { $1 }
            #expect(try await person.send(.post, "/api/v1/accounts", first, headers: application).status == 200)
            for row in Self.refused {
                let response = try await person.send(
                    .post, "/api/v1/accounts", Self.form.merging(row.change) { $1 }, headers: application)
                let details = try #require(response.object["details"] as? [String: [[String: String]]], "\(row)")
                #expect(response.status == 422 && details.count == 1, "\(row)")
                #expect(details[row.field]?.first?["error"] == row.error, "\(row)")
                let text = try #require(details[row.field]?.first?["description"])
                #expect(
                    response.object["error"] as? String == "Validation failed: \(row.field.capitalized) \(text)",
                    "\(row)"
                )
            }
            #expect(try await test.store.accounts.counts().accounts == 2)
        }
    }

    @Test func registrationRequiresAnApplicationAndMustBeOpen() async throws {
        try await Person.served(try TestServices(registration: .open)) { _, person in
            #expect(try await person.send(.post, "/api/v1/accounts", Self.form).status == 401)
            let reader = try await Self.application(person, scopes: "read")
            #expect(try await person.send(.post, "/api/v1/accounts", Self.form, headers: reader).status == 403)
        }
        try await Person.served(try TestServices()) { test, person in
            let application = try await Self.application(person)
            let response = try await person.send(.post, "/api/v1/accounts", Self.form, headers: application)
            #expect(response.status == 403 && response.object["error"] as? String == "This action is not allowed")
            #expect(try await test.store.accounts.counts().accounts == 1)
        }
    }

    /// For each mode: the status of a sign-up without an invitation, with a good one, and with a bad one.
    static let modes: [(mode: RegistrationPolicy.Mode, statuses: [Int])] = [
        (.closed, [403, 403, 403]), (.open, [200, 200, 422]), (.approval, [200, 200, 422]), (.invite, [403, 200, 422]),
    ]

    @Test func invitationIsAParameter() async throws {
        for (mode, statuses) in Self.modes {
            try await Person.served(try TestServices(registration: mode)) { test, person in
                let application = try await Self.application(person)
                let invitation = try await test.store.invitations.invite(inviter: nil, uses: 1, lifetime: 60_000)
                for (index, code) in ["", invitation.code.uppercased(), "wrong"].enumerated() {
                    let form = Self.form.merging([
                        "username": "user\(index)", "email": "user\(index)@feed.test", "invite_code": code,
                    ]) { $1 }
                    let response = try await person.send(.post, "/api/v1/accounts", form, headers: application)
                    #expect(response.status == statuses[index], "\(mode) \(code): \(response.text)")
                    if response.status == 422 { #expect(response.text.contains("invite_code"), "\(response.text)") }
                }
                let uses = try await test.store.invitations.invitation(code: invitation.code)?.uses
                #expect(uses == (mode == .closed ? 0 : 1), "\(mode)")
                let pending = try await test.store.registrations.pending().map(\.account.username)
                #expect(pending == (mode == .approval ? ["user0"] : []), "\(mode)")
            }
        }
    }

    @Test func registrationsPerAddressAreLimited() async throws {
        try await Person.served(try TestServices(registration: .open, enforcesRateLimits: true)) { _, person in
            let application = try await Self.application(person)
            for (index, status) in [200, 200, 200, 200, 200, 429].enumerated() {
                let form = Self.form.merging(["username": "u\(index)", "email": "u\(index)@x"]) { $1 }
                #expect(
                    try await person.send(.post, "/api/v1/accounts", form, headers: application).status == status)
            }
        }
    }
}
