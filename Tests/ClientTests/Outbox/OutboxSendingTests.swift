import FeedAPI
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedClientKit

/// The requests for each kind of server. `EndToEnd` uses the real server; here, the server is an unknown one.
@Suite(.hangLimit)
struct OutboxSendingTests {
    private static let account = OutboxAccount(server: "http://a.test", username: "ada")
    private static let post = "POST /api/v1/statuses"
    private static let person = #"{"id":"1","username":"ada","acct":"ada","display_name":""}"#

    private let folder: TemporaryFolder
    private let outbox: Outbox

    init() throws {
        folder = try TemporaryFolder()
        outbox = Outbox(folder: folder.path)
    }

    private static func status(_ id: String, _ content: String, at time: String) -> String {
        #"{"id":"\#(id)","created_at":"\#(time)","account":\#(person),"content":"<p>\#(content)</p>","#
            + #""visibility":"public","spoiler_text":"","mentions":[],"tags":[]}"#
    }

    private static var now: String { ISO8601.text(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

    private func send(_ server: MediaServer, _ trigger: OutboxTrigger, files: [MediaFile] = []) async throws
        -> OutboxResult
    {
        let claim = try await outbox.add(OutboxPost(draft: Draft(text: "hello"), files: files), for: Self.account)
        return try await server.run { try await claim.send(with: $0, trigger) }
    }

    private static func kept(_ result: OutboxResult) -> OutboxState? {
        if case .kept(let entry, _) = result { entry.state } else { nil }
    }

    private var drafts: [StoredDraft] { DraftStore(folder: folder.path).drafts() }

    @Test func deliveredPostIsRemoved() async throws {
        let server = MediaServer()
        guard case .delivered(_, .posted(let posted)) = try await send(server, .automatic) else {
            Issue.record("it was kept")
            return
        }
        #expect(posted.status.id == "9" && server.lines == [Self.post])
        #expect(try await outbox.entries().isEmpty)
    }

    /// The state is on the disk when the request arrives.
    @Test func stateIsStoredBeforeTheRequest() async throws {
        let path = folder.path
        let server = MediaServer(
            special: [
                (
                    "POST /api/v1/statuses",
                    {
                        let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/outbox")) ?? []
                        let data = names.first.flatMap { FileManager.default.contents(atPath: path + "/outbox/" + $0) }
                        let isStored = data.map { String(decoding: $0, as: UTF8.self).contains("\"sending\"") } ?? false
                        return isStored ? MediaServer.json(MediaServer.status("9")) : MediaServer.error(.conflict, "no")
                    }
                )
            ])
        #expect(Self.kept(try await send(server, .automatic)) == nil)
    }

    /// A server that is not known to honor keys gets the request only once. The status is found among the others.
    @Test func unknownServerIsSearched() async throws {
        let failure = MediaServer(special: [
            ("POST /api/v1/statuses", { MediaServer.error(.badGateway, "bad gateway") })
        ])
        let first = try await send(failure, .automatic)
        guard case .sending? = Self.kept(first) else {
            Issue.record("\(first)")
            return
        }
        let older = Self.status("4", "hello", at: "2020-01-01T00:00:00.000Z")
        let list = "[\(Self.status("6", "other", at: Self.now)),\(Self.status("5", "hello", at: Self.now)),\(older)]"
        let server = MediaServer(
            special: [
                ("GET /api/v1/accounts/verify_credentials", { MediaServer.json(Self.person) }),
                ("GET /api/v1/accounts/1/statuses", { MediaServer.json(list) }),
            ])
        guard case .delivered(_, .posted(let found)) = try await send(server, .automatic) else {
            Issue.record("it was not found")
            return
        }
        #expect(found.status.id == "5" && !server.lines.contains(Self.post), "\(server.lines)")
        #expect(try await outbox.entries().isEmpty)
    }

    @Test func postThatIsNotFoundBecomesUnclear() async throws {
        _ = try await send(
            MediaServer(special: [("POST /api/v1/statuses", { MediaServer.error(.badGateway, "x") })]), .automatic)
        let older = "[\(Self.status("4", "hello", at: "2020-01-01T00:00:00.000Z"))]"
        let server = MediaServer(
            special: [
                ("GET /api/v1/accounts/verify_credentials", { MediaServer.json(Self.person) }),
                ("GET /api/v1/accounts/1/statuses", { MediaServer.json(older) }),
            ])
        guard case .unclear? = Self.kept(try await send(server, .flush)) else {
            Issue.record("it is not unclear")
            return
        }
        #expect(!server.lines.contains(Self.post))
        let silent = MediaServer()
        _ = try await silent.run { [outbox] in try await outbox.flush(Self.account, with: $0) }
        #expect(silent.lines.isEmpty)
        #expect(Self.kept(try await send(silent, .resend)) == nil && silent.lines.last == Self.post)
    }

    /// The status with the uploaded files is the post, even if the server has changed its text; one with others is not.
    @Test func uploadedMediaIdentifyThePost() async throws {
        let files = [MediaFile(try folder.file("a.png", "1"))]
        _ = try await send(
            MediaServer(special: [("POST /api/v1/statuses", { MediaServer.error(.badGateway, "x") })]), .automatic,
            files: files)
        for (id, text, isFound) in [("m2", "hello", false), ("m1", "changed", true)] {
            let status = String(Self.status("5", text, at: Self.now).dropLast())
            let list = "[" + status + #","media_attachments":[{"id":"\#(id)","type":"image"}]}]"#
            let server = MediaServer(
                special: [
                    ("GET /api/v1/accounts/verify_credentials", { MediaServer.json(Self.person) }),
                    ("GET /api/v1/accounts/1/statuses", { MediaServer.json(list) }),
                ])
            let result = try await send(server, .flush, files: files)
            #expect((Self.kept(result) == nil) == isFound && !server.lines.contains(Self.post), "\(id): \(result)")
        }
        #expect(try await outbox.entries().isEmpty)
    }

    /// A server that honors keys gets the same request again, with the same media.
    @Test func knownServerGetsTheSameRequest() async throws {
        let files = [MediaFile(try folder.file("a.png", "1"))]
        let failure = MediaServer(special: [
            ("POST /api/v1/statuses", { MediaServer.error(.serviceUnavailable, "x") })
        ])
        _ = try await send(failure, .automatic, files: files)
        let deletions = failure.lines.filter { $0.hasPrefix("DELETE") }
        #expect(deletions.isEmpty, "\(deletions)")
        let instance = #"{"uri":"a","title":"A","version":"4.3.0"}"#
        let server = MediaServer(special: [("GET /api/v1/instance", { MediaServer.json(instance) })])
        #expect(Self.kept(try await send(server, .automatic, files: files)) == nil)
        #expect(server.lines == ["GET /api/v1/instance", Self.post])
        #expect(server.bodies(Self.post) == failure.bodies(Self.post))
        #expect(server.bodies(Self.post).first?.contains("m1") == true)
    }

    @Test func refusedPostBecomesADraft() async throws {
        let files = [MediaFile(try folder.file("a.png", "1"))]
        let server = MediaServer(special: [
            ("POST /api/v1/statuses", { MediaServer.error(.unprocessableContent, "too long") })
        ])
        let result = try await send(server, .automatic, files: files)
        guard case .refused(let entry, _?) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(server.lines.last == "DELETE /api/v1/media/m1")
        #expect(try await outbox.entries().isEmpty)
        let draft = try #require(drafts.first)
        #expect(drafts.count == 1 && draft.id == entry.id && draft.reason == "too long")
        #expect(draft.post == entry.post && draft.post.files == files && draft.account == Self.account)
    }

    /// A post with only media is no exception, and repeating the command makes no second draft.
    @Test func refusedMediaWithoutATextAreADraft() async throws {
        let files = [MediaFile(try folder.file("a.png", "1"), description: "a boat")]
        let server = MediaServer(
            special: (0..<2).map { _ in
                ("POST /api/v1/statuses", { MediaServer.error(.unprocessableContent, "no") })
            })
        for _ in 0..<2 {
            let claim = try await outbox.add(OutboxPost(draft: Draft(text: ""), files: files), for: Self.account)
            _ = try await server.run { try await claim.send(with: $0) }
        }
        #expect(drafts.map(\.post.files) == [files])
        #expect(try await outbox.entries().isEmpty)
    }

    /// A refused post that a crash or a full disk has left in the outbox becomes a draft without a request.
    @Test func flushMovesWhatWasRefusedEarlier() async throws {
        let blocker = try folder.file("drafts", "")
        let server = MediaServer(special: [
            ("POST /api/v1/statuses", { MediaServer.error(.unprocessableContent, "no") })
        ])
        #expect(Self.kept(try await send(server, .automatic)) == .refused(message: "no"))
        #expect(try await outbox.entries().map(\.state) == [.refused(message: "no")])
        try FileManager.default.removeItem(atPath: blocker)
        let silent = MediaServer()
        _ = try await silent.run { [outbox] in try await outbox.flush(Self.account, with: $0) }
        #expect(silent.lines.isEmpty && drafts.map(\.reason) == ["no"])
        #expect(try await outbox.entries().isEmpty)
    }

    /// The post has not been sent when the upload of its media fails.
    @Test func failedUploadLeavesNoDoubt() async throws {
        let files = [MediaFile(try folder.file("a.png", "1"))]
        let server = MediaServer(
            special: [
                ("POST /api/v2/media", { MediaServer.error(.badGateway, "x") }),
                ("POST /api/v2/media", { MediaServer.error(.badGateway, "x") }),
                ("POST /api/v2/media", { MediaServer.error(.badGateway, "x") }),
            ])
        #expect(Self.kept(try await send(server, .automatic, files: files)) == .new)
        #expect(!server.lines.contains(Self.post))
        try FileManager.default.removeItem(atPath: files[0].path)
        let claim = try await outbox.claim(try #require(try await outbox.entries().first).id)
        let result = try await MediaServer().run { try await claim.send(with: $0) }
        guard case .refused = result else {
            Issue.record("\(result)")
            return
        }
        #expect(drafts.map(\.post.files) == [files])
    }

    /// No request is sent if the state cannot be stored.
    @Test func requestWaitsForTheDisk() async throws {
        _ = try await outbox.add(OutboxPost(draft: Draft(text: "hello")), for: Self.account)
        var failing = outbox
        failing.calls.injectedError = { $0 == .sync ? EIO : nil }
        let claim = try await failing.claim(try #require(try await outbox.entries().first).id)
        let server = MediaServer()
        let error = await #expect(throws: FeedClientError.self) {
            try await server.run { try await claim.send(with: $0) }
        }
        #expect(error?.code == .disk && server.lines.isEmpty)
    }

    /// After an error of the server itself, the rest waits; a refused post does not delay the others.
    @Test func oldestPostIsSentFirst() async throws {
        for (number, text) in ["one", "two", "three"].enumerated() {
            var timed = outbox
            timed.clock = { 1_700_000_000_000 + Int64(number) }
            _ = try await timed.add(OutboxPost(draft: Draft(text: text)), for: Self.account)
        }
        let server = MediaServer(
            special: [
                ("POST /api/v1/statuses", { MediaServer.error(.unprocessableContent, "no") }),
                ("POST /api/v1/statuses", { MediaServer.error(.tooManyRequests, "slower") }),
            ])
        let error = try await server.run { [outbox] in try await outbox.flush(Self.account, with: $0) }
        #expect(error?.code == .tryLater)
        #expect(server.bodies(Self.post) == ["status=one", "status=two"])
        #expect(try await outbox.entries().map(\.post.draft.text) == ["two", "three"])
        #expect(drafts.map(\.post.draft.text) == ["one"])
    }
}
