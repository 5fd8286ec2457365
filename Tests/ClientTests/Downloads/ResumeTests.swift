import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Resuming an interrupted download of a file that has not changed.
@Suite(.hangLimit)
struct ResumeTests {
    private static let bytes = Array(SampleBytes.make(3_000_000))

    private static var options: DownloadOptions {
        var options = DownloadOptions()
        (options.chunkSize, options.stallTimeout) = (256 << 10, .seconds(Wait.seconds))
        return options
    }

    @Test func existingBytesAreNotFetchedAgain() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            try await host.interrupt(destination, after: 1_000_000, Self.options)
            #expect(destination.names == ["file.bin.part", "file.bin.part.journal"])
            let unfinished = try UnfinishedDownload(at: destination.path)
            #expect(unfinished.source == host.address && unfinished.destination == destination.path)
            let result = try await destination.client.resume(unfinished, options: Self.options)
            #expect(result.resumedFrom >= 1_000_000 && destination.content == Self.bytes)
            #expect(try await Int64(host.takeServed()) == Int64(Self.bytes.count) - result.resumedFrom)
            #expect(destination.names == ["file.bin"])
        }
    }

    /// After the first attempt, the part file has become the finished file, which must not be written to.
    @Test func unfinishedDownloadIsResumedOnlyOnce() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            try await host.interrupt(destination, after: 1_000_000, Self.options)
            let unfinished = try UnfinishedDownload(at: destination.path)
            _ = try await destination.client.resume(unfinished, options: Self.options)
            host.replace(Self.bytes.map { ~$0 }, tag: "\"v2\"")
            let error = await #expect(throws: FeedClientError.self) {
                try await destination.client.resume(unfinished, options: Self.options)
            }
            #expect(error?.code == .failed && destination.content == Self.bytes)
            #expect(destination.names == ["file.bin"])
        }
    }

    /// Another program wrote to the part file: damaged ranges are detected by their digests and fetched again; the rest
    /// is kept.
    @Test(arguments: [0, 300_000, 999_999])
    func damagedRangesAreFetchedAgain(_ place: Int) async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            try await host.interrupt(destination, after: 1_000_000, Self.options)
            let handle = try #require(FileHandle(forUpdatingAtPath: destination.path + ".part"))
            try handle.seek(toOffset: UInt64(place))
            try handle.write(contentsOf: Data([Self.bytes[place] ^ 1]))
            try handle.close()
            let result = try await destination.client.download(
                host.address, to: destination.path, options: Self.options)
            #expect(destination.content == Self.bytes && result.resumedFrom > 0)
            let again = try await Int64(host.takeServed()) - (Int64(Self.bytes.count) - result.resumedFrom)
            #expect((1...256 << 10).contains(again), "\(again) bytes fetched again")
        }
    }

    @Test func truncatedPartFileStartsOver() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            try await host.interrupt(destination, after: 1_000_000, Self.options)
            #expect(truncate(destination.path + ".part", 1000) == 0)
            let result = try await destination.client.download(
                host.address, to: destination.path, options: Self.options)
            #expect(result.resumedFrom == 0 && destination.content == Self.bytes)
        }
    }

    /// Signatures and tokens in a query change.
    @Test func urlsThatDifferOnlyInTheirSignatureAreTheSameFile() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            try await host.interrupt(destination, after: 1_000_000, Self.options)
            let result = try await destination.client.download(
                host.address + "?signature=2", to: destination.path, options: Self.options)
            #expect(result.resumedFrom >= 1_000_000 && destination.content == Self.bytes)
        }
    }

    @Test(arguments: [".sig", "?file=b"])
    func unfinishedDownloadIsNotReplacedByAnotherFile(suffix: String) async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            try await host.interrupt(destination, after: 1_000_000, Self.options)
            let other = host.address + suffix
            let error = await #expect(throws: FeedClientError.self) {
                try await destination.client.download(other, to: destination.path, options: Self.options)
            }
            #expect(error?.code == .failed && error?.hint?.contains("--resume") == true)
            let result = try await destination.client.download(
                host.address, to: destination.path, options: Self.options)
            #expect(result.resumedFrom >= 1_000_000)
        }
    }

    /// The options of the first attempt also apply to later ones.
    @Test func expectedChecksumAppliesToLaterAttempts() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            var options = Self.options
            options.sha256 = String(repeating: "0", count: 64)
            try await host.interrupt(destination, after: 1_000_000, options)
            let error = await #expect(throws: FeedClientError.self) {
                try await destination.client.download(host.address, to: destination.path, options: Self.options)
            }
            #expect(error?.code == .integrity && destination.content == nil)
        }
    }

    @Test func permissionToReplaceAppliesToLaterAttempts() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            try Data("an older file".utf8).write(to: URL(fileURLWithPath: destination.path))
            var options = Self.options
            options.restarts = true
            try await host.interrupt(destination, after: 1_000_000, options)
            #expect(destination.content == Array("an older file".utf8))
            let result = try await destination.client.download(
                host.address, to: destination.path, options: Self.options)
            #expect(result.resumedFrom >= 1_000_000 && destination.content == Self.bytes)
        }
    }

    /// The file was complete, but its name was taken. Before it is moved into place, a request confirms that it is
    /// unchanged.
    @Test(arguments: [false, true])
    func completePartFileIsConfirmedByARequest(_ changes: Bool) async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.limit(6_000_000)
            let error = await #expect(throws: FeedClientError.self) {
                try await destination.client.download(host.address, to: destination.path, options: Self.options) {
                    progress in
                    guard progress.done > 0 else { return }
                    _ = FileManager.default.createFile(atPath: destination.path, contents: Data("somebody else's".utf8))
                }
            }
            #expect(error?.code == .failed && destination.content == Array("somebody else's".utf8))
            try FileManager.default.removeItem(atPath: destination.path)
            if changes { host.replace(Self.bytes.map { ~$0 }, tag: "\"v2\"") }
            let result = try await destination.client.download(
                host.address, to: destination.path, options: Self.options)
            #expect(destination.content == host.bytes && (result.resumedFrom > 0) == !changes)
        }
    }

    /// Without a strong entity tag, no part file is left that could be mistaken for a resumable one.
    @Test(arguments: [nil, "W/\"v1\""])
    func noPartFileIsLeftWithoutAStrongEntityTag(_ tag: String?) async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.offer(tag: tag)
            try await host.interrupt(destination, after: 1_000_000, Self.options)
            #expect(destination.names.isEmpty)
        }
    }

    @Test func twoDownloadsCannotShareAPartFile() async throws {
        try await DownloadFolder.withTemporary { destination in
            let part = try PartFile(destination: destination.path)
            #expect(throws: FeedClientError.self) { try PartFile(destination: destination.path) }
            part.discard()
        }
    }

    /// A crash between two calls has left the finished file with two names; it is not modified through the second one.
    @Test func hardLinkedFileIsNotModified() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            let older = Data("an older file".utf8)
            try older.write(to: URL(fileURLWithPath: destination.path + ".part"))
            #expect(link(destination.path + ".part", destination.path + ".older") == 0)
            _ = try await destination.client.download(host.address, to: destination.path, options: Self.options)
            #expect(destination.content == Self.bytes)
            #expect(FileManager.default.contents(atPath: destination.path + ".older") == older)
        }
    }

    /// A slow server gets more connections as long as they increase the rate, but never more than eight. Until there are
    /// several, each of them stalls before its range ends, so that none can end unnoticed.
    @Test func connectionCountGrowsWithTheRate() async throws {
        try await FileHost.serving(Array(SampleBytes.make(24 << 20))) { host, destination in
            host.limit(2 << 20)
            host.behave { $0.stallsAfter = 2 << 20 }
            let widest = Mutex(0)
            _ = try await destination.client.download(host.address, to: destination.path, options: Self.options) {
                progress in
                widest.withLock { $0 = max($0, progress.connections) }
                if progress.connections > 1 { host.behave { $0.stallsAfter = .max } }
            }
            #expect(destination.content == host.bytes)
            #expect((2...DownloadConcurrency.maximum).contains(widest.withLock { $0 }), "\(widest.withLock { $0 })")
        }
    }

    @Test(arguments: [1, 3, 8])
    func requestedConnectionCountIsUsed(_ width: Int) async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.limit(2_000_000)
            host.behave { $0.stallsAfter = 1000 }
            var options = Self.options
            options.connections = width
            let widest = Mutex(0)
            _ = try await destination.client.download(host.address, to: destination.path, options: options) {
                progress in
                widest.withLock { $0 = max($0, progress.connections) }
                if progress.connections == width { host.behave { $0.stallsAfter = .max } }
            }
            #expect(destination.content == Self.bytes)
            #expect(widest.withLock { $0 } == width)
        }
    }
}
