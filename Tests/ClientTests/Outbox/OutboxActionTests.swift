import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedClientKit

/// Actions in the outbox; ``OutboxRepetitionTests`` repeats them after a lost response.
@Suite(.hangLimit)
struct OutboxActionTests {
    private static let account = OutboxAccount(server: "http://127.0.0.1", username: "ada")
    private static let favourite = OutboxPost(.react(.favourite, id: "7", undo: false))
    private static let edit = OutboxPost(.edit(id: "7"), draft: Draft(text: "better"))

    private static func status() -> Response { MediaServer.json(MediaServer.status("7")) }

    /// A lost response leaves the outcome unknown; the same request is simply sent again.
    @Test func unknownOutcomeIsRepeated() {
        let delivery = OutboxDelivery(.sending(since: 1, mediaIDs: []), .automatic, isRepeatable: true)
        #expect(delivery.firstAction == .send)
        var second = delivery
        second.begin(mediaIDs: [], now: 5)
        second.end(.refused(message: "no"))
        #expect(second.state == .refused(message: "no"))
    }

    @Test func actionsArePerformedInTheirOrder() async throws {
        let folder = try TemporaryFolder()
        let paths = [
            "POST /api/v1/statuses/7/favourite", "POST /api/v1/statuses/7/unfavourite", "PUT /api/v1/statuses/7",
        ]
        let server = MediaServer(special: paths.map { (line: $0, response: { Self.status() }) })
        try await server.run { client in
            let outbox = Outbox(folder: folder.path)
            for post in [Self.favourite, OutboxPost(.react(.favourite, id: "7", undo: true)), Self.edit] {
                try await outbox.add(post, for: Self.account).release()
            }
            let interruption = try await outbox.flush(Self.account, with: client)
            #expect(interruption == nil)
            #expect(try await outbox.entries().isEmpty)
        }
        #expect(server.lines == paths && server.bodies("PUT").first?.contains("status=better") == true)
    }

    /// Only the text of an edit is worth keeping.
    @Test func refusedActionLeavesOnlyItsText() async throws {
        let folder = try TemporaryFolder()
        try await MediaServer().run { client in
            let outbox = Outbox(folder: folder.path)
            for post in [Self.favourite, Self.edit] {
                let result = try await outbox.add(post, for: Self.account).send(with: client)
                guard case .refused(let entry, let error) = result else {
                    Issue.record("\(result)")
                    continue
                }
                #expect(entry.post == post && (error as? FeedClientError)?.status == 404)
            }
            #expect(try await outbox.entries().isEmpty)
        }
        let drafts = DraftStore(folder: folder.path).drafts()
        #expect(drafts.map(\.post.draft.text) == ["better"] && drafts.first?.editedID == "7")
        #expect(drafts.first?.post.action == nil)
    }

