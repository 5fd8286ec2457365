import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Cached pages and 304 responses are equivalent to new responses. The change log must therefore contain every change:
/// all endpoints that change something are tested.
@Suite(.hangLimit)
struct CachedPageTests {
    /// A page as seen by a viewer; `nil` for an anonymous one.
    private struct Pagination {
        let path: String
        let viewer: String?
    }

    private static let paths = [
        "/api/v1/timelines/home", "/api/v1/timelines/public", "/api/v1/timelines/tag/tag",
        "/api/v1/accounts/{ada}/statuses", "/api/v1/accounts/{ada}/statuses?pinned=true", "/api/v1/favourites",
        "/api/v1/bookmarks", "/api/v1/accounts/verify_credentials", "/api/v1/instance",
    ]
    /// The timeline of bob's list, which nobody else sees.
    private static let list = "/api/v1/timelines/list/{list}"

    /// Parts of the list of changes, each with data of its own. Neighbours, which often do and undo the same, stay
    /// together.
    private static let parts = 0..<4

    @Test(arguments: parts) func cachedPageIsNeverStale(part: Int) async throws {
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            let pages = (Self.paths + [Self.list]).flatMap { path in
                ([nil] + world.people.keys.sorted().map(Optional.some)).map { Pagination(path: path, viewer: $0) }
            }
            var unchanged = 0
            let events = APIEndpoint.all.filter { $0.method != .get }
            for (number, event) in events.enumerated() where number * Self.parts.count / events.count == part {
                unchanged += try await Self.check(pages, around: event, number: number, api, world)
            }
            // Ensures that the check covers 304 responses.
            #expect(unchanged > 100)
        }
    }

    /// Requests every page before and after a change.
    /// - Returns: The number of 304 responses.
    private static func check(
        _ pages: [Pagination], around event: APIEndpoint, number: Int, _ api: WebAPI, _ world: EndpointWorld
    ) async throws -> Int {
        var before: [WebResponse] = []
        for page in pages { before.append(try await look(at: page, api, world)) }
        let viewer = try? world.person(event.viewer)
        _ = try await api.send(event.method, event.path(world.ids), as: viewer, event.body(world.ids))
        var unchanged = 0
        for (page, old) in zip(pages, before) where old.status == 200 {
            let fresh = try await look(at: page, api, world, query: "nonce=\(number)")
            let kept = try await look(at: page, api, world)
            let name = "\(event.testDescription), then \(page.path) for \(page.viewer ?? "nobody")"
            #expect(kept.text == fresh.text, "kept: \(name)")
            let tag = try #require(old.headers[.eTag], "\(name)")
            let asked = try await look(at: page, api, world, headers: ["If-None-Match": tag])
            #expect(asked.status == 200 || old.text == fresh.text, "304: \(name)")
            if asked.status == 304 { unchanged += 1 }
        }
        return unchanged
    }

    private static func look(
        at page: Pagination, _ api: WebAPI, _ world: EndpointWorld, query: String = "", headers: [String: String] = [:]
    ) async throws -> WebResponse {
        var path = world.ids.reduce(page.path) { $0.replacing("{\($1.key)}", with: $1.value) }
        if !query.isEmpty { path += (path.contains("?") ? "&" : "?") + query }
        return try await api.send(.get, path, as: page.viewer.map { try world.person($0) }, headers: headers)
    }

    /// A viewer's entity tag matches for another viewer only if the page is the same.
    @Test func entityTagStandsForTheContent() async throws {
        try await WebAPI.run { api in
            let world = try await EndpointWorld.make(api)
            for path in Self.paths {
                let mine = try await Self.look(at: Pagination(path: path, viewer: "ada"), api, world)
                let tag = ["If-None-Match": try #require(mine.headers[.eTag])]
                for viewer in ["ada", "bob", nil] {
                    let page = Pagination(path: path, viewer: viewer)
                    let theirs = try await Self.look(at: page, api, world)
                    let response = try await Self.look(at: page, api, world, headers: tag)
                    #expect(
                        (response.status == 304) == (theirs.text == mine.text), "\(path) for \(viewer ?? "nobody")")
                }
            }
        }
    }
}
