import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Grouped notifications, their policy and what administrators are told, as applications see them.
@Suite(.hangLimit)
struct NotificationGroupTests {
    private static let path = "/api/v2/notifications"

    /// ada's status with favourites by `count` accounts, and a mention of ada by the first one.
    private static func popular(_ api: WebAPI, _ count: Int) async throws -> (ada: Member, status: String) {
        let ada = try await api.person("ada")
        let status = try await api.post("hello", by: ada)
        for number in 0..<count {
            let fan = try await api.person("fan\(number)")
            _ = try await api.send(.post, "/api/v1/statuses/\(status)/favourite", as: fan)
            if number == 0 { _ = try await api.post("@ada hi", by: fan) }
        }
        return (ada, status)
    }

    @Test func groupsListEachAccountAndStatusOnce() async throws {
        try await WebAPI.run { api in
            let (ada, status) = try await Self.popular(api, 10)
            let response = try await api.send(.get, Self.path, as: ada)
            let json = try #require(response.json)
            let groups = try #require(json["notification_groups"]?.list)
            #expect(groups.map { $0["type"]?.text } == ["favourite", "mention"])
            let samples = groups[0]["sample_account_ids"]?.list ?? []
            #expect(groups[0]["notifications_count"] == .number(10) && samples.count == 8)
            #expect(groups[0]["status_id"]?.text == status && groups[0]["page_max_id"]?.text != nil)
            #expect(json["accounts"]?.list?.count == 9 && json["statuses"]?.list?.count == 2)
            #expect(json["partial_accounts"] == nil)
            let list = try #require(try await api.send(.get, "/api/v1/notifications", as: ada).json?.list)
            let keys = Set(list.compactMap { $0["group_key"]?.text })
            #expect(keys == Set(groups.compactMap { $0["group_key"]?.text }))
            let partial = try #require(
                try await api.send(.get, Self.path + "?expand_accounts=partial_avatars", as: ada).json)
            #expect(partial["accounts"]?.list?.count == 2 && partial["partial_accounts"]?.list?.count == 7)
            #expect(try await api.send(.get, Self.path + "/unread_count", as: ada).text == #"{"count":2}"#)
            let one = try await api.send(
                .get, Self.path + "/unread_count?grouped_types[]=follow&types[]=favourite", as: ada)
            #expect(one.text == #"{"count":10}"#)
        }
    }

    @Test func pagesOfGroupsAreLinked() async throws {
        try await WebAPI.run { api in
            let (ada, _) = try await Self.popular(api, 3)
            let first = try await api.send(.get, Self.path + "?limit=1&types[]=favourite&types[]=mention", as: ada)
            let link = try #require(first.headers[.link])
            #expect(link.contains("rel=\"next\"") && link.contains("types[]=mention") && link.contains("limit=1"))
            let oldest = try #require(first.json?["notification_groups"]?[0]?["page_min_id"]?.text)
            let second = try await api.send(.get, Self.path + "?limit=1&max_id=\(oldest)", as: ada)
            #expect(second.json?["notification_groups"]?[0]?["type"]?.text == "mention")
            let newest = try #require(first.json?["notification_groups"]?[0]?["page_max_id"]?.text)
            for name in ["since_id", "min_id"] {
                let none = try await api.send(.get, Self.path + "?\(name)=\(newest)", as: ada)
                #expect(none.json?["notification_groups"]?.list?.isEmpty == true, "\(name)")
            }
        }
    }

    @Test func groupsAreShownAndDismissed() async throws {
        try await WebAPI.run { api in
            let (ada, _) = try await Self.popular(api, 3)
            let groups = try await api.send(.get, Self.path, as: ada).json?["notification_groups"]?.list ?? []
            for group in groups {
                let key = try #require(group["group_key"]?.text)
                let shown = try #require(try await api.send(.get, Self.path + "/\(key)", as: ada).json)
                #expect(shown["notification_groups"]?[0]?["group_key"]?.text == key)
                #expect(shown["notification_groups"]?[0]?["page_min_id"] == nil)
                let accounts = try await api.send(.get, Self.path + "/\(key)/accounts?limit=2", as: ada)
                #expect(accounts.json?.list?.count == min(2, key.hasPrefix("ungrouped") ? 1 : 3))
                for status in [200, 404] {
                    #expect(try await api.send(.post, Self.path + "/\(key)/dismiss", as: ada).status == status)
                }
                #expect(try await api.send(.get, Self.path + "/\(key)", as: ada).status == 404)
                #expect(try await api.send(.get, Self.path + "/\(key)/accounts", as: ada).status == 404)
            }
            #expect(groups.count == 2)
            #expect(try await api.send(.get, "/api/v1/notifications", as: ada).text == "[]")
        }
    }

    @Test func reportsReachAdministrators() async throws {
        try await WebAPI.run(registration: .open) { api in
            let root = try await api.admin("root")
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let form = WebBody.form("account_id=\(bob.id)&comment=spam")
            let report = try await api.send(.post, "/api/v1/reports", as: ada, form).json?["id"]?.text
            let only = "?types[]=admin.report&types[]=mention"
            let list = try #require(try await api.send(.get, "/api/v1/notifications" + only, as: root).json)
            #expect(list[0]?["type"]?.text == "admin.report" && list[0]?["account"]?["id"]?.text == ada.id)
            #expect(list[0]?["report"]?["id"]?.text == report && list[0]?["report"]?["comment"]?.text == "spam")
            let groups = try #require(try await api.send(.get, Self.path + only, as: root).json)
            #expect(groups["notification_groups"]?[0]?["report"]?["target_account"]?["id"]?.text == bob.id)
            let without = try await api.send(.get, Self.path + "?exclude_types[]=admin.report", as: root)
            #expect(without.json?["notification_groups"]?.list?.isEmpty == true)
        }
    }

    @Test func nothingIsHeldBack() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for (method, path) in [("GET", "1"), ("POST", "1/accept"), ("POST", "1/dismiss")] {
                let response = try await api.send(
                    .init(rawValue: method) ?? .get, "/api/v1/notifications/requests/" + path, as: ada)
                #expect(response.status == 404, "\(path)")
            }
            let merged = try await api.send(.get, "/api/v1/notifications/requests/merged", as: ada)
            #expect(merged.text == #"{"merged":true}"#)
            let policy = try await api.send(.get, "/api/v2/notifications/policy", as: ada)
            let refused = try await api.send(
                .patch, "/api/v2/notifications/policy", as: ada, .json(#"{"for_not_following":"drop"}"#))
            #expect(refused.status == 422)
            #expect(try await api.send(.get, "/api/v2/notifications/policy", as: ada).text == policy.text)
        }
    }
}
