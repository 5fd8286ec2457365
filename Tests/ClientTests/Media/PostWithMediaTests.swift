import FeedTestSupport
import Foundation
import HTTPTypes
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct PostWithMediaTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func files() throws -> [MediaFile] {
        [
            MediaFile(try folder.file("one.png", "1"), description: "first"),
            MediaFile(try folder.file("two.png", "22"), description: "second"),
        ]
    }

    @Test func filesAreAttachedInTheirOrder() async throws {
        let (server, files) = (MediaServer(), try files())
        let shown = Mutex<[String]>([])
        let posted = try await server.run { client in
            var draft = Draft(text: "hello")
            draft.mediaIDs = ["old"]
            draft.isSensitive = true
            return try await client.post(draft, attaching: files) { index, done in
                shown.withLock { $0.append("\(index):\(done)") }
            }
        }
        #expect(posted.status.id == "9" && shown.withLock { $0 } == ["0:1", "1:2"])
        #expect(server.lines == ["POST /api/v2/media", "POST /api/v2/media", "POST /api/v1/statuses"])
        let forms = server.bodies("POST /api/v2/media")
        #expect(forms[0].contains("first") && forms[1].contains("second"))
        let fields = try #require(server.bodies("POST /api/v1/statuses").first).split(separator: "&")
        #expect(fields.contains("status=hello") && fields.contains("sensitive=true"))
        #expect(
            fields.filter { $0.hasPrefix("media") } == [
                "media_ids%5B%5D=old", "media_ids%5B%5D=m1", "media_ids%5B%5D=m2",
            ])
    }

    @Test func uploadedFilesAreDeletedIfThePostFails() async throws {
        let files = try files()
        let server = MediaServer(
            special: [("POST /api/v1/statuses", { MediaServer.error(.unprocessableContent, "Text is too long") })])
        let error = await #expect(throws: FeedClientError.self) {
            try await server.run { try await $0.post(Draft(text: "x"), attaching: files) }
        }
        #expect(error?.message == "Text is too long")
        #expect(server.lines.suffix(2) == ["DELETE /api/v1/media/m1", "DELETE /api/v1/media/m2"])
    }

    /// The error names the file, and stays the same if the other file cannot be deleted.
    @Test func uploadedFilesAreDeletedIfAnotherOneIsRefused() async throws {
        let files = try files()
        let server = MediaServer(
            special: [
                ("DELETE", { MediaServer.error(.notFound, "Record not found") }),
                (
                    "POST /api/v2/media",
                    { MediaServer.json(#"{"id":"m0","type":"image","url":"http://feed.test/0"}"#) }
                ), ("POST /api/v2/media", { MediaServer.error(.unprocessableContent, "Unknown format") }),
            ])
        let error = await #expect(throws: FeedClientError.self) {
            try await server.run { try await $0.post(Draft(text: "x"), attaching: files) }
        }
        #expect(error?.message == "two.png: Unknown format" && error?.code == .failed)
        #expect(server.lines == ["POST /api/v2/media", "POST /api/v2/media", "DELETE /api/v1/media/m0"])
    }

    @Test func missingFileIsNoticedBeforeAnythingIsSent() async throws {
        let server = MediaServer()
        let files = try files() + [MediaFile(folder.path + "/nothing.png")]
        let error = await #expect(throws: FeedClientError.self) {
            try await server.run { try await $0.post(Draft(text: "x"), attaching: files) }
        }
        #expect(error?.code == .notFound && server.lines.isEmpty)
    }

    @Test func folderIsNoMediaFile() async throws {
        let (server, path) = (MediaServer(), folder.path)
        let error = await #expect(throws: FeedClientError.self) {
            try await server.run { try await $0.post(Draft(text: "x"), attaching: [MediaFile(path)]) }
        }
        #expect(error?.code == .failed && server.lines.isEmpty)
    }
}
