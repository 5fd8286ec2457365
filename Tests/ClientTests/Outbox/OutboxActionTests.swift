import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// Reactions, follows and edits in the outbox.
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
        let line = try OutboxJournal.line(entry)
        #expect(String(decoding: line, as: UTF8.self).contains(#""version":2"#))
        #expect(OutboxJournal(id: "aaaaaa", line)?.entry == entry)
        let old = try #require(
            String(decoding: line, as: UTF8.self).replacing(#""version":2"#, with: #""version":1"#).data(using: .utf8))
        #expect(OutboxJournal(id: "aaaaaa", old) == nil)
    }

    /// The same command within an hour means the same action.
    @Test func repeatedActionIsStoredOnce() async throws {
        let folder = try TemporaryFolder()
        let outbox = Outbox(folder: folder.path)
        for _ in 0..<2 { try await outbox.add(Self.favourite, for: Self.account).release() }
        try await outbox.add(OutboxPost(.react(.boost, id: "7", undo: false)), for: Self.account).release()
        #expect(try await outbox.entries().count == 2)
    }
}
