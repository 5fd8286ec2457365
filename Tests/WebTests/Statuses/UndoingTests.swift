import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Actions on a status can be undone even if the status is no longer visible.
@Suite(.hangLimit)
struct UndoingTests {
    /// Reasons for which a status becomes invisible.
    enum Loss: CaseIterable {
        case block, unfollow, suspension
    }

    /// Each action, its reverse, and the member that shows it.
    private static let acts = [
        (act: "favourite", undo: "unfavourite", flag: "favourited"),
        (act: "bookmark", undo: "unbookmark", flag: "bookmarked"), (act: "reblog", undo: "unreblog", flag: "reblogged"),
    ]

    @Test(arguments: Loss.allCases)
    func actionsOnHiddenStatusesCanBeUndone(loss: Loss) async throws {
        try await WebAPI.run { api in
            let (author, fan) = (try await api.person("author"), try await api.person("fan"))
            let id = try await Self.loved(api, author, fan, isPrivate: loss == .unfollow)
            try await Self.lose(loss, api, author, fan)
            #expect(try await api.send(.get, "/api/v1/statuses/\(id)", as: fan).status == 404)
            for row in Self.acts where loss != .unfollow || row.act != "reblog" {
                let path = "/api/v1/statuses/\(id)/" + row.undo
                let response = try await api.send(.post, path, as: fan)
                #expect(response.status == 200, "\(row.undo): \(response.summary)")
                Self.check(response, loss, id: id)
                #expect(response.json?[row.flag]?.flag == false)
                // Nothing is left to undo, so nothing is revealed.
                #expect(try await api.send(.post, path, as: fan).status == 404)
                #expect(try await api.send(.post, "/api/v1/statuses/\(id)/" + row.act, as: fan).status == 404)
            }
            try await Self.checkCounts(api, loss, id: id, author)
        }
    }

    /// A boost can also be deleted like a status.
    @Test func boostOfAHiddenStatusCanBeDeleted() async throws {
        try await WebAPI.run { api in
            let (author, fan) = (try await api.person("author"), try await api.person("fan"))
            let id = try await api.post("a secret thing #tag", by: author)
            let boost = try await api.must(.post, "/api/v1/statuses/\(id)/reblog", as: fan)["id"]?.text ?? ""
            try await Self.lose(.block, api, author, fan)
            let stranger = try await api.person("stranger")
            #expect(try await api.send(.delete, "/api/v1/statuses/\(boost)", as: stranger).status == 404)
            let response = try await api.send(.delete, "/api/v1/statuses/\(boost)", as: fan)
            #expect(response.status == 200 && !response.text.contains("secret"), "\(response.summary)")
            #expect(try await api.send(.delete, "/api/v1/statuses/\(boost)", as: fan).status == 404)
            #expect(try await api.must(.get, "/api/v1/statuses/\(id)", as: author)["reblogs_count"]?.number == 0)
        }
    }

    /// A status that `fan` has favourited, bookmarked and, if possible, boosted.
    private static func loved(_ api: WebAPI, _ author: Member, _ fan: Member, isPrivate: Bool) async throws -> String {
        if isPrivate { try await api.must(.post, "/api/v1/accounts/\(author.id)/follow", as: fan) }
        let id = try await api.post(
            "a secret thing #tag", by: author, isPrivate ? "private" : "public", more: "&spoiler_text=secret")
        for row in acts where !isPrivate || row.act != "reblog" {
            try await api.must(.post, "/api/v1/statuses/\(id)/" + row.act, as: fan)
        }
        return id
    }

    private static func lose(_ loss: Loss, _ api: WebAPI, _ author: Member, _ fan: Member) async throws {
        switch loss {
        case .block: try await api.must(.post, "/api/v1/accounts/\(fan.id)/block", as: author)
        case .unfollow: try await api.must(.post, "/api/v1/accounts/\(author.id)/unfollow", as: fan)
        case .suspension: try await suspend(author, api)
        }
    }

    /// Suspends an account, for which there is no command yet.
    private static func suspend(_ member: Member, _ api: WebAPI) async throws {
        let id = Int64(member.id)
        try await api.test.store.database.commits.write { db in
            try db.execute("UPDATE account SET suspended_at = 1, display_name = 'secret' WHERE id = \(id)")
        }
    }

    /// A complete Status that reveals nothing the fan may not see.
    private static func check(_ response: WebResponse, _ loss: Loss, id: String) {
        let problems = response.json.map { EntityShape.status.check($0, hasToken: true) }
        #expect(problems == [], "\(loss): \(response.summary)")
        #expect(response.json?["id"]?.text == id)
        for word in ["secret", "\"tag\"", "test app"] {
            #expect(!response.text.contains(word), "\(loss): \(response.text)")
        }
    }

    private static func checkCounts(_ api: WebAPI, _ loss: Loss, id: String, _ author: Member) async throws {
        guard loss != .suspension else { return }
        let status = try await api.must(.get, "/api/v1/statuses/\(id)", as: author)
        #expect(status["favourites_count"]?.number == 0 && status["reblogs_count"]?.number == 0)
        let told = try await api.send(.get, "/api/v1/notifications?types[]=favourite&types[]=reblog", as: author)
        #expect(told.text == "[]")
    }
}
