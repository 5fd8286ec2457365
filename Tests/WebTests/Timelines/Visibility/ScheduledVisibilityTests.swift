import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import HTTPTypes
import TestKit
import Testing

/// Before its publication, nobody but its author sees a scheduled status, and the author only among the scheduled ones.
@Suite(.hangLimit)
struct ScheduledVisibilityTests {
    /// Places that show a status as soon as it is published, without anybody having acted on it.
    private static let immediate: Set<String> = [
        "home", "list", "public", "local", "hashtag", "hashtag, all", "account", "account, tagged", "notifications",
        "grouped notifications", "conversations", "classic",
    ]

    @Test func scheduledStatusesAreVisibleNowhere() async throws {
        try await WebAPI.run { api in
            var world = try await VisibilityWorld.make(api)
            try await world.schedule()
            let count = try await Self.look(everywhereIn: world.onlyScheduled)
            #expect(count > 1100, "only \(count) comparisons")
            for place in Place.scheduled {
                for viewer in Viewer.allCases {
                    _ = try await VisibilityTests.look(at: place, as: viewer, in: world.onlyScheduled)
                }
            }
            try await Self.publish(world)
            try await Self.expectPublished(world)
        }
    }

    @Test func scheduledStatusesCannotBeActedOn() async throws {
        try await WebAPI.run { api in
            var world = try await VisibilityWorld.make(api)
            try await world.schedule()
            for viewer in Viewer.allCases where viewer != .nobody {
                for visibility in VisibilityWorld.visibilities {
                    try await VisibilityTests.act(as: viewer, on: visibility, in: world.onlyScheduled)
                    guard viewer != .author else { continue }
                    let id = try #require(world.ids[visibility]?["scheduled"])
                    let path = "/api/v1/scheduled_statuses/" + id
                    let person = try world.person(viewer)
                    let moved = try await api.send(.put, path, as: person, .form("scheduled_at=2099-01-01"))
                    let canceled = try await api.send(.delete, path, as: person)
                    #expect(moved.status == 404 && canceled.status == 404, "\(viewer), \(visibility)")
                }
            }
            // Nothing has been canceled or moved.
            try await Self.publish(world)
            try await Self.expectPublished(world)
        }
    }

    /// - Returns: The number of comparisons.
    private static func look(everywhereIn world: VisibilityWorld) async throws -> Int {
        var count = 0
        // Other statuses are found by other ids.
        for place in Place.all where place.sign == .holds || place.path.contains("{id}") {
            var place = place
            place.mark = "scheduled"
            for viewer in Viewer.allCases where !(viewer == .nobody && place.needsLogin) {
                for visibility in VisibilityWorld.visibilities {
                    guard let path = VisibilityTests.path(of: place, visibility, viewer, world) else { continue }
                    let seen = try await VisibilityTests.sees(visibility, at: path, place, viewer, world)
                    #expect(!seen.isSeen, "\(place.name), \(viewer), \(visibility): \(seen.detail)")
                    count += 1
                }
            }
        }
        return count
    }

    private static func publish(_ world: VisibilityWorld) async throws {
        world.api.test.store.clock.now += VisibilityWorld.delay
        try await world.api.test.services.scheduling.publishDue()
    }

    /// Then they appear where other statuses do, so the places above could have shown them.
    private static func expectPublished(_ world: VisibilityWorld) async throws {
        let places = Place.all.filter { immediate.contains($0.name) }
        #expect(places.count == immediate.count)
        for place in places {
            var place = place
            place.mark = "scheduled"
            for viewer in Viewer.allCases { _ = try await VisibilityTests.look(at: place, as: viewer, in: world) }
        }
    }
}
