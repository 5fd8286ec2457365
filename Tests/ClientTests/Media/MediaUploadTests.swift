import FeedTestSupport
import Foundation
import HTTPTypes
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct MediaUploadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func fileIsSentWithDescriptionAndFocus() async throws {
        let server = MediaServer()
        let file = MediaFile(
            try folder.file("a\"b.png", "pixels"), description: "A cat\r\non a mat 猫",
            focus: Entity.MediaAttachment.Focus(x: -0.5, y: 1))
        let done = Mutex<Int64>(0)
        let media = try await server.run { client in
            try await client.uploadMedia(file) { bytes in done.withLock { $0 = bytes } }
        }
        #expect(media.id == "m1" && media.url == "http://feed.test/media/x/m1" && done.withLock { $0 } == 6)
        let body = try #require(server.bodies("POST /api/v2/media").first)
        for part in [
            "name=\"description\"\r\n\r\nA cat\r\non a mat 猫\r\n--", "name=\"focus\"\r\n\r\n-0.5,1.0\r\n--",
            "name=\"file\"; filename=\"a%22b.png\"\r\n", "\r\n\r\npixels\r\n--feedclient-",
        ] { #expect(body.contains(part), "\(part)") }
        #expect(server.lines == ["POST /api/v2/media"])
    }

    @Test func thumbnailIsSentBeforeTheFile() async throws {
        let server = MediaServer()
        let (file, picture) = (try folder.file("a.mp4", "film"), try folder.file("cover.png", "cover"))
        _ = try await server.run { try await $0.uploadMedia(MediaFile(file, thumbnail: picture)) }
        let body = try #require(server.bodies("POST /api/v2/media").first)
        let cover = try #require(body.range(of: "name=\"thumbnail\"; filename=\"cover.png\"\r\n"))
        let film = try #require(body.range(of: "name=\"file\"; filename=\"a.mp4\"\r\n"))
        #expect(cover.upperBound < film.lowerBound && body.contains("\r\n\r\ncover\r\n--feedclient-"))
        #expect(body.contains("\r\n\r\nfilm\r\n--feedclient-"))
        let missing = MediaFile(file, thumbnail: "/missing.png")
        let error = try await server.run { client in
            await #expect(throws: FeedClientError.self) { try await client.uploadMedia(missing) }
        }
        #expect(error?.code == .notFound && server.lines.count == 1)
    }

    @Test func fieldsWithoutAValueAreNotSent() async throws {
        let server = MediaServer()
        let file = MediaFile(try folder.file("a.png", "x"))
        _ = try await server.run { try await $0.uploadMedia(file) }
        let body = try #require(server.bodies("POST /api/v2/media").first)
        #expect(!body.contains("description") && !body.contains("focus"))
    }

    @Test func processingIsAwaited() async throws {
        let server = MediaServer(rounds: 3)
        let file = MediaFile(try folder.file("a.png", "x"))
        let media = try await server.run { client in
            try await client.uploadMedia(file, pauses: Array(repeating: .milliseconds(1), count: 10))
        }
        #expect(media.url != nil)
        #expect(server.lines == ["POST /api/v2/media"] + Array(repeating: "GET /api/v1/media/m1", count: 3))
    }

    @Test func endlessProcessingIsGivenUp() async throws {
        let server = MediaServer(rounds: .max)
        let file = MediaFile(try folder.file("a.png", "x"))
        let error = await #expect(throws: FeedClientError.self) {
            try await server.run { client in
                try await client.uploadMedia(file, pauses: Array(repeating: .milliseconds(1), count: 5))
            }
        }
        #expect(error?.code == .tryLater)
        #expect(server.lines.filter { $0.hasPrefix("GET") }.count == 5)
        #expect(server.lines.last == "DELETE /api/v1/media/m1")
    }

    @Test func failedProcessingIsReported() async throws {
        let server = MediaServer(
            rounds: 2,
            special: [("GET", { MediaServer.error(.unprocessableContent, "The file could not be processed") })])
        let file = MediaFile(try folder.file("a.png", "x"))
        let error = await #expect(throws: FeedClientError.self) {
            try await server.run { try await $0.uploadMedia(file, pauses: [.milliseconds(1), .milliseconds(1)]) }
        }
        #expect(error?.code == .failed && error?.message == "The file could not be processed")
        #expect(server.lines.last == "DELETE /api/v1/media/m1")
    }

    @Test func busyServerIsAskedAgain() async throws {
        let server = MediaServer(
            special: [("POST", { MediaServer.error(.serviceUnavailable, "Busy", [.retryAfter: "0"]) })])
        let file = MediaFile(try folder.file("a.png", "x"))
        let media = try await server.run { try await $0.uploadMedia(file) }
        #expect(media.id == "m1" && server.lines == ["POST /api/v2/media", "POST /api/v2/media"])
        #expect(Set(server.bodies("POST").map(\.count)).count == 1)
    }

    @Test(arguments: [(413, "too_large"), (422, "HEIC is not supported"), (507, "quota")] as [(Int, String)])
    func refusedFileIsNotSentAgain(status: Int, message: String) async throws {
        let server = MediaServer(special: [("POST", { MediaServer.error(.init(code: status), message) })])
        let file = MediaFile(try folder.file("a.heic", "x"))
        let error = await #expect(throws: FeedClientError.self) {
            try await server.run { try await $0.uploadMedia(file) }
        }
        #expect(error?.message == message && error?.status == status && server.lines.count == 1)
    }

    @Test func mediaIsUpdatedAndDeleted() async throws {
        let server = MediaServer()
        try await server.run { client in
            let focus = Entity.MediaAttachment.Focus(x: 0, y: -1)
            let media = try await client.updateMedia("a/b", description: "x & y", focus: focus)
            #expect(media.id == "a%2Fb")
            _ = try await client.media("m7")
            try await client.deleteMedia("m8")
        }
        #expect(
            server.lines == ["PUT /api/v1/media/a%2Fb", "GET /api/v1/media/m7", "DELETE /api/v1/media/m8"])
        #expect(server.bodies("PUT") == ["description=x%20%26%20y&focus=0.0%2C-1.0"])
    }

    @Test func pausesGrowAndEndAfterFiveMinutes() {
        let pauses = ProcessingPauses.standard
        #expect(pauses.first == .milliseconds(250) && pauses.last == .seconds(5))
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        let total = pauses.reduce(Duration.zero, +)
        #expect(total > .seconds(290) && total < .seconds(320))
    }
}
