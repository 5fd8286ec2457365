import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

/// The members of an exclusive list appear in the timeline of the list and not at home, also not through hashtags.
@Suite(.hangLimit)
struct ExclusiveListTests {
    @Test func membersOfExclusiveListsAppearInTheListOnly() async throws {
        try await WebAPI.run { api in
            let world = try await VisibilityWorld.make(api)
            let home = try #require(Place.all.first { $0.name == "home" })
            let list = try #require(Place.all.first { $0.name == "list" })
            try await Self.set(exclusive: true, world)
            for viewer in Viewer.allCases {
                _ = try await VisibilityTests.look(at: home, as: viewer, in: world, Place.exclusiveHome)
                _ = try await VisibilityTests.look(at: list, as: viewer, in: world)
            }
            for viewer in Viewer.allCases where viewer != .nobody {
                try await api.must(.post, "/api/v1/tags/walk/follow", as: try world.person(viewer))
            }
            for viewer in Viewer.allCases {
                _ = try await VisibilityTests.look(at: .followedTag, as: viewer, in: world, Place.exclusiveFollowedTag)
            }
            try await Self.set(exclusive: false, world)
            for viewer in Viewer.allCases {
                _ = try await VisibilityTests.look(at: .followedTag, as: viewer, in: world)
                _ = try await VisibilityTests.look(at: list, as: viewer, in: world)
            }
        }
    }

    /// Changes the list of each viewer.
    private static func set(exclusive isExclusive: Bool, _ world: VisibilityWorld) async throws {
        for viewer in Viewer.allCases where viewer != .nobody {
            let path = "/api/v1/lists/\(world.shared["list-\(viewer.rawValue)"] ?? "")"
            let changed = try await world.api.must(
                .put, path, as: try world.person(viewer), .form("exclusive=\(isExclusive)"))
            #expect(changed["exclusive"]?.flag == isExclusive)
        }
    }
}
