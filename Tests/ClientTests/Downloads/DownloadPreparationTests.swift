import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// The claim of a part file: its lock and its journal.
@Suite struct DownloadPreparationTests {
    private static let source = "http://a.example/file.bin"
    private static let journal = DownloadState(
        request: DownloadRequest(url: source, sha256: "ab"),
        file: FileIdentity(url: source, validator: "\"v1\"", size: 1000, sha256: nil), chunkSize: 64 << 10,
        ranges: [HashedRange(range: 0..<10, digest: Array(repeating: 7, count: HashedRange.digestSize))])

    /// An unfinished download of ten bytes.
    private static func folder() throws -> (folder: TemporaryFolder, destination: String) {
        let folder = try TemporaryFolder()
        let destination = folder.path + "/file.bin"
        try Data(count: 10).write(to: URL(fileURLWithPath: destination + ".part"))
        try DownloadStateFormat.encode(journal).write(to: URL(fileURLWithPath: destination + ".part.journal"))
        return (folder, destination)
    }

    /// The journal is not opened again, because the claim holds its content.
    @Test(arguments: [true, false]) func theJournalIsReadOnce(_ isKnownByPath: Bool) throws {
        let (folder, destination) = try Self.folder()
        let opened = Atomic(0)
        let calls = SystemCalls(injectedError: { call in
            if call == .open { opened.add(1, ordering: .relaxed) }
            return nil
        })
        let claim =
            isKnownByPath
            ? try UnfinishedDownload(at: destination, calls: calls).claim
            : try DownloadPreparation(destination, of: Self.source, restarts: false, calls: calls)
        #expect(claim.journal == .resumable(Self.journal) && !claim.isEmpty)
        #expect(opened.load(ordering: .relaxed) == 3, "the folder, the part file and the journal")
        withExtendedLifetime(folder) {}
    }

    @Test func theClaimLocksThePartFile() throws {
        let (folder, destination) = try Self.folder()
        let unfinished = try UnfinishedDownload(at: destination + ".part")
        #expect(unfinished.source == Self.source && unfinished.destination == destination)
        #expect(throws: FeedClientError.self) { try UnfinishedDownload(at: destination) }
        withExtendedLifetime((folder, unfinished)) {}
    }

    @Test func withoutAPartFileThereIsNoUnfinishedDownload() throws {
        let (folder, destination) = try Self.folder()
        try FileManager.default.removeItem(atPath: destination + ".part")
        let error = #expect(throws: FeedClientError.self) { try UnfinishedDownload(at: destination) }
        #expect(error?.code == .notFound && !UnfinishedDownload.exists(at: destination))
        #expect(!FileManager.default.fileExists(atPath: destination + ".part"))
        withExtendedLifetime(folder) {}
    }

    @Test func journalThatListsMissingBytesIsDamaged() throws {
        let (folder, destination) = try Self.folder()
        #expect(truncate(destination + ".part", 9) == 0)
        #expect(try DownloadPreparation(destination, of: Self.source, restarts: false).journal == .damaged)
        withExtendedLifetime(folder) {}
    }

    @Test func restartIgnoresTheJournal() throws {
        let (folder, destination) = try Self.folder()
        #expect(try DownloadPreparation(destination, of: Self.source, restarts: true).journal == .missing)
        withExtendedLifetime(folder) {}
    }
}
