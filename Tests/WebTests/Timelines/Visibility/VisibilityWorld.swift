import FeedTestSupport
import Foundation
import HTTPTypes
import Testing

/// An author, a status of each visibility, and all viewers.
struct VisibilityWorld: Sendable {
    static let visibilities = ["public", "unlisted", "private", "direct"]

    let api: WebAPI
    var people: [Viewer: Member] = [:]
    /// The ids in paths, by visibility: `id`, `reply-id`, `boost`, and those shared by all.
    var ids: [String: [String: String]] = [:]
    var shared: [String: String] = [:]

    static func make(_ api: WebAPI) async throws -> VisibilityWorld {
        var world = VisibilityWorld(api: api)
        for viewer in Viewer.allCases where viewer != .nobody {
            world.people[viewer] = try await api.person(viewer.rawValue)
        }
        let booster = try await api.person("booster")
        world.shared = ["author": try world.person(.author).id, "booster": booster.id]
        try await world.befriend(booster)
        try await world.post()
        try await world.boost(by: booster)
        try await world.react()
        try await world.fallOut()
        return world
    }

    func person(_ viewer: Viewer) throws -> Member {
        try #require(people[viewer])
    }

    /// The text by which a status is recognized in a response.
    static func text(_ mark: String, _ visibility: String) -> String { "mark-\(mark)-\(visibility)" }

    private static let poll = "&poll[options][]=a&poll[options][]=b&poll[expires_in]=2629746"

    private func follow(_ viewer: Viewer, _ id: String) async throws {
        try await api.must(.post, "/api/v1/accounts/\(id)/follow", as: try person(viewer))
    }

    private func befriend(_ booster: Member) async throws {
        let author = try person(.author)
        for viewer in [Viewer.follower, .muting, .blocked, .former] { try await follow(viewer, author.id) }
        for viewer in [Viewer.fan, .blocked, .blocking, .muting] { try await follow(viewer, booster.id) }
    }

    /// For each visibility: a status, a public reply to it, and a reply by the author in a thread.
    private mutating func post() async throws {
        let (author, addressee) = (try person(.author), try person(.addressee))
        let root = try await api.post("the root of a thread", by: addressee)
        shared["root"] = root
        for visibility in Self.visibilities {
            let text = "@addressee #walk #main " + Self.text("main", visibility)
            let id = try await api.post(text, by: author, visibility, more: Self.poll)
            let publicReply = try await api.post("an answer", by: addressee, replyTo: id)
            ids[visibility] = ["id": id, "reply-id": publicReply]
            let reply = "@addressee " + Self.text("reply", visibility)
            _ = try await api.post(reply, by: author, visibility, replyTo: root)
            if visibility != "direct" { try await api.must(.post, "/api/v1/statuses/\(id)/pin", as: author) }
        }
    }

    private mutating func boost(by booster: Member) async throws {
        let author = try person(.author)
        for visibility in ["public", "unlisted"] {
            let id = try await api.post(Self.text("boosted", visibility), by: author, visibility)
            let wrapper = try await api.must(.post, "/api/v1/statuses/\(id)/reblog", as: booster)
            ids[visibility]?["boost"] = try #require(wrapper["id"]?.text)
        }
    }

    /// All viewers favourite and bookmark what they can see, before anyone is blocked.
    private func react() async throws {
        for viewer in Viewer.allCases where viewer != .nobody {
            for visibility in Self.visibilities {
                let id = ids[visibility]?["id"] ?? ""
                for act in ["favourite", "bookmark"] {
                    _ = try await api.send(.post, "/api/v1/statuses/\(id)/\(act)", as: try person(viewer))
                }
            }
        }
    }

    private func fallOut() async throws {
        let author = try person(.author)
        try await api.must(.post, "/api/v1/accounts/\(author.id)/unfollow", as: try person(.former))
        try await api.must(.post, "/api/v1/accounts/\(try person(.blocked).id)/block", as: author)
        try await api.must(.post, "/api/v1/accounts/\(author.id)/block", as: try person(.blocking))
        try await api.must(.post, "/api/v1/accounts/\(author.id)/mute", as: try person(.muting))
    }
}
