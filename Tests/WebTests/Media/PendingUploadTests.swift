import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import Synchronization
import TestKit
import Testing

/// Uploads whose processing takes longer than the response may.
@Suite(.hangLimit)
struct PendingUploadTests {
    private static func run(
        _ latch: Latch, _ body: @escaping @Sendable (WebAPI) async throws -> Void
    ) async throws {
        let test = try TestServices()
        var services = test.services
        services.processing = TestProcessing(blobs: services.blobs, latch: latch)
        services.mediaQueue = MediaQueue(responseTime: .milliseconds(100))
        try await WebAPI.run(test, services, body)
    }

    /// Uploads a file to `/api/v2/media`, which must respond before it is processed.
    private static func begin(_ api: WebAPI, _ bytes: [UInt8], by person: Member) async throws -> String {
        let body = WebBody.files([("file", bytes)], [("description", "slow")])
        let response = try await api.send(.post, "/api/v2/media", as: person, body)
        #expect(response.status == 202 && response.json?["url"] == .null, "\(response.summary)")
        #expect(response.json?["description"]?.text == "slow")
        #expect(EntityShape.mediaAttachment.check(try #require(response.json)) == [])
        return try #require(response.json?["id"]?.text)
    }

    @Test func slowUploadIsCompletedAfterTheResponse() async throws {
        let latch = Latch()
        try await Self.run(latch) { api in
            let ada = try await api.person("ada")
            let id = try await Self.begin(api, SampleMedia.png(), by: ada)
            let path = "/api/v1/media/" + id
            let early = try await api.send(.get, path, as: ada)
            #expect(early.status == 206 && early.json?["url"] == .null, "\(early.summary)")
            let status = try await api.send(.post, "/api/v1/statuses", as: ada, .form("status=x&media_ids[]=\(id)"))
            #expect(status.status == 422 && status.text.contains("not finished processing"))
            let changed = try await api.must(.put, path, as: ada, .form("description=changed"))
            #expect(changed["description"]?.text == "changed")
            latch.open()
            try await Wait.until("the upload is processed") {
                try await api.send(.get, path, as: ada).status == 200
            }
            let media = try await api.must(.get, path, as: ada)
            #expect(media["description"]?.text == "changed" && media["url"] != .null)
            let posted = try await api.must(.post, "/api/v1/statuses", as: ada, .form("media_ids[]=\(id)"))
            #expect(posted["media_attachments"]?[0] == media)
            try await Wait.until("the upload is removed") { try api.test.temporaryFiles().isEmpty }
        }
    }

    @Test func slowUploadThatFailsIsReported() async throws {
        let latch = Latch()
        try await Self.run(latch) { api in
            let ada = try await api.person("ada")
            let id = try await Self.begin(api, Array("no image".utf8), by: ada)
            latch.open()
            // Each request moves the clock, so the time for the processing may pass before that.
            try await Wait.until("the upload has failed") {
                let response = try await api.send(.get, "/api/v1/media/" + id, as: ada)
                return response.status == 422 && response.text.contains("File is not an image")
            }
            let status = try await api.send(.post, "/api/v1/statuses", as: ada, .form("status=x&media_ids[]=\(id)"))
            #expect(status.status == 422 && status.text.contains("could not be processed"))
            #expect(try await api.must(.delete, "/api/v1/media/" + id, as: ada) == .object([:]))
        }
    }

    @Test func uploadDeletedDuringItsProcessingLeavesNothingBehind() async throws {
        let latch = Latch()
        try await Self.run(latch) { api in
            let ada = try await api.person("ada")
            let id = try await Self.begin(api, SampleMedia.png(), by: ada)
            _ = try await api.must(.delete, "/api/v1/media/" + id, as: ada)
            latch.open()
            let account = try #require(Int64(ada.id))
            try await Wait.until("the blobs are listed for collection") {
                try await api.test.store.files.replaced(of: account, limit: 9).count == 2
            }
            try await api.test.collect()
            #expect(try await api.test.blobs() == 0)
        }
    }

    /// Counts the uploads that it has begun to process, until the latch is open.
    private struct CountingProcessing: MediaProcessing {
        let processing: TestProcessing
        let begun: Counter

        final class Counter: Sendable {
            private let value = Atomic(0)

            var count: Int { value.load(ordering: .relaxed) }

            func add() { value.add(1, ordering: .relaxed) }
        }

        func process(_ path: String, limits: MediaLimits) async throws -> ProcessedMedia {
            begun.add()
            return try await processing.process(path, limits: limits)
        }
    }

    @Test func uploadsOfOneAccountLeaveRoomForOthers() async throws {
        let latch = Latch()
        let test = try TestServices()
        var services = test.services
        let begun = CountingProcessing.Counter()
        services.processing = CountingProcessing(
            processing: TestProcessing(blobs: services.blobs, latch: latch), begun: begun)
        services.mediaQueue = MediaQueue(responseTime: .milliseconds(100))
        try await WebAPI.run(test, services) { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for seed in 1...7 { group.addTask { try await Self.begin(api, SampleMedia.png(UInt8(seed)), by: ada) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // All have been answered, but only four have a turn.
            try await Wait.until("four uploads are processed") { begun.count >= 4 }
            let other = try await Self.begin(api, SampleMedia.png(9), by: bob)
            try await Wait.until("that of another account is processed, too") { begun.count >= 5 }
            #expect(begun.count == 5)
            latch.open()
            for (id, person) in ids.map({ ($0, ada) }) + [(other, bob)] {
                try await Wait.until("the upload is processed") {
                    try await api.send(.get, "/api/v1/media/" + id, as: person).status == 200
                }
            }
            #expect(begun.count == 8)
        }
    }
}
