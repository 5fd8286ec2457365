import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The timelines of lists, and the effect of lists on the home timeline.
@Suite(.hangLimit)
struct ListAPITests {
    /// ada follows bob and cleo, and has a list with bob.
    private struct World: Sendable {
        let api: WebAPI
        let ada: Member
        let bob: Member
        let cleo: Member
        let list: String

        static func make(_ api: WebAPI, _ form: String = "") async throws -> World {
            let (ada, bob, cleo) = (
                try await api.person("ada"), try await api.person("bob"), try await api.person("cleo")
            )
            for other in [bob, cleo] { try await api.must(.post, "/api/v1/accounts/\(other.id)/follow", as: ada) }
            let list = try await api.must(.post, "/api/v1/lists", as: ada, .form("title=friends" + form))
            let id = try #require(list["id"]?.text)
            try await api.must(
                .post, "/api/v1/lists/\(id)/accounts", as: ada, .json(#"{"account_ids":["\#(bob.id)"]}"#))
            return World(api: api, ada: ada, bob: bob, cleo: cleo, list: id)
        }

        func texts(_ path: String) async throws -> [String] {
            let response = try await api.must(.get, path, as: ada)
            return (response.list ?? []).compactMap { $0["content"]?.text?.replacing(/<[^>]*>/, with: "") }
        }

        func home() async throws -> [String] { try await texts("/api/v1/timelines/home") }
        func listed() async throws -> [String] { try await texts("/api/v1/timelines/list/\(list)") }
        func members(_ query: String = "") async throws -> [String] {
            let path = "/api/v1/lists/\(list)/accounts" + query
            return (try await api.must(.get, path, as: ada).list ?? []).compactMap { $0["username"]?.text }
        }
    }

    @Test func listShowsItsMembersOnly() async throws {
        try await WebAPI.run { api in
            let world = try await World.make(api)
            _ = try await api.post("by bob", by: world.bob)
            _ = try await api.post("by cleo", by: world.cleo)
            #expect(try await world.listed() == ["by bob"])
            #expect(try await world.home() == ["by cleo", "by bob"])
            try await api.must(
                .delete, "/api/v1/lists/\(world.list)/accounts", as: world.ada, .form("account_ids[]=\(world.bob.id)"))
            #expect(try await world.listed() == [])
            try await api.must(.delete, "/api/v1/lists/\(world.list)", as: world.ada)
            let gone = try await api.send(.get, "/api/v1/timelines/list/\(world.list)", as: world.ada)
            #expect(gone.status == 404, "\(gone.summary)")
        }
    }

    @Test func exclusiveListRemovesItsMembersFromHome() async throws {
        try await WebAPI.run { api in
            let world = try await World.make(api, "&exclusive=true")
            _ = try await api.post("by bob", by: world.bob)
            _ = try await api.post("by cleo", by: world.cleo)
            #expect(try await world.home() == ["by cleo"])
            let path = "/api/v1/lists/\(world.list)"
            let changed = try await api.must(.put, path, as: world.ada, .form("exclusive=false"))
            #expect(changed["exclusive"] == .flag(false) && changed["title"]?.text == "friends")
            #expect(try await world.home() == ["by cleo", "by bob"])
        }
    }

    @Test(arguments: ["none", "list", "followed"])
    func repliesPolicyDecidesWhichRepliesAreShown(policy: String) async throws {
        try await WebAPI.run { api in
            let world = try await World.make(api, "&replies_policy=" + policy)
            let dora = try await api.person("dora")
            func reply(to person: Member) async throws {
                let status = try await api.post("by \(person.name)", by: person)
                _ = try await api.post("to \(person.name)", by: world.bob, replyTo: status)
            }
            for person in [world.ada, world.bob, world.cleo, dora] { try await reply(to: person) }
            let expected = ["to bob", "by bob", "to ada"]
            #expect(try await world.listed() == (policy == "followed" ? ["to cleo"] : []) + expected)
            let form = WebBody.form("account_ids[]=\(world.cleo.id)")
            try await api.must(.post, "/api/v1/lists/\(world.list)/accounts", as: world.ada, form)
            let all = policy == "none" ? ["by cleo"] : ["to cleo", "by cleo"]
            #expect(try await world.listed() == all + expected)
        }
    }

    @Test func membersAreListedAndPaged() async throws {
        try await WebAPI.run { api in
            let world = try await World.make(api)
            let path = "/api/v1/lists/\(world.list)/accounts"
            try await api.must(.post, path, as: world.ada, .form("account_ids[]=\(world.cleo.id)"))
            #expect(try await world.members() == ["cleo", "bob"])
            #expect(try await world.members("?limit=0") == ["cleo", "bob"])
            #expect(try await world.members("?limit=1&max_id=\(world.cleo.id)") == ["bob"])
            let first = try await api.send(.get, path + "?limit=1", as: world.ada)
            #expect(first.headers[.link]?.contains("max_id=\(world.cleo.id)>; rel=\"next\"") == true)
            let twice = try await api.send(.post, path, as: world.ada, .form("account_ids[]=\(world.cleo.id)"))
            #expect(twice.status == 422 && twice.text.contains("already been taken"), "\(twice.summary)")
            let stranger = try await api.person("stranger")
            let refused = try await api.send(.post, path, as: world.ada, .form("account_ids[]=\(stranger.id)"))
            #expect(refused.status == 404, "\(refused.summary)")
            try await api.must(.post, "/api/v1/accounts/\(world.cleo.id)/unfollow", as: world.ada)
            #expect(try await world.members() == ["bob"])
            let containing = try await api.must(.get, "/api/v1/accounts/\(world.bob.id)/lists", as: world.ada)
            #expect(containing.list?.compactMap { $0["id"]?.text } == [world.list])
            let none = try await api.must(.get, "/api/v1/accounts/\(world.cleo.id)/lists", as: world.ada)
            #expect(none.list?.isEmpty == true)
        }
    }
}
