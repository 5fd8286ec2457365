import FeedCore
import FeedFiles
import FeedTestSupport
import Foundation
import NIOCore
import NIOPosix
import TestKit
import Testing

/// Where the bytes of files are stored.
@Suite(.hangLimit)
struct BlobStoreTests {
    @Test func blobIsStoredAgainAfterItsFoldersAreRemoved() async throws {
        let folder = try TemporaryFolder()
        let store = try BlobStore(folder: folder.path, threads: NIOSingletons.posixBlockingThreadPool)
        let bytes = Array("content".utf8)
        let blob = try await store.store(bytes)
        for level in 0...2 {
            let path = store.path(blob.hash).split(separator: "/").dropLast(level).joined(separator: "/")
            try FileManager.default.removeItem(atPath: "/" + path)
            #expect(!store.contains(blob.hash))
            #expect(try await store.store(bytes) == blob)
            #expect(try Data(contentsOf: URL(fileURLWithPath: store.path(blob.hash))) == Data(bytes))
        }
    }
}
