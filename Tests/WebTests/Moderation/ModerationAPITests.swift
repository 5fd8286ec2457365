import FeedCore
import FeedStore
import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

/// Reports and their resolution, and actions on accounts, as administrators' apps perform them.
@Suite(.hangLimit)
struct ModerationAPITests {
    private static func act(
        _ form: String, on person: Member, by root: Member, _ api: WebAPI
    ) async throws -> WebResponse {
        try await api.send(.post, "/api/v1/admin/accounts/\(person.id)/action", as: root, .form(form))
    }

    @Test func reportIsHandledFromStartToEnd() async throws {
        try await WebAPI.run { api in
            let (ada, bob, root) = (
                try await api.person("ada"), try await api.person("bob"), try await api.admin("root")
            )
            let id = try await api.post("spam", by: ada)
            let body = WebBody.json(
                #"{"account_id":"\#(ada.id)","status_ids":["\#(id)"],"comment":"<b>","category":"spam"}"#)
            let report = try await api.must(.post, "/api/v1/reports", as: bob, body)
            let place = "/api/v1/admin/reports/" + (report["id"]?.text ?? "")
            #expect(report["status_ids"] == .list([.text(id)]) && report["comment"]?.text == "<b>")
            let open = try await api.must(.get, "/api/v1/admin/reports", as: root)
            #expect(open.ids == report.ids && open[0]?["statuses"]?.ids == [id])
            #expect(open[0]?["account"]?["username"]?.text == "bob")
            let assigned = try await api.must(.post, place + "/assign_to_self", as: root)
            #expect(assigned["assigned_account"]?["id"]?.text == root.id)
            #expect(try await api.must(.post, place + "/unassign", as: root)["assigned_account"] == .null)
            let resolved = try await api.must(.post, place + "/resolve", as: root)
            #expect(resolved["action_taken_by_account"]?["id"]?.text == root.id)
            for (query, isListed) in [
                ("", false), ("?resolved=true", true), ("?resolved=true&unresolved=true", true),
                ("?resolved=true&account_id=\(bob.id)", true), ("?resolved=true&account_id=\(ada.id)", false),
                ("?resolved=true&target_account_id=\(ada.id)", true),
            ] {
                let found = try await api.must(.get, "/api/v1/admin/reports" + query, as: root)
                #expect(found.ids == (isListed ? report.ids : []), "\(query)")
            }
            let reopened = try await api.must(.post, place + "/reopen", as: root)
            #expect(reopened["action_taken"]?.flag == false && reopened["action_taken_at"] == .null)
        }
    }

    /// A direct status is shown to the moderators only because somebody who may see it has reported it.
    @Test func onlyVisibleStatusesCanBeReported() async throws {
        try await WebAPI.run { api in
            let (ada, bob, cleo) = (
                try await api.person("ada"), try await api.person("bob"), try await api.person("cleo")
            )
            let root = try await api.admin("root")
            let secret = try await api.post("@bob a secret", by: ada, "direct")
            let form = WebBody.form("account_id=\(ada.id)&status_ids[]=\(secret)")
            #expect(try await api.send(.post, "/api/v1/reports", as: cleo, form).status == 404)
            let report = try await api.must(.post, "/api/v1/reports", as: bob, form)
            let shown = try await api.must(.get, "/api/v1/admin/reports/" + (report.ids.first ?? ""), as: root)
            #expect(shown["statuses"]?.ids == [secret])
            #expect(try await api.send(.get, "/api/v1/statuses/\(secret)", as: root).status == 404)
            try await api.must(.delete, "/api/v1/statuses/\(secret)", as: ada)
            let left = try await api.must(.get, "/api/v1/admin/reports/" + (report.ids.first ?? ""), as: root)
            #expect(left["statuses"] == .list([]) && left["account"]?["id"]?.text == bob.id)
        }
    }

    @Test func actionsTakeEffectAndResolveReports() async throws {
        try await WebAPI.run { api in
            let (ada, bob, root) = (
                try await api.person("ada"), try await api.person("bob"), try await api.admin("root")
            )
            let report = try await api.must(.post, "/api/v1/reports", as: bob, .form("account_id=\(ada.id)"))
            let other = try await api.must(.post, "/api/v1/reports", as: bob, .form("account_id=\(ada.id)&comment=2"))
            func open() async throws -> [String] { try await api.must(.get, "/api/v1/admin/reports", as: root).ids }
            let first = report.ids.first ?? ""
            #expect(try await Self.act("type=none&report_id=\(first)", on: ada, by: root, api).status == 200)
            #expect(try await open() == other.ids)
            #expect(try await Self.act("type=none&report_id=\(first)", on: bob, by: root, api).status == 404)
            #expect(try await Self.act("type=silence", on: ada, by: root, api).text == "{}")
            #expect(try await open() == [])
            #expect(try await api.must(.get, "/api/v1/accounts/\(ada.id)", as: bob)["limited"]?.flag == true)
            #expect(try await Self.act("type=suspend", on: ada, by: root, api).status == 200)
            #expect(try await api.send(.get, "/api/v1/accounts/\(ada.id)", as: bob).status == 404)
            #expect(try await api.send(.get, "/api/v1/timelines/home", as: ada).status == 403)
            let place = "/api/v1/admin/accounts/\(ada.id)"
            let listed = try await api.must(.get, place, as: root)
            #expect(listed["suspended"]?.flag == true && listed["silenced"]?.flag == true)
            for verb in ["/unsuspend", "/unsilence"] { try await api.must(.post, place + verb, as: root) }
            let restored = try await api.must(.get, "/api/v1/accounts/\(ada.id)", as: bob)
            #expect(restored["username"]?.text == "ada" && restored["limited"] == nil)
        }
    }

    @Test(arguments: [
        ("", 422), ("type=", 422), ("type=sensitive", 422), ("type=disable", 422), ("type=remove", 422),
        ("type=silence&text=stop", 422), ("type=silence&report_id=1", 404), ("type=silence&report_id=x", 400),
    ])
    func unsupportedActionsAreRefused(row: (form: String, code: Int)) async throws {
        try await WebAPI.run { api in
            let (ada, root) = (try await api.person("ada"), try await api.admin("root"))
            let refused = try await Self.act(row.form, on: ada, by: root, api)
            #expect(refused.status == row.code, "\(refused.summary)")
            let account = try await api.must(.get, "/api/v1/admin/accounts/\(ada.id)", as: root)
            #expect(account["silenced"]?.flag == false && account["suspended"]?.flag == false)
        }
    }

    @Test func administratorsCannotLockThemselvesOut() async throws {
        try await WebAPI.run { api in
            let (root, other) = (try await api.admin("root"), try await api.admin("other"))
            for type in ["silence", "suspend"] {
                #expect(try await Self.act("type=" + type, on: root, by: root, api).status == 403)
            }
            let place = "/api/v1/admin/accounts/\(other.id)"
            #expect(try await api.send(.delete, place, as: root).status == 403, "other is not suspended")
            #expect(try await Self.act("type=suspend", on: other, by: root, api).status == 200)
            #expect(try await Self.act("type=suspend", on: root, by: other, api).status == 403)
            try await api.must(.delete, place, as: root)
            for request in [(HTTPRequest.Method.delete, ""), (.get, ""), (.post, "/unsuspend")] {
                #expect(try await api.send(request.0, place + request.1, as: root).status == 404)
            }
            let id = try #require(Int64(other.id))
            #expect(try await api.test.store.deletion.pending() == [id])
            #expect(try await api.test.store.deletion.complete(id))
            #expect(try await api.send(.get, "/api/v1/timelines/home", as: other).status == 401)
        }
    }

    /// The filters of both versions.
    @Test func accountsAreFiltered() async throws {
        try await WebAPI.run { api in
            let root = try await api.admin("root")
            var ids: [String: Int64] = [:]
            for name in ["ada", "adam", "bob"] { ids[name] = Int64(try await api.person(name).id) }
            let moderation = api.test.store.moderation
            _ = try await moderation.perform(.silence, on: ids["adam", default: 0])
            _ = try await moderation.perform(.suspend, on: ids["bob", default: 0])
            try await api.must(
                .patch, "/api/v1/accounts/update_credentials",
                as: try await api.limited(
                    Member(name: "ada", id: String(ids["ada", default: 0]), token: ""), scopes: "write"),
                .form("display_name=Ada+Lovelace"))
            let rows: [(String, [String])] = [
                ("v1/admin/accounts", ["adam", "ada", "root"]), ("v1/admin/accounts?suspended=true", ["bob"]),
                ("v1/admin/accounts?silenced=true", ["adam"]), ("v1/admin/accounts?staff=true", ["root"]),
                ("v1/admin/accounts?remote=true", []), ("v2/admin/accounts", ["bob", "adam", "ada", "root"]),
                ("v2/admin/accounts?status=active", ["adam", "ada", "root"]),
                ("v2/admin/accounts?status=suspended", ["bob"]), ("v2/admin/accounts?status=silenced", ["adam"]),
                ("v2/admin/accounts?status=disabled", []), ("v2/admin/accounts?status=pending", []),
                ("v2/admin/accounts?username=AD", ["adam", "ada"]), ("v2/admin/accounts?username=da", []),
                ("v2/admin/accounts?display_name=love", ["ada"]), ("v2/admin/accounts?permissions=staff", ["root"]),
                ("v2/admin/accounts?role_ids[]=3", ["root"]), ("v2/admin/accounts?role_ids[]=7", []),
                ("v2/admin/accounts?role_ids[]=3&role_ids[]=-99&username=a", ["adam", "ada"]),
                ("v2/admin/accounts?origin=remote", []), ("v2/admin/accounts?by_domain=x.test", []),
                ("v2/admin/accounts?ip=::1", []), ("v2/admin/accounts?invited_by=1", []),
                ("v2/admin/accounts?email=x", []),
            ]
            for (query, names) in rows {
                let found = try await api.must(.get, "/api/" + query, as: root)
                #expect(found.list?.compactMap { $0["username"]?.text } == names, "\(query)")
            }
            #expect(try await api.send(.get, "/api/v2/admin/accounts?status=odd", as: root).status == 400)
            let page = try await api.send(.get, "/api/v2/admin/accounts?limit=2", as: root)
            #expect(page.json?.list?.count == 2 && page.links?.contains("max_id") == true)
        }
    }
}

extension WebResponse {
    fileprivate var links: String? { HTTPField.Name("Link").flatMap { headers[$0] } }
}
