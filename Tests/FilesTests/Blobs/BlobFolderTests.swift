import FeedCore
import FeedFolders
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FeedFiles

/// Which folders are synced, so that the name of a blob survives a power cut.
@Suite(.hangLimit)
struct BlobFolderTests {
    /// Records the paths of synced folders, relative to the data folder.
    private final class Syncs: Sendable {
        private let paths = Mutex<[String]>([])

        func add(_ path: String) { paths.withLock { $0.append(path) } }

        /// Those since the last call.
        func take() -> [String] {
            paths.withLock { paths in
                defer { paths = [] }
                return paths
            }
        }
    }

    private static func hash(_ prefix: String) throws -> BlobHash {
        try #require(BlobHash(prefix + String(repeating: "0", count: 64 - prefix.utf8.count)))
    }

    private static func add(_ prefix: String, to blobs: BlobFolder) throws {
        let hash = try hash(prefix)
        close(try blobs.root.createFile("new"))
        try blobs.add(hash, from: "new", in: blobs.root)
        try blobs.sync(hash)
    }

    /// The folders in which a name may be new, when the first blob is added to a folder.
    private static func all(_ folder: String) -> [String] { ["/blobs/ab/" + folder, "/blobs/ab", "/blobs", ""] }

    @Test func newFoldersAreSyncedOnce() throws {
        let (folder, syncs) = (try TemporaryFolder(), Syncs())
        let blobs = BlobFolder(root: try Folder(folder.path)) {
            syncs.add(String($0.path.dropFirst(folder.path.count)))
        }
        try blobs.create()
        try Self.add("abcd1", to: blobs)
        #expect(syncs.take() == Self.all("cd"))
        try Self.add("abcd2", to: blobs)
        #expect(syncs.take() == ["/blobs/ab/cd"])
        try Self.add("abef1", to: blobs)
        #expect(syncs.take() == Self.all("ef"))
    }

    @Test(arguments: ["/blobs/ab/cd", "/blobs/ab"]) func missingFoldersAreSyncedAgain(missing: String) throws {
        let (folder, syncs) = (try TemporaryFolder(), Syncs())
        let blobs = BlobFolder(root: try Folder(folder.path)) {
            syncs.add(String($0.path.dropFirst(folder.path.count)))
        }
        try blobs.create()
        try Self.add("abcd1", to: blobs)
        try FileManager.default.removeItem(atPath: folder.path + missing)
        _ = syncs.take()
        try Self.add("abcd1", to: blobs)
        #expect(syncs.take() == Self.all("cd"))
    }
}
