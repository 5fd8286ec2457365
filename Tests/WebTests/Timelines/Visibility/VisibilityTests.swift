import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Requests every place that can show a status, as every viewer, for every visibility.
@Suite(.hangLimit)
struct VisibilityTests {
    @Test func everyPlaceShowsOnlyVisibleStatuses() async throws {
        try await WebAPI.run { api in
            let world = try await VisibilityWorld.make(api)
            var count = 0
            for place in Place.all {
                for viewer in Viewer.allCases { count += try await Self.look(at: place, as: viewer, in: world) }
            }
            // A test that skips everything would prove nothing, so the size of the table is checked.
            #expect(count > 1100, "only \(count) comparisons")
        }
    }

    /// Silencing hides statuses in lists from viewers who do not follow the author, and nothing else.
    @Test func silencedAuthorsAreOmittedFromListsForNonFollowers() async throws {
        try await WebAPI.run { api in
            let world = try await VisibilityWorld.make(api)
            let author = try #require(Int64(try world.person(.author).id))
            _ = try await api.test.store.moderation.perform(.silence, on: author)
            for place in Place.all {
                for viewer in Viewer.allCases {
                    _ = try await Self.look(at: place, as: viewer, in: world, place.silencedTruth)
                }
            }
            _ = try await api.test.store.moderation.perform(.unsilence, on: author)
            for place in Place.all where place.omitsSilenced {
                for viewer in Viewer.allCases { _ = try await Self.look(at: place, as: viewer, in: world) }
            }
        }
    }

    /// Following a hashtag brings public statuses to the home timeline, and nothing else.
    @Test func followedHashtagShowsOnlyPublicStatuses() async throws {
        try await WebAPI.run { api in
            let world = try await VisibilityWorld.make(api)
            for viewer in Viewer.allCases where viewer != .nobody {
                try await api.must(.post, "/api/v1/tags/Walk/follow", as: try world.person(viewer))
            }
            for viewer in Viewer.allCases { _ = try await Self.look(at: .followedTag, as: viewer, in: world) }
            let author = try #require(Int64(try world.person(.author).id))
            _ = try await api.test.store.moderation.perform(.silence, on: author)
            for viewer in Viewer.allCases {
                _ = try await Self.look(at: .followedTag, as: viewer, in: world, Place.followedTag.silencedTruth)
            }
        }
    }

    /// A viewer who cannot see a status can neither act on it nor learn that it exists.
    @Test func hiddenStatusesCannotBeActedOn() async throws {
        try await WebAPI.run { api in
            let world = try await VisibilityWorld.make(api)
            for viewer in Viewer.allCases where viewer != .nobody {
                for visibility in VisibilityWorld.visibilities where viewer.sees(visibility) == false {
                    try await Self.act(as: viewer, on: visibility, in: world)
                }
            }
        }
    }

    /// Statuses of an account that awaits approval are hidden from everyone. Only the operator can create such statuses,
    /// by an import.
    @Test func statusesOfAPendingAccountAreVisibleNowhere() async throws {
        try await WebAPI.run { api in
            let world = try await VisibilityWorld.make(api)
            try await Self.makePending(try world.person(.author), api)
            var count = 0
            for place in Place.all {
                for viewer in Viewer.allCases where viewer != .author && !(viewer == .nobody && place.needsLogin) {
                    for visibility in VisibilityWorld.visibilities {
                        guard place.truth(viewer, visibility) == true,
                            let path = Self.path(of: place, visibility, viewer, world)
                        else { continue }
                        let seen = try await Self.sees(visibility, at: path, place, viewer, world)
                        #expect(!seen.isSeen, "\(place.name), \(viewer), \(visibility): \(seen.detail)")
                        count += 1
                    }
                }
            }
            #expect(count > 250, "only \(count) comparisons")
        }
    }

    private static func makePending(_ author: Member, _ api: WebAPI) async throws {
        let id = try #require(Int64(author.id))
        _ = try await api.test.store.moderation.perform(.suspend, on: id)
        try await api.test.store.database.commits.write { db in
            try db.execute("INSERT INTO sign_up (account_id, reason) VALUES (\(id), '')")
        }
    }