    /// Earlier versions of the program would post the text of an edit as a new status.
    @Test func earlierVersionsDoNotReadActions() throws {
        let entry = OutboxEntry(
            id: "aaaaaa", account: Self.account, post: Self.edit, idempotencyKey: "k", createdAt: 1, state: .new)
        let line = try OutboxFileFormat.line(entry)
        #expect(String(decoding: line, as: UTF8.self).contains(#""version":2"#))
        #expect(OutboxFileFormat(id: "aaaaaa", line)?.entry == entry)
        let old = try #require(
            String(decoding: line, as: UTF8.self).replacing(#""version":2"#, with: #""version":1"#).data(using: .utf8))
        #expect(OutboxFileFormat(id: "aaaaaa", old) == nil)
    }

    /// The same command within an hour means the same action.
    @Test func repeatedActionIsStoredOnce() async throws {
        let folder = try TemporaryFolder()
        let outbox = Outbox(folder: folder.path)
        for _ in 0..<2 { try await outbox.add(Self.favourite, for: Self.account).release() }
        try await outbox.add(OutboxPost(.react(.boost, id: "7", undo: false)), for: Self.account).release()
        #expect(try await outbox.entries().count == 2)
    }

    /// What was undone in between is done again.
    @Test func actionAfterItsOppositeIsStoredAgain() async throws {
        let folder = try TemporaryFolder()
        let outbox = Outbox(folder: folder.path)
        let create = OutboxPost(.changeList(.create(title: "Sailors", repliesPolicy: nil, exclusive: false)))
        let posts = [
            Self.favourite, OutboxPost(.react(.favourite, id: "7", undo: true)), Self.favourite, create,
            OutboxPost(.changeList(.add(["bob"], to: "Sailors"))), create,
        ]
        for post in posts { try await outbox.add(post, for: Self.account).release() }
        // Only the second list would be one too many.
        #expect(try await outbox.entries().map(\.post) == Array(posts.dropLast()))
    }

    @Test func everyKindIsPerformedInItsOrder() async throws {
        let folder = try TemporaryFolder()
        let account = #"{"id":"2","username":"bob","acct":"bob","display_name":""}"#
        let relationship = #"{"id":"2","following":false}"#
        let rows: [(action: OutboxAction, requests: [(line: String, response: String)])] = [
            (.delete(id: "7"), [("DELETE /api/v1/statuses/7", MediaServer.status("7"))]),
            (
                .block("@bob", undo: false),
                [("GET /api/v1/accounts/lookup", account), ("POST /api/v1/accounts/2/block", relationship)]
            ),
            (
                .block("bob", undo: true),
                [("GET /api/v1/accounts/lookup", account), ("POST /api/v1/accounts/2/unblock", relationship)]
            ),
            (
                .mute("bob", seconds: 60, hidesNotifications: true),
                [("GET /api/v1/accounts/lookup", account), ("POST /api/v1/accounts/2/mute", relationship)]
            ),
            (
                .unmute("bob"),
                [("GET /api/v1/accounts/lookup", account), ("POST /api/v1/accounts/2/unmute", relationship)]
            ),
            (.followTag("kites", undo: false), [("POST /api/v1/tags/kites/follow", #"{"name":"kites","url":""}"#)]),
            (
                .changeList(.create(title: "Sailors", repliesPolicy: nil, exclusive: false)),
                [("POST /api/v1/lists", #"{"id":"5","title":"Sailors"}"#)]
            ),
            (
                .changeList(.add(["bob"], to: "Sailors")),
                [
                    ("GET /api/v1/lists", #"[{"id":"5","title":"Sailors"}]"#), ("GET /api/v1/accounts/lookup", account),
                    ("POST /api/v1/lists/5/accounts", "{}"),
                ]
            ),
            (
                .changeList(.remove(["bob"], from: "5")),
                [
                    ("GET /api/v1/lists", #"[{"id":"5","title":"Sailors"}]"#), ("GET /api/v1/accounts/lookup", account),
                    ("DELETE /api/v1/lists/5/accounts", "{}"),
                ]
            ),
            (
                .changeList(.delete("sailors")),
                [("GET /api/v1/lists", #"[{"id":"5","title":"Sailors"}]"#), ("DELETE /api/v1/lists/5", "{}")]
            ),
        ]
        let requests = rows.flatMap(\.requests)
        let server = MediaServer(
            special: requests.map { request in (line: request.line, response: { MediaServer.json(request.response) }) })
        try await server.run { client in
            let outbox = Outbox(folder: folder.path)
            for row in rows { try await outbox.add(OutboxPost(row.action), for: Self.account).release() }
            let interruption = try await outbox.flush(Self.account, with: client)
            #expect(interruption == nil)
            #expect(try await outbox.entries().isEmpty)
        }
        #expect(server.lines == requests.map(\.line))
    }

    /// The order of two actions on the same thing decides what is left of them.
    @Test func actionWaitsForAnEarlierOne() async throws {
        let folder = try TemporaryFolder()
        let server = MediaServer(special: [
            ("POST /api/v1/statuses/7/favourite", { MediaServer.error(.badGateway, "x") })
        ])
        try await server.run { client in
            let outbox = Outbox(folder: folder.path)
            try await outbox.add(Self.favourite, for: Self.account).release()
            let undo = OutboxPost(.react(.favourite, id: "7", undo: true))
            let result = try await outbox.send(try await outbox.add(undo, for: Self.account), with: client)
            guard case .kept(let entry, let error as FeedClientError) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(entry.post == undo && entry.state == .new && error.status == 502)
            // A post has nothing to do with them.
            let post = try await outbox.add(OutboxPost(draft: Draft(text: "hello")), for: Self.account)
            #expect(try await outbox.entries().count == 3)
            post.release()
        }
        #expect(server.lines == ["POST /api/v1/statuses/7/favourite"])
    }

    /// A mute that has waited ends when the user wanted it to end.
    @Test func muteEndsInTime() async throws {
        let folder = try TemporaryFolder()
        let account = #"{"id":"2","username":"bob","acct":"bob","display_name":""}"#
        let server = MediaServer(special: [
            ("GET /api/v1/accounts/lookup", { MediaServer.json(account) }),
            ("POST /api/v1/accounts/2/mute", { MediaServer.json(#"{"id":"2"}"#) }),
        ])
        try await server.run { client in
            var outbox = Outbox(folder: folder.path)
            outbox.clock = { 1_700_000_000_000 }
            let mute = OutboxPost(.mute("bob", seconds: 3600, hidesNotifications: true))
            try await outbox.add(mute, for: Self.account).release()
            outbox.clock = { 1_700_000_600_000 }
            try await outbox.flush(Self.account, with: client)
            #expect(try await outbox.entries().isEmpty)
            let late = try await outbox.add(mute, for: Self.account)
            late.release()
            outbox.clock = { 1_700_004_200_000 }
            var refused: [OutboxResult] = []
            try await outbox.flush(Self.account, with: client) { refused.append($0) }
            guard case .refused? = refused.first else {
                Issue.record("\(refused)")
                return
            }
        }
        #expect(server.bodies("POST").first?.hasPrefix("duration=3000&") == true, "\(server.bodies("POST"))")
        #expect(server.lines.count == 2)
    }
}
