import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import TestKit
import Testing

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
