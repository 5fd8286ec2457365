import FeedAPI
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Timelines of servers whose entities lack members, or contain faulty ones.
@Suite(.hangLimit)
struct ToleranceTests {
    /// A status of a server, with all members that some client needs.
    struct Sample: Sendable, CustomTestStringConvertible {
        let server: String
        let json: String

        var testDescription: String { server }
    }

    static let samples: [Sample] = [
        Sample(
            server: "Mastodon 3.0",
            json: """
                {"id":"1","created_at":"2019-11-01T00:00:00.000Z","in_reply_to_id":null,"in_reply_to_account_id":null,\
                "sensitive":false,"spoiler_text":"","visibility":"public","language":null,"uri":"https://a/1","url":null,\
                "replies_count":0,"reblogs_count":0,"favourites_count":0,"content":"<p>x</p>","reblog":null,\
                "application":null,"account":{"id":"2","username":"ada","acct":"ada","display_name":"","locked":false,\
                "bot":null,"note":"","url":"https://a/@ada","avatar":"https://a/a.png","emojis":[],"fields":[]},\
                "media_attachments":[],"mentions":[],"tags":[],"emojis":[],"card":null,"poll":null}
                """),
        Sample(
            server: "Mastodon 4.4",
            json: """
                {"id":"1","created_at":"2025-07-01T00:00:00.000Z","edited_at":null,"sensitive":false,"spoiler_text":"",\
                "visibility":"unlisted","language":"en","content":"<p>x</p>","quote":{"state":"accepted"},\
                "quote_approval":{"automatic":[]},"filtered":[],"reblog":null,"application":{"name":"Web","website":null},\
                "account":{"id":"2","username":"ada","acct":"ada@b.test","display_name":"Ada","roles":[],"noindex":false},\
                "media_attachments":[{"id":"3","type":"image","url":null,"preview_url":null,"meta":null}],\
                "mentions":[{"id":"4","username":"bob","url":"https://b/@bob","acct":"bob@b.test"}],\
                "tags":[{"name":"x","url":"https://a/tags/x"}],"card":null,"poll":null}
                """),
        Sample(
            server: "GoToSocial",
            json: """
                {"id":"01ABC","created_at":"2024-01-01T00:00:00.000Z","in_reply_to_id":null,"sensitive":false,\
                "spoiler_text":"","visibility":"public","language":null,"content":"<p>x</p>","reblog":null,\
                "application":{"name":"tusky"},"account":{"id":"01DEF","username":"ada","acct":"ada","display_name":"",\
                "avatar":"","enable_rss":true},"media_attachments":[],"mentions":[],"tags":[],"card":null,"poll":null,\
                "text":"x","interaction_policy":{"can_reply":{"always":["public"]}}}
                """),
        Sample(
            server: "Pleroma",
            json: """
                {"id":"AbCdEf","created_at":"2023-01-01T00:00:00.000Z","content":"x","visibility":"local",\
                "spoiler_text":null,"sensitive":false,"application":null,"language":null,"bookmarked":false,\
                "account":{"id":"XyZ","username":"ada","acct":"ada","display_name":null,"avatar":null,"note":null,\
                "pleroma":{"is_admin":false}},"media_attachments":null,"mentions":null,"tags":null,\
                "pleroma":{"content":{"text/plain":"x"},"emoji_reactions":[]}}
                """),
        Sample(
            server: "Pixelfed",
            json: """
                {"id":"1","created_at":"2023-01-01T00:00:00.000Z","content":null,"spoiler_text":null,"visibility":null,\
                "application":{"name":null,"website":null},"account":{"id":7,"acct":"ada","username":null,\
                "display_name":null},"media_attachments":[{"id":"3","type":"image","url":"https://p/1.jpg",\
                "meta":{"original":null}}],"mentions":[],"tags":[{"name":null}],"in_reply_to_id":5,"content_text":null}
                """),
    ]

    /// The members without which a status cannot be shown.
    private static let required: Set<String> = ["id", "created_at", "account"]

    private static func decode(_ object: [String: Any]) -> Entity.Status? {
        guard let data = try? JSONSerialization.data(withJSONObject: object) else { return nil }
        return try? JSONDecoder().decode(Entity.Status.self, from: data)
    }

    @Test(arguments: samples)
    func statusOfServerIsRead(sample: Sample) throws {
        let status = try JSONDecoder().decode(Entity.Status.self, from: Data(sample.json.utf8))
        #expect(!status.id.isEmpty && status.account.username == "ada" && !status.visibility.isEmpty)
    }

