import FeedAPI
import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Scheduling statuses as applications do.
@Suite(.hangLimit)
struct ScheduledStatusAPITests {
    private static let path = "/api/v1/scheduled_statuses"

    /// The time some minutes after the test's clock, for a form.
    private static func time(_ api: WebAPI, in minutes: Int64) -> String {
        ISO8601.text(milliseconds: api.test.store.clock.now + minutes * 60_000)
    }

    /// Schedules a status, and returns the response.
    private static func schedule(
        _ text: String, by person: Member, in minutes: Int64 = 10, _ api: WebAPI, more: String = "",
        headers: [String: String] = [:]
    ) async throws -> JSONValue {
        let form = "status=\(text)&scheduled_at=\(time(api, in: minutes))" + more
        let response = try await api.send(.post, "/api/v1/statuses", as: person, .form(form), headers: headers)
        try #require(response.status == 200, "\(response.summary)")
        return try #require(response.json)
    }

    static let bodies: [WebBody] = [
        .form("status=later&scheduled_at=2099-01-01T12%3A00%3A00%2B01%3A00&visibility=unlisted&language=de"),
        .json(
            #"{"status":"later","scheduled_at":"2099-01-01T11:00:00.000000Z","visibility":"unlisted","language":"de"}"#),
        .multipart([
            ("status", "later"), ("scheduled_at", "2099-01-01 11:00"), ("visibility", "unlisted"), ("language", "de"),
        ]),
    ]

    @Test func statusIsScheduledInAnyEncoding() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for body in Self.bodies {
                let scheduled = try await api.must(.post, "/api/v1/statuses", as: ada, body)
                #expect(EntityShape.scheduledStatus.check(scheduled, hasToken: true) == [])
                #expect(scheduled["scheduled_at"]?.text == "2099-01-01T11:00:00.000Z")
                let parameters = try #require(scheduled["params"])
                #expect(parameters["text"]?.text == "later" && parameters["visibility"]?.text == "unlisted")
                #expect(parameters["language"]?.text == "de" && parameters["sensitive"]?.flag == false)
                let id = try #require(scheduled.ids.first)
                #expect(try await api.must(.get, Self.path + "/" + id, as: ada) == scheduled)
            }
            #expect(try await api.must(.get, "/api/v1/timelines/home", as: ada).list == [])
            let me = try await api.must(.get, "/api/v1/accounts/verify_credentials", as: ada)
            #expect(me["statuses_count"]?.number == 0)
        }
    }

    /// An empty value, as forms without a chosen time send it.
    @Test func statusWithoutATimeIsPosted() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for body in [WebBody.form("status=now&scheduled_at="), .json(#"{"status":"now","scheduled_at":null}"#)] {
                let status = try await api.must(.post, "/api/v1/statuses", as: ada, body)
                #expect(EntityShape.status.check(status, hasToken: true) == [])
            }
        }
    }

    @Test func scheduledStatusIsMovedAndCanceled() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let first = try await Self.schedule("first", by: ada, api)
            let id = try #require(first.ids.first)
            let time = Self.time(api, in: 20)
            let moved = try await api.must(.put, Self.path + "/" + id, as: ada, .json(#"{"scheduled_at":"\#(time)"}"#))
            #expect(moved["scheduled_at"]?.text == time && moved["params"] == first["params"])
            let late = Self.time(api, in: 4)
            let refused = try await api.send(
                .put, Self.path + "/" + id, as: ada, .form("scheduled_at=" + late))
            #expect(refused.status == 422 && refused.text.contains("at least 5 minutes"), "\(refused.summary)")
            #expect(try await api.must(.get, Self.path, as: ada).list == [moved])
            let canceled = try await api.send(.delete, Self.path + "/" + id, as: ada)
            #expect(canceled.status == 200 && canceled.text == "{}")
            for method in [HTTPRequest.Method.get, .delete] {
                #expect(try await api.send(method, Self.path + "/" + id, as: ada).status == 404)
            }
            #expect(try await api.must(.get, Self.path, as: ada).list == [])
        }
    }

    @Test func pagesLinkToEachOther() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            var ids: [String] = []
            for number in 0..<45 { ids += try await Self.schedule("\(number)", by: ada, api).ids }
            var found: [String] = []
            var address: String? = Self.path + "?limit=7"
            while let path = address {
                let page = try await api.send(.get, path, as: ada)
                found += try #require(page.json).ids
                address = LinkHeader(page.headers[.link] ?? "").next?.replacing("http://feed.test", with: "")
            }
            #expect(found == ids.reversed())
            #expect(try await api.must(.get, Self.path, as: ada).ids == Array(ids.reversed().prefix(20)))
            #expect(try await api.must(.get, Self.path + "?limit=99", as: ada).ids == Array(ids.reversed().prefix(40)))
            let up = try await api.must(.get, Self.path + "?limit=2&min_id=\(ids[3])", as: ada)
            #expect(up.ids == [ids[5], ids[4]])
        }
    }

    @Test func repeatedRequestReturnsTheSameScheduledStatus() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let key = ["Idempotency-Key": "a key"]
            let form = "status=once&scheduled_at=" + Self.time(api, in: 6)
            func ask() async throws -> JSONValue {
                let response = try await api.send(.post, "/api/v1/statuses", as: ada, .form(form), headers: key)
                try #require(response.status == 200, "\(response.summary)")
                return try #require(response.json)
            }
            let first = try await ask()
            #expect(try await ask() == first)
            // Now it would be too soon.
            api.test.store.clock.now += 120_000
            #expect(try await ask() == first)
            #expect(try await api.must(.get, Self.path, as: ada).list == [first])
            api.test.store.clock.now += 600_000
            try await api.test.services.scheduling.publishDue()
            let status = try await ask()
            #expect(EntityShape.status.check(status, hasToken: true) == [])
            #expect(status["content"]?.text == "<p>once</p>" && status["application"]?["name"]?.text == "test app")
            #expect(try await api.must(.get, Self.path, as: ada).list == [])
            #expect(try await api.must(.get, "/api/v1/timelines/home", as: ada).ids == status.ids)
        }
    }

    /// Publishing changes cached pages like posting does.
    @Test func publishedStatusAppearsInCachedTimelines() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            _ = try await api.must(.post, "/api/v1/accounts/\(ada.id)/follow", as: bob)
            let media = try await MediaAPITests.upload(api, by: ada, 1, [("description", "a cat")])
            let scheduled = try await Self.schedule(
                "hello", by: ada, api, more: "&spoiler_text=cw&media_ids[]=" + media.ids[0])
            #expect(scheduled["media_attachments"]?.ids == media.ids)
            #expect(scheduled["params"]?["media_ids"] == .list([.text(media.ids[0])]))
            let pages = ["/api/v1/timelines/home", "/api/v1/timelines/public", "/api/v1/accounts/\(ada.id)/statuses"]
            for page in pages { #expect(try await api.must(.get, page, as: bob).list == []) }
            api.test.store.clock.now += 600_000
            try await api.test.services.scheduling.publishDue()
            for page in pages {
                let shown = try await api.must(.get, page, as: bob)
                #expect(shown.list?.count == 1 && shown[0]?["spoiler_text"]?.text == "cw", "\(page)")
                #expect(shown[0]?["media_attachments"]?.ids == media.ids && shown[0]?["sensitive"]?.flag == true)
                #expect(shown[0]?["created_at"]?.text ?? "" > scheduled["scheduled_at"]?.text ?? "~", "\(page)")
            }
        }
    }

    @Test func pollIsScheduled() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let poll = "&poll[options][]=a&poll[options][]=b&poll[expires_in]=3600&poll[multiple]=true"
            let scheduled = try await Self.schedule("which?", by: ada, api, more: poll)
            #expect(EntityShape.scheduledStatus.check(scheduled, hasToken: true) == [])
            let parameters = try #require(scheduled["params"]?["poll"])
            #expect(parameters["options"] == .list([.text("a"), .text("b")]) && parameters["multiple"]?.flag == true)
            #expect(parameters["expires_in"]?.text == "3600" && parameters["hide_totals"]?.flag == false)
            let form = "status=x&poll[options][]=a&poll[expires_in]=3600&scheduled_at=" + Self.time(api, in: 10)
            let refused = try await api.send(.post, "/api/v1/statuses", as: ada, .form(form))
            #expect(refused.status == 422 && refused.text.contains("more than one item"), "\(refused.summary)")
            api.test.store.clock.now += 600_000
            try await api.test.services.scheduling.publishDue()
            let shown = try await api.must(.get, "/api/v1/timelines/home", as: ada)
            #expect(shown.list?.count == 1 && shown[0]?["poll"]?["options"]?.list?.count == 2)
        }
    }

    /// The defaults of the account apply as they are when the status is scheduled, because its author has seen them then.
    @Test func defaultsAreThoseOfTheRequest() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let settings = "/api/v1/accounts/update_credentials"
            _ = try await api.must(.patch, settings, as: ada, .form("source[privacy]=private&source[language]=fr"))
            let scheduled = try await Self.schedule("later", by: ada, api)
            #expect(scheduled["params"]?["visibility"]?.text == "private")
            _ = try await api.must(.patch, settings, as: ada, .form("source[privacy]=public&source[language]=de"))
            api.test.store.clock.now += 600_000
            try await api.test.services.scheduling.publishDue()
            let shown = try await api.must(.get, "/api/v1/timelines/home", as: ada)
            #expect(shown[0]?["visibility"]?.text == "private" && shown[0]?["language"]?.text == "fr")
        }
    }
}
