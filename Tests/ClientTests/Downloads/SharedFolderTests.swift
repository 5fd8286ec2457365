import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Downloads into a folder to which others can write: whatever they plant there is neither used, nor does it lead to
/// another file.
@Suite(.hangLimit)
struct SharedFolderTests {
    private static let bytes = Array(SampleBytes.make(300_001))
    private static let planted = Data("planted".utf8)
    /// The names that a download uses; the last one is that of an earlier version.
    private static let names = ["file.bin.part", "file.bin.part.journal", "file.bin.part.journal.new"]

    private static func download(
        _ host: FileHost, to destination: DownloadFolder, restarts: Bool = false
    ) async -> FeedClientError? {
        var options = DownloadOptions()
        (options.restarts, options.stallTimeout) = (restarts, .seconds(Wait.seconds))
        do {
            _ = try await destination.client.download(host.address, to: destination.path, options: options)
            return nil
        } catch {
            return error as? FeedClientError ?? FeedClientError(.failed, "\(error)")
        }
    }

    // MARK: Planted files

    @Test(arguments: names) func linkedFileIsNotChanged(_ name: String) async throws {
        let foreign = try ForeignFolder(["precious"])
        try await FileHost.serving(Self.bytes) { host, destination in
            try #require(link(foreign.path("precious"), destination.folder.path + "/" + name) == 0)
            #expect(await Self.download(host, to: destination) == nil)
            #expect(destination.content == Self.bytes)
            #expect(foreign.changes == [])
        }
    }

    @Test(arguments: names) func symbolicLinkIsNotFollowed(_ name: String) async throws {
        let foreign = try ForeignFolder(["precious"])
        try await FileHost.serving(Self.bytes) { host, destination in
            let path = destination.folder.path + "/" + name
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: foreign.path("precious"))
            let error = await Self.download(host, to: destination)
            if name.hasSuffix(".new") {
                #expect(error == nil && destination.content == Self.bytes)
            } else {
                #expect(error?.code == .disk && error?.message == path + " is a symbolic link" && error?.hint != nil)
                #expect(destination.content == nil)
            }
            #expect(foreign.changes == [])
        }
    }

    @Test(arguments: names) func pipeDoesNotBlock(_ name: String) async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            let path = destination.folder.path + "/" + name
            try #require(mkfifo(path, 0o600) == 0)
            let error = await Self.download(host, to: destination)
            if name.hasSuffix(".new") {
                #expect(error == nil && destination.content == Self.bytes)
            } else {
                #expect(error?.code == .disk && error?.message == path + " is not a regular file" && error?.hint != nil)
            }
        }
    }

    /// Its owner could change it after it has been verified.
    @Test(.enabled(if: geteuid() == 0), arguments: [true, false])
    func filesOfAnotherUserAreNotUsed(_ isJournal: Bool) async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            let (part, journal) = (destination.path + ".part", destination.path + ".part.journal")
            try Self.planted.write(to: URL(fileURLWithPath: part))
            try DownloadStateFormat.encode(DownloadRequest(url: host.address)).write(to: URL(fileURLWithPath: journal))
            try #require(chown(isJournal ? journal : part, 12_345, 12_345) == 0)
            let error = await Self.download(host, to: destination, restarts: !isJournal)
            #expect(error?.code == .disk && error?.hint != nil)
            #expect(error?.message == (isJournal ? journal : part) + " belongs to another user")
            #expect(FileManager.default.contents(atPath: part) == Self.planted)
            #expect(destination.content == nil)
        }
    }

    // MARK: Replaced files

    /// Makes a part file whose name is given to another file as soon as a certain call is made.
    private static func replacing(
        _ destination: String, before call: SystemCalls.Call, _ body: (PartFile) throws -> Void
    ) throws {
        let isArmed = Atomic(false)
        let calls = SystemCalls(injectedError: { next in
            guard next == call, isArmed.exchange(false, ordering: .relaxed) else { return nil }
            rename(destination + ".part", destination + ".aside")
            _ = FileManager.default.createFile(atPath: destination + ".part", contents: planted)
            return nil
        })
        let part = try PartFile(destination: destination, calls: calls)
        try bytes.withUnsafeBytes { try part.write($0, at: 0) }
        isArmed.store(true, ordering: .relaxed)
        try body(part)
    }

    @Test(arguments: [true, false]) func replacedPartFileIsNotMovedIntoPlace(_ replacesExisting: Bool) throws {
        let folder = try TemporaryFolder()
        let destination = try folder.file("file.bin", replacesExisting ? "older" : nil)
        try Self.replacing(destination, before: .truncate) { part in
            let error = #expect(throws: FeedClientError.self) {
                try part.moveIntoPlace(size: Int64(Self.bytes.count), replacingExisting: replacesExisting)
            }
            #expect(error?.code == .integrity && error?.hint != nil)
        }
        #expect(FileManager.default.contents(atPath: destination) == (replacesExisting ? Data("older".utf8) : nil))
        #expect(FileManager.default.contents(atPath: destination + ".part") == Self.planted)
    }

    /// Between the check and the call, nothing can be done, but the user is told.
    @Test(arguments: [true, false]) func fileReplacedWhileItIsMovedIsReported(_ replacesExisting: Bool) throws {
        let folder = try TemporaryFolder()
        let destination = try folder.file("file.bin")
        try Self.replacing(destination, before: .rename) { part in
            let error = #expect(throws: FeedClientError.self) {
                try part.moveIntoPlace(size: Int64(Self.bytes.count), replacingExisting: replacesExisting)
            }
            #expect(error?.code == .integrity && error?.message.hasPrefix(destination) == true)
        }
    }

    // MARK: Leftovers

    /// Only the holder of the lock writes journals, so that any temporary one is left over.
    @Test func temporaryJournalsOfKilledDownloadsAreRemoved() async throws {
        let others = [
            "other.bin.part.journal.new-0a1b2c3d", "file.bin.part.journal.new-copy", "file.bin.journal.new-0a1b2c3d",
            "my file.bin.part.journal.new-1",
        ]
        try await FileHost.serving(Self.bytes) { host, destination in
            for name in others + ["file.bin.part.journal.new-0a1b2c3d", "file.bin.part.journal.new-123-456"] {
                _ = try destination.folder.file(name, name)
            }
            #expect(await Self.download(host, to: destination) == nil)
            #expect(destination.names == Set(others + ["file.bin"]))
        }
    }

    /// For example, the folder for downloads is on another disk.
    @Test func destinationFolderMayBeALink() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            let place = destination.folder.path + "/place"
            let real = try TemporaryFolder()
            try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: real.path)
            _ = try await destination.client.download(host.address, to: place)
            #expect(FileManager.default.contents(atPath: real.path + "/file.bin") == Data(Self.bytes))
            #expect(try FileManager.default.contentsOfDirectory(atPath: real.path) == ["file.bin"])
        }
    }
}