    /// Each member may be missing, or `null`, apart from the few that are required.
    @Test(arguments: samples)
    func everyOptionalMemberMayBeMissing(sample: Sample) throws {
        let full = try #require(
            try JSONSerialization.jsonObject(with: Data(sample.json.utf8)) as? [String: Any])
        let account = try #require(full["account"] as? [String: Any])
        for name in full.keys {
            for value in [nil, NSNull()] as [Any?] {
                var object = full
                object[name] = value
                #expect((Self.decode(object) != nil) == !Self.required.contains(name), "\(name)")
            }
        }
        for name in account.keys where name != "id" && name != "acct" {
            for value in [nil, NSNull()] as [Any?] {
                var (object, owner) = (full, account)
                owner[name] = value
                object["account"] = owner
                #expect(Self.decode(object) != nil, "account.\(name)")
            }
        }
    }

    /// A status that is broken in one member is skipped with one warning; the others are shown.
    @Test func faultyStatusDoesNotHideTheOthers() async throws {
        let good = MediaServer.status("1")
        let faults: [(member: String, value: String)] = [
            ("content", "7"), ("created_at", "null"), ("account", "{}"), ("sensitive", "\"maybe\""),
            ("spoiler_text", "[]"), ("replies_count", "\"many\""), ("visibility", "{}"), ("mentions", "5"),
            ("application", "3"), ("in_reply_to_id", "[]"), ("reblog", "{\"id\":\"9\"}"),
        ]
        for (member, value) in faults {
            let bad = try Self.replacing(member, by: value, in: MediaServer.status("66"))
            let (entries, skipped) = try await Self.read("[\(good),\(bad),\(MediaServer.status("3"))]")
            #expect(entries.map(\.status.id) == ["1", "3"], "\(member)")
            #expect(skipped.map(\.kind) == ["status"] && skipped.map(\.id) == ["66"], "\(member)")
            #expect(skipped.first?.field.hasPrefix(member) == true, "\(member): \(skipped)")
        }
    }

    /// A faulty mention or file is skipped alone.
    @Test func faultyPartDoesNotHideItsStatus() async throws {
        let mentions = #"[{"id":"4","acct":"bob"},{"id":"5"},"x"]"#
        let status = try Self.replacing("mentions", by: mentions, in: MediaServer.status("1"))
        let (entries, skipped) = try await Self.read("[\(status)]")
        #expect(entries.first?.status.mentions.map(\.id) == ["4"])
        #expect(skipped.map(\.kind) == ["mention", "mention"] && skipped.map(\.id) == ["5", nil])
    }

    /// The statuses after a page whose last one is faulty are still found.
    @Test func pagesContinueAfterAFaultyStatus() async throws {
        let requests = Mutex<[String?]>([])
        let client: @Sendable (Int) async throws -> [String] = { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            let found = try? await client.statuses(of: .public, count: 3).map(\.status.id)
            await client.shutdown()
            return found ?? []
        }
        let found = try await LocalServer.serving(
            { request in
                let before = request.uri.queryParameters["max_id"]
                requests.withLock { $0.append(before) }
                let bad = #"{"id":"8"}"#
                let body = before == nil ? "[\(MediaServer.status("9")),\(bad)]" : "[\(MediaServer.status("7"))]"
                var response = Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: body)))
                if before == nil {
                    response.headers[.init("Link") ?? .server] = "<http://127.0.0.1/next>; rel=\"next\""
                }
                return response
            }, client)
        #expect(found == ["9", "7"] && requests.withLock { $0 } == [nil, "8"])
    }

    // MARK: Helpers

    private static func replacing(_ member: String, by value: String, in json: String) throws -> String {
        var object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        object[member] = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
        return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    /// Reads a public timeline.
    private static func read(_ body: String) async throws -> (entries: [TimelineEntry], skipped: [SkippedEntity]) {
        try await LocalServer.serving({ _ in
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: body)))
        }) { port in
            let skipped = Mutex<[SkippedEntity]>([])
            let client = FeedClient(
                server: try ServerAddress("http://127.0.0.1:\(port)"),
                onSkip: { entity in skipped.withLock { $0.append(entity) } })
            let entries = try? await client.timeline(.public).entries
            await client.shutdown()
            return (try #require(entries), skipped.withLock { $0 })
        }
    }
}
