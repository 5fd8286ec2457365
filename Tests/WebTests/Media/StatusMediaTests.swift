import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Statuses with attachments.
@Suite(.hangLimit)
struct StatusMediaTests {
    private static func uploads(_ api: WebAPI, by person: Member, _ count: Int) async throws -> [String] {
        var ids: [String] = []
        for seed in 1...count {
            ids += try await MediaAPITests.upload(api, by: person, UInt8(seed), [("description", "picture \(seed)")])
                .ids
        }
        return ids
    }

    private static func list(_ ids: [String]) -> String { ids.map { "&media_ids[]=" + $0 }.joined() }

    @Test func statusShowsItsAttachments() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let ids = try await Self.uploads(api, by: ada, 4)
            let bodies = [
                WebBody.form("status=" + Self.list(Array(ids[0..<2]))),
                .json(#"{"media_ids":["\#(ids[2])"],"sensitive":true}"#),
                .multipart([("status", "text"), ("media_ids[]", ids[3]), ("spoiler_text", "cw")]),
            ]
            let wanted = [[ids[0], ids[1]], [ids[2]], [ids[3]]]
            for (body, wanted) in zip(bodies, wanted) {
                let status = try await api.must(.post, "/api/v1/statuses", as: ada, body)
                #expect(status["media_attachments"]?.ids == wanted)
                let shown = try await api.send(.get, "/api/v1/statuses/\(status.ids[0])")
                #expect(shown.json?["media_attachments"] == status["media_attachments"])
                #expect(shown.json?["sensitive"]?.flag == (wanted.count == 1))
                #expect(EntityShape.status.check(status, hasToken: true) == [])
            }
        }
    }

    static let refused: [(ids: String, part: String)] = [
        ("&media_ids[]=1", "Media 1 not found"), ("&media_ids[]=x", "Media x not found"),
        ("&media_ids[]=99999999999999999999999", "not found"), ("&media_ids[]=-1", "Media -1 not found"),
        ("{foreign}", "already attached"), ("{taken}", "already attached"), ("{many}", "more than 4 files"),
        ("{mixed}", "a video"),
    ]

    @Test func refusedAttachmentsLeaveTheOthersUsable() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let own = try await Self.uploads(api, by: ada, 5)
            let foreign = try await Self.uploads(api, by: bob, 1)
            let taken = try await Self.uploads(api, by: ada, 1)
            let video = try await api.must(.post, "/api/v1/media", as: ada, .files([("file", SampleMedia.mp4)])).ids
            _ = try await api.post("first", by: ada, more: Self.list(taken))
            for (ids, part) in Self.refused {
                var form = "status=hello" + Self.list([own[0]])
                form += ids.replacing("{foreign}", with: Self.list(foreign)).replacing(
                    "{taken}", with: Self.list(taken)
                )
                .replacing("{many}", with: Self.list(own)).replacing("{mixed}", with: Self.list(video))
                let response = try await api.send(.post, "/api/v1/statuses", as: ada, .form(form))
                #expect(response.status == 422 && response.text.contains(part), "\(ids): \(response.summary)")
            }
            // A repeated id counts once.
            _ = try await api.post("hello", by: ada, more: Self.list([own[0], own[0]]) + Self.list(Array(own[1..<4])))
        }
    }

    @Test func editReplacesAttachmentsAndHistoryShowsThem() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let ids = try await Self.uploads(api, by: ada, 2)
            let id = try await api.post("text", by: ada, more: Self.list([ids[0]]))
            let path = "/api/v1/statuses/" + id
            let body =
                #"{"status":"text","media_ids":["\#(ids[1])","\#(ids[0])"],"media_attributes":["#
                + #"{"id":"\#(ids[0])","description":"changed","focus":"0.5,0.5"}]}"#
            let edited = try await api.must(.put, path, as: ada, .json(body))
            #expect(edited["media_attachments"]?.ids == [ids[1], ids[0]])
            #expect(edited["media_attachments"]?[1]?["description"]?.text == "changed")
            // As in Mastodon, an edit without media_ids removes all.
            let bare = try await api.must(.put, path, as: ada, .form("status=text"))
            #expect(bare["media_attachments"] == .list([]))
            let history = try await api.must(.get, path + "/history", as: ada)
            #expect(history.list?.map { $0["media_attachments"]?.ids ?? ["?"] } == [[ids[0]], [ids[1], ids[0]], []])
            #expect(history[0]?["media_attachments"]?[0]?["description"]?.text == "picture 1")
            let blank = try await api.send(.put, path, as: ada, .form("status="))
            #expect(blank.status == 422)
        }
    }

    @Test func deletedStatusCanBePostedAgainWithItsAttachments() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let ids = try await Self.uploads(api, by: ada, 1)
            let status = try await api.must(
                .post, "/api/v1/statuses", as: ada, .form("status=x" + Self.list(ids)))
            let old = try MediaAPITests.path(status["media_attachments"]?[0]?["url"])
            let deleted = try await api.must(.delete, "/api/v1/statuses/\(status.ids[0])", as: ada)
            let new = try MediaAPITests.path(deleted["media_attachments"]?[0]?["url"])
            #expect(try await api.send(.get, old).status == 404)
            #expect(try await api.send(.get, new).status == 200)
            _ = try await api.post("again", by: ada, more: Self.list(ids))
        }
    }

    @Test func onlyMediaTimelinesOmitOtherStatuses() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let ids = try await Self.uploads(api, by: ada, 1)
            let wanted = try await api.post("picture #tag", by: ada, more: Self.list(ids))
            _ = try await api.post("text #tag", by: ada)
            let paths = [
                "timelines/public?only_media", "timelines/tag/tag?only_media", "accounts/\(ada.id)/statuses?only_media",
            ]
            for path in paths {
                #expect(try await api.send(.get, "/api/v1/\(path)=true").json?.ids == [wanted], "\(path)")
                #expect(try await api.send(.get, "/api/v1/\(path)=false").json?.ids.count == 2, "\(path)")
            }
        }
    }

    /// A cached page shows a changed description.
    @Test func changedDescriptionAppearsInTimelines() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let ids = try await Self.uploads(api, by: ada, 1)
            _ = try await api.post("picture", by: ada, more: Self.list(ids))
            #expect(try await api.send(.get, "/api/v1/timelines/public").text.contains("picture 1"))
            _ = try await api.must(.put, "/api/v1/media/\(ids[0])", as: ada, .form("description=better"))
            let page = try await api.send(.get, "/api/v1/timelines/public").text
            #expect(page.contains("better") && !page.contains("picture 1"))
            #expect(try await api.send(.delete, "/api/v1/media/\(ids[0])", as: ada).status == 422)
        }
    }
}
