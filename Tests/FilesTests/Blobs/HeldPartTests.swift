import FeedCore
import FeedFiles
import FeedTestSupport
import Foundation
import NIOCore
import NIOPosix
import TestKit
import Testing

/// The files of a form, of which only the first keeps its descriptor open.
@Suite(.hangLimit)
struct HeldPartTests {
    private static func store(_ folder: TemporaryFolder) throws -> BlobStore {
        try BlobStore(folder: folder.path, threads: NIOSingletons.posixBlockingThreadPool)
    }

    /// Writes parts as a form does.
    private static func parts(_ store: BlobStore) async throws -> [(writer: BlobWriter, finished: SealedBlob)] {
        var parts: [(writer: BlobWriter, finished: SealedBlob)] = []
        for index in 0..<10 {
            let writer = try await store.begin(limit: 1000, excess: nil)
            try await writer.write(ByteBuffer(string: "part \(index)"))
            parts.append((writer, try await writer.seal(beside: parts.first?.writer)))
        }
        return parts
    }

    private static func waiting(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tmp")
    }

    /// The number of descriptors of this process in the folder.
    private static func descriptors(_ folder: TemporaryFolder) throws -> Int {
        // The kernel reports paths without symbolic links.
        let path = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path + "/tmp/"
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
            return target?.hasPrefix(path) ?? false
        }
    }

    @Test func partsOfAnOpenFormAreNotRemoved() async throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder)
        let parts = try await Self.parts(store)
        #expect(try Self.descriptors(folder) == 1)
        #expect(try await store.removeUnfinished() == 0)
        for part in parts.reversed() {
            try await part.writer.publish(part.finished)
            #expect(try await store.removeUnfinished() == 0)
        }
        for part in parts {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path(part.finished.blob.hash)))
            #expect(Int64(bytes.count) == part.finished.blob.size)
        }
        #expect(try Self.waiting(folder).isEmpty && Self.descriptors(folder) == 0)
    }

    @Test func discardingLeavesNothing() async throws {
        let folder = try TemporaryFolder()
        for part in try await Self.parts(try Self.store(folder)).reversed() { await part.writer.discard() }
        #expect(try Self.waiting(folder).isEmpty)
    }

    /// The lock is released when the process ends.
    @Test func partsAreRemovedOnceTheFirstIsClosed() async throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder)
        _ = try await Self.parts(store)
        #expect(try Self.waiting(folder).count == 10)
        var removed = 0
        // A program that another test is starting may have the first file open for a moment.
        try await Wait.until("the parts are removed") {
            removed += try await store.removeUnfinished()
            return removed >= 10
        }
        #expect(removed == 10)
        #expect(try Self.waiting(folder).isEmpty)
    }
}
