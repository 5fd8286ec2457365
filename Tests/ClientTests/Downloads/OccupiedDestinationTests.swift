import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// Files of other programs are not overwritten, emptied or removed.
@Suite(.hangLimit)
struct OccupiedDestinationTests {
    private static let bytes = Array(SampleBytes.make(100_000))
    private static let precious = Data("precious".utf8)

    private static func refusal(
        _ destination: DownloadFolder, _ source: String, to path: String? = nil, restarts: Bool = false
    ) async -> FeedClientError? {
        var options = DownloadOptions()
        (options.restarts, options.retries) = (restarts, 0)
        let asked = options
        return await #expect(throws: FeedClientError.self) {
            try await destination.client.download(source, to: path ?? destination.path, options: asked)
        }
    }

    /// Other programs use the same name for their unfinished files.
    @Test(arguments: [true, false])
    func foreignPartFileIsKept(_ isServed: Bool) async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            try Self.precious.write(to: URL(fileURLWithPath: destination.path + ".part"))
            let error = await Self.refusal(destination, isServed ? host.address : "http://127.0.0.1:1/file.bin")
            #expect(error?.code == .failed && error?.hint?.contains("--restart") == true)
            #expect(destination.names == ["file.bin.part"])
            #expect(FileManager.default.contents(atPath: destination.path + ".part") == Self.precious)
        }
    }

    @Test func restartReplacesAForeignPartFile() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            try Self.precious.write(to: URL(fileURLWithPath: destination.path + ".part"))
            var options = DownloadOptions()
            options.restarts = true
            _ = try await destination.client.download(host.address, to: destination.path, options: options)
            #expect(destination.content == Self.bytes && destination.names == ["file.bin"])
        }
    }

    /// A journal that cannot be read now may be readable later.
    @Test func unreadableJournalKeepsThePartFile() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            let journal = destination.path + ".part.journal"
            try Self.precious.write(to: URL(fileURLWithPath: destination.path + ".part"))
            #expect(symlink(journal, journal) == 0)
            #expect(await Self.refusal(destination, host.address)?.code == .disk)
            #expect(FileManager.default.contents(atPath: destination.path + ".part") == Self.precious)
        }
    }

    @Test func journalOfAnotherVersionKeepsThePartFile() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            let body = Data(#"{"format":"feedclient download 99"}"#.utf8)
            let journal = body + Data("\n\(Checksum.sha256(body))\n".utf8)
            try Self.precious.write(to: URL(fileURLWithPath: destination.path + ".part"))
            try journal.write(to: URL(fileURLWithPath: destination.path + ".part.journal"))
            #expect(await Self.refusal(destination, host.address)?.message.contains("Another version") == true)
            #expect(FileManager.default.contents(atPath: destination.path + ".part") == Self.precious)
        }
    }

    /// The leftover journal of a download that was allowed to replace the file does not permit another one to do so.
    @Test func leftoverJournalDoesNotPermitReplacing() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            let order = DownloadRequest(url: host.address, replacesExisting: true)
            try DownloadStateFormat.encode(order).write(to: URL(fileURLWithPath: destination.path + ".part.journal"))
            try Self.precious.write(to: URL(fileURLWithPath: destination.path))
            #expect(await Self.refusal(destination, host.address)?.message.contains("already exists") == true)
            #expect(destination.content == Array(Self.precious))
        }
    }

    /// Not even if an existing file may be replaced.
    @Test(arguments: [true, false])
    func specialFileIsNotReplaced(_ restarts: Bool) async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            #expect(mkfifo(destination.path, 0o600) == 0)
            let error = await Self.refusal(destination, host.address, restarts: restarts)
            #expect(error?.message.contains("not a regular file") == true)
            var status = stat()
            #expect(lstat(destination.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
            #expect(destination.names == ["file.bin"])
        }
    }

    @Test(arguments: [(229, true), (230, false), (255, false), (300, false)])
    func nameMustLeaveRoomForTheSuffixes(_ length: Int, _ fits: Bool) async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            let path = destination.folder.path + "/" + String(repeating: "n", count: length)
            if fits {
                _ = try await destination.client.download(host.address, to: path)
                #expect(FileManager.default.contents(atPath: path).map { Array($0) } == Self.bytes)
            } else {
                #expect(await Self.refusal(destination, host.address, to: path)?.message.contains("too long") == true)
                #expect(destination.names.isEmpty)
            }
        }
    }
}
