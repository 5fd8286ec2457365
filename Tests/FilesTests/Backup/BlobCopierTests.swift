import FeedCore
import FeedFiles
import FeedFolders
import FeedTestSupport
import Foundation
import NIOCore
import NIOPosix
import TestKit
import Testing

/// Copying blobs between folders: right, or not at all.
@Suite(.hangLimit)
struct BlobCopierTests {
    private static func store(_ folder: TemporaryFolder, _ contents: [[UInt8]]) async throws -> [BlobReference] {
        let store = try BlobStore(folder: folder.path, threads: NIOSingletons.posixBlockingThreadPool)
        var blobs: [BlobReference] = []
        for content in contents {
            let blob = try await store.whilePublishing { try await store.store(content) }
            blobs.append(BlobReference(hash: blob.hash, size: blob.size, name: "f"))
        }
        return blobs
    }

    private static func copy(
        _ blobs: [BlobReference], from source: TemporaryFolder, to target: TemporaryFolder
    ) async throws -> [BlobCopyOutcome] {
        let copier = try BlobCopier(
            from: Folder(source.path), to: Folder(target.path), threads: NIOSingletons.posixBlockingThreadPool)
        let outcomes = try await copier.copy(blobs) { _ in }
        try await copier.sync()
        return outcomes
    }

    @Test func blobsAreCopiedOnceAndPrivately() async throws {
        let (source, target) = (try TemporaryFolder(), try TemporaryFolder())
        let blobs = try await Self.store(source, (0..<20).map { [UInt8](repeating: $0, count: Int($0) * 1000) })
        #expect(try await Self.copy(blobs, from: source, to: target) == (0..<20).map { .copied($0 * 1000) })
        #expect(try await Self.copy(blobs, from: source, to: target) == (0..<20).map { .skipped($0 * 1000) })
        for blob in blobs {
            let path = BlobStore.path(blob.hash, in: target.path)
            #expect(Checksum.sha256(try Data(contentsOf: URL(fileURLWithPath: path))) == blob.hash.description)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path + "/tmp").isEmpty)
    }

    @Test func damagedBlobIsNotCopied() async throws {
        let (source, target) = (try TemporaryFolder(), try TemporaryFolder())
        let blobs = try await Self.store(source, [[1, 2, 3], [4, 5, 6], [7, 8, 9]])
        try Data([4, 5, 7]).write(to: URL(fileURLWithPath: BlobStore.path(blobs[1].hash, in: source.path)))
        try FileManager.default.removeItem(atPath: BlobStore.path(blobs[2].hash, in: source.path))
        #expect(try await Self.copy(blobs, from: source, to: target) == [.copied(3), .damaged, .missing])
        #expect(!FileManager.default.fileExists(atPath: BlobStore.path(blobs[1].hash, in: target.path)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path + "/tmp").isEmpty)
        // A shorter blob in the target is replaced, and one in the source is no longer needed.
        let whole = BlobStore.path(blobs[0].hash, in: target.path)
        try Data([1]).write(to: URL(fileURLWithPath: whole))
        #expect(try await Self.copy([blobs[0]], from: source, to: target) == [.copied(3)])
        try FileManager.default.removeItem(atPath: BlobStore.path(blobs[0].hash, in: source.path))
        #expect(try await Self.copy([blobs[0]], from: source, to: target) == [.skipped(3)])
    }

    @Test func checkFindsEachKindOfDamage() async throws {
        let folder = try TemporaryFolder()
        var blobs = try await Self.store(folder, [[1, 2, 3], [4, 5, 6], [7, 8, 9], [0]])
        let store = try BlobStore(folder: folder.path, threads: NIOSingletons.posixBlockingThreadPool)
        try Data([4, 5, 7]).write(to: URL(fileURLWithPath: store.path(blobs[1].hash)))
        try FileManager.default.removeItem(atPath: store.path(blobs[2].hash))
        blobs[3].size = 7
        #expect(try await store.check(blobs) { _ in } == [.intact, .damaged, .missing, .otherSize(1)])
    }

    /// Uploads continue while blobs are kept, but none is collected.
    @Test func collectorWaitsWhileBlobsAreKept() async throws {
        let folder = try TemporaryFolder()
        let store = try BlobStore(folder: folder.path, threads: NIOSingletons.posixBlockingThreadPool)
        // Another process has its own object.
        let other = try BlobStore(folder: folder.path, threads: NIOSingletons.posixBlockingThreadPool)
        let (collected, published, kept) = try await store.whileKeeping {
            (
                try await other.whileCollecting { true },
                try await other.whilePublishing { try await other.store([1]) },
                try await other.whileKeeping { true }
            )
        }
        #expect(collected == nil && published.size == 1 && kept)
        // A program that another test is starting may have the locked file open for a moment.
        try await Wait.until("the collector may run") { try await other.whileCollecting { true } == true }
    }
}