    private static let acts = ["favourite", "reblog", "bookmark", "mute", "pin"]

    static func act(as viewer: Viewer, on visibility: String, in world: VisibilityWorld) async throws {
        let id = try #require(world.ids[visibility]?["id"])
        let person = try world.person(viewer)
        for act in acts {
            let response = try await world.api.send(.post, "/api/v1/statuses/\(id)/\(act)", as: person)
            #expect(response.status == 404, "\(viewer) \(act) \(visibility): \(response.summary)")
        }
        let vote = try await world.api.send(.post, "/api/v1/polls/\(id)/votes", as: person, .form("choices[]=0"))
        #expect(vote.status == 404, "\(viewer) votes in \(visibility): \(vote.summary)")
        let conversation = try await world.api.send(.post, "/api/v1/conversations/\(id)/read", as: person)
        #expect(conversation.status == 404, "\(viewer) reads \(visibility): \(conversation.summary)")
        let filter = try #require(world.shared["filter-\(viewer.rawValue)"])
        let filtered = try await world.api.send(
            .post, "/api/v2/filters/\(filter)/statuses", as: person, .form("status_id=\(id)"))
        #expect(filtered.status == 422, "\(viewer) filters \(visibility): \(filtered.summary)")
        let reply = try await world.api.send(
            .post, "/api/v1/statuses", as: person, .form("status=answer&in_reply_to_id=\(id)"))
        #expect([404, 422].contains(reply.status), "\(viewer) replies to \(visibility): \(reply.summary)")
    }

    /// Compares a place with its expected result for each visibility.
    /// - Parameter truth: The expected results; `nil` for the results expected of the place.
    /// - Returns: The number of comparisons.
    static func look(
        at place: Place, as viewer: Viewer, in world: VisibilityWorld, _ truth: ((Viewer, String) -> Bool?)? = nil
    ) async throws -> Int {
        let truth = truth ?? place.truth
        if viewer == .nobody, place.needsLogin { return try await turnedAway(from: place, in: world) }
        var count = 0
        for visibility in VisibilityWorld.visibilities {
            guard let expected = truth(viewer, visibility),
                let path = Self.path(of: place, visibility, viewer, world)
            else { continue }
            let seen = try await sees(visibility, at: path, place, viewer, world)
            #expect(seen.isSeen == expected, "\(place.name), \(viewer), \(visibility): \(seen.detail)")
            count += 1
        }
        return count
    }

    private static func turnedAway(from place: Place, in world: VisibilityWorld) async throws -> Int {
        let path = try #require(Self.path(of: place, "public", .nobody, world))
        let response = try await world.api.send(.get, path)
        #expect(
            response.status == (place.isForPeople ? 302 : 401), "\(place.name) without a token: \(response.summary)")
        return 1
    }

    static func path(
        of place: Place, _ visibility: String, _ viewer: Viewer, _ world: VisibilityWorld
    ) -> String? {
        var path = place.path.replacing("{viewer}", with: viewer.rawValue)
        for (name, id) in world.shared.merging(world.ids[visibility] ?? [:], uniquingKeysWith: { $1 }) {
            path = path.replacing("{\(name)}", with: id)
        }
        return path.contains("{") ? nil : path
    }

    static func sees(
        _ visibility: String, at path: String, _ place: Place, _ viewer: Viewer, _ world: VisibilityWorld
    ) async throws -> (isSeen: Bool, detail: String) {
        let isClassic = path.hasPrefix("/ViewStatus")
        let person = viewer == .nobody || isClassic ? nil : try world.person(viewer)
        let response = try await world.api.send(.get, path, as: person)
        switch place.sign {
        case .holds:
            if ![200, 404].contains(response.status) { Issue.record("\(place.name), \(viewer): \(response.summary)") }
            return (
                response.text.contains(VisibilityWorld.text(place.mark, visibility)), "\(response.status) at \(path)"
            )
        case .succeeds:
            let isVisible = response.status == 200 || place.isForPeople && response.status == 302
            if !isVisible, response.status != 404 { Issue.record("\(place.name), \(viewer): \(response.summary)") }
            return (isVisible, response.summary)
        }
    }
}
