import FeedAPI
import FeedCore
import FeedFiles
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

/// Blobs of replaced and deleted files are collected automatically, but never those of a file that is being stored.
@Suite(.hangLimit)
struct ReplacedBlobTests {
    private static func content(_ seed: UInt64, _ size: Int = 400_000) -> WebBody {
        WebBody(type: "application/octet-stream", bytes: SampleBytes.make(size, seed: seed))
    }

    private static func blobs(_ api: WebAPI) async throws -> Int {
        var count = 0
        for prefix in UInt8.min ... .max { count += try await api.test.services.blobs.list(prefix: prefix).count }
        return count
    }

    /// The clock of the server may have been set back (RFC 9110 §8.8.2.1).
    @Test func fileIsNeverLastModifiedInTheFuture() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            #expect(try await api.send(.put, "/files/a.bin", as: ada, Self.content(1, 10)).status == 201)
            let stored = api.test.store.clock.now / 1000
            let later = try await api.send(.get, "/files/a.bin")
            #expect(later.headers[.lastModified] == HTTPDate.text(seconds: stored))
            api.test.store.clock.now -= 86_400_000
            for method in [HTTPRequest.Method.get, .head] {
                let earlier = try await api.send(method, "/files/a.bin")
                #expect(earlier.headers[.lastModified] == HTTPDate.text(seconds: api.test.store.clock.now / 1000))
            }
        }
    }

    @Test func replacedBytesDoNotFillTheQuota() async throws {
        var limits = Limits()
        limits.accountBytes = 1_000_000
        try await WebAPI.run(limits: limits) { api in
            let ada = try await api.person("ada")
            for seed in 0..<10 {
                let response = try await api.send(.put, "/files/a.bin", as: ada, Self.content(UInt64(seed)))
                #expect(response.status == (seed == 0 ? 201 : 204), "\(response.summary)")
                #expect(try await Self.blobs(api) == 1)
            }
        }
    }

    /// Simulates that the collector has not run yet.
    @Test func uncollectedBytesCountAgainstTheQuota() async throws {
        var limits = Limits()
        limits.accountBytes = 1_000_000
        try await WebAPI.run(limits: limits) { api in
            let ada = try await api.person("ada")
            let id = try #require(Int64(ada.id))
            #expect(try await api.send(.put, "/files/a.bin", as: ada, Self.content(1)).status == 201)
            try await api.test.store.database.commits.write { db in
                try db.execute("INSERT INTO replaced_blob (blob, account_id, size) VALUES ('00', \(id), 400000)")
            }
            #expect(try await api.send(.put, "/files/b.bin", as: ada, Self.content(2)).status == 507)
            let collector = GarbageCollector(
                blobs: api.test.services.blobs, files: api.test.services.stores.files)
            try await collector.collectReplaced()
            #expect(try await api.send(.put, "/files/b.bin", as: ada, Self.content(2)).status == 201)
        }
    }

    @Test func deletedFileFreesItsBlobUnlessShared() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for name in ["a.bin", "b.bin"] {
                #expect(try await api.send(.put, "/files/" + name, as: ada, Self.content(3)).status == 201)
            }
            #expect(try await api.send(.delete, "/files/a.bin", as: ada).status == 204)
            #expect(try await api.send(.get, "/files/b.bin").body == Self.content(3).bytes)
            #expect(try await Self.blobs(api) == 1)
            #expect(try await api.send(.delete, "/files/b.bin", as: ada).status == 204)
            #expect(try await Self.blobs(api) == 0)
        }
    }

    /// Whether the collector has locked the first byte of the lock file (`BlobLock`), which uploads lock only for a
    /// moment.
    private static func isCollectorWaiting(_ data: String) throws -> Bool {
        let descriptor = open(data + "/blobs.lock", O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        // F_OFD_GETLK, which Swift does not import.
        try #require(fcntl(descriptor, 36, &lock) == 0)
        return lock.l_type != Int16(F_UNLCK)
    }

    /// Between the rename of a blob and the insertion of its row, nothing refers to the blob.
    @Test func collectorWaitsForBlobsBeingPublished() async throws {
        let test = try TestServices()
        let (blobs, files) = (test.services.blobs, test.services.stores.files)
        let collector = GarbageCollector(blobs: blobs, files: files)
        let (isPublished, mayGoOn) = (Latch(), Latch())
        async let stored = blobs.whilePublishing {
            let blob = try await blobs.store(Array("hello".utf8))
            isPublished.open()
            try await mayGoOn.wait()
            let file = StoredFile(name: "a.txt", ownerID: nil, blob: blob, type: "text/plain", modifiedAt: 0)
            return try await files.add([file], quota: nil)
        }
        try await isPublished.wait()
        async let report = collector.collectAll(grace: 0)
        try await Wait.until("the collector has reached that blob") {
            try Self.isCollectorWaiting(test.store.folder.path + "/data")
        }
        mayGoOn.open()
        #expect(try await stored.count == 1)
        #expect(try await report.kept == 1)
        #expect(try await blobs.bytes(stored[0].blob.hash, limit: 10).readableBytes == 5)
    }
}
