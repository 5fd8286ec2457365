import FeedAPI
import FeedStore
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
        try await world.makeLists()
        try await world.makeFilters()
        try await world.fallOut()
        try await world.findNotifications()
        try await api.test.store.trends.refresh()
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

    /// For each visibility: a status, a public reply to it, a reply by the author in a thread, and a status with a file.
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
            try await postMedia(visibility, by: author)
        }
    }

    private mutating func postMedia(_ visibility: String, by author: Member) async throws {
        let attachment = try #require(try await MediaAPITests.upload(api, by: author, 1, []).ids.first)
        let text = "@addressee #walk " + Self.text("media", visibility)
        ids[visibility]?["attachment"] = attachment
        let id = try await api.post(text, by: author, visibility, more: "&media_ids[]=" + attachment)
        ids[visibility]?["media-id"] = id
    }

    /// For each visibility, a status of the author that is to be published in two hours.
    mutating func schedule() async throws {
        let time = ISO8601.text(milliseconds: api.test.store.clock.now + Self.delay)
        for visibility in Self.visibilities {
            let text = "@addressee #walk #main " + Self.text("scheduled", visibility)
            let more = Self.poll + "&scheduled_at=" + time
            let id = try await api.post(text, by: try person(.author), visibility, more: more)
            ids[visibility]?["scheduled"] = id
        }
    }

    /// The time in milliseconds from ``schedule()`` to the publication.
    static let delay: Int64 = 7_200_000

    /// The same world, in which the scheduled statuses take the place of the others in paths.
    var onlyScheduled: VisibilityWorld {
        var world = self
        for visibility in Self.visibilities { world.ids[visibility]?["id"] = ids[visibility]?["scheduled"] }
        return world
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

    /// A list of each viewer, with the author where possible; `nobody` stands for a list of somebody.
    private mutating func makeLists() async throws {
        let author = try person(.author)
        for viewer in Viewer.allCases where viewer != .nobody {
            let owner = try person(viewer)
            let list = try await api.must(.post, "/api/v1/lists", as: owner, .form("title=list"))
            let id = try #require(list["id"]?.text)
            (shared["list-\(viewer.rawValue)"], shared["list-nobody"]) = (id, id)
            let form = WebBody.form("account_ids[]=\(author.id)")
            _ = try await api.send(.post, "/api/v1/lists/\(id)/accounts", as: owner, form)
        }
    }

    /// A filter of each viewer. The author's contains a status.
    private mutating func makeFilters() async throws {
        for viewer in Viewer.allCases where viewer != .nobody {
            let form = "title=filter&context[]=thread&keywords_attributes[][keyword]=unknown"
            let filter = try await api.must(.post, "/api/v2/filters", as: try person(viewer), .form(form))
            shared["filter-\(viewer.rawValue)"] = try #require(filter["id"]?.text)
            if viewer == .author { shared["keyword"] = try #require(filter["keywords"]?[0]?["id"]?.text) }
        }
        let path = "/api/v2/filters/\(shared["filter-author"] ?? "")/statuses"
        let form = WebBody.form("status_id=\(ids["public"]?["id"] ?? "")")
        let entry = try await api.must(.post, path, as: try person(.author), form)
        shared["entry"] = try #require(entry["id"]?.text)
    }

    /// Notifications of the author, who has been told about favourites.
    private mutating func findNotifications() async throws {
        let author = try person(.author)
        let list = try await api.must(.get, "/api/v1/notifications?types[]=favourite", as: author)
        let notification: String = try #require(list.ids.first)
        shared["notification"] = notification
        let groups = try await api.must(.get, "/api/v2/notifications?types[]=favourite", as: author)
        shared["group"] = try #require(groups["notification_groups"]?[0]?["group_key"]?.text)
    }

    private func fallOut() async throws {
        let author = try person(.author)
        try await api.must(.post, "/api/v1/accounts/\(author.id)/unfollow", as: try person(.former))
        try await api.must(.post, "/api/v1/accounts/\(try person(.blocked).id)/block", as: author)
        try await api.must(.post, "/api/v1/accounts/\(author.id)/block", as: try person(.blocking))
        try await api.must(.post, "/api/v1/accounts/\(author.id)/mute", as: try person(.muting))
    }
}
