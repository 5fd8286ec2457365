import FeedTestSupport
import Foundation
import Testing

@testable import FeedClientKit

/// Nothing that is somebody else's is overwritten, emptied or removed.
@Suite(.timeLimit(.minutes(5)))
struct PlaceTests {
    private static let bytes = Array(SampleBytes.make(100_000))
    private static let precious = Data("precious".utf8)

    private static func refusal(
        _ landing: Landing, _ source: String, to path: String? = nil, restarts: Bool = false
    ) async -> FeedClientError? {
        var options = DownloadOptions()
        (options.restarts, options.retries) = (restarts, 0)
        let asked = options
        return await #expect(throws: FeedClientError.self) {
            try await landing.client.download(source, to: path ?? landing.path, options: asked)
        }
    }

    /// Other programs call their unfinished files so, too.
    @Test(arguments: [true, false])
    func aPartFileOfOthersStays(_ isServed: Bool) async throws {
        try await FileHost.serving(Self.bytes) { host, landing in
            try Self.precious.write(to: URL(fileURLWithPath: landing.path + ".part"))
            let error = await Self.refusal(landing, isServed ? host.address : "http://127.0.0.1:1/file.bin")
            #expect(error?.code == .failed && error?.hint?.contains("--restart") == true)
            #expect(landing.names == ["file.bin.part"])
            #expect(FileManager.default.contents(atPath: landing.path + ".part") == Self.precious)
        }
    }

    @Test func itGoesWhenOneSaysSo() async throws {
        try await FileHost.serving(Self.bytes) { host, landing in
            try Self.precious.write(to: URL(fileURLWithPath: landing.path + ".part"))
            var options = DownloadOptions()
            options.restarts = true
            _ = try await landing.client.download(host.address, to: landing.path, options: options)
            #expect(landing.content == Self.bytes && landing.names == ["file.bin"])
        }
    }

    /// A journal that cannot be read now may be read later.
    @Test func anUnreadableJournalCostsNothing() async throws {
        try await FileHost.serving(Self.bytes) { host, landing in
            let journal = landing.path + ".part.journal"
            try Self.precious.write(to: URL(fileURLWithPath: landing.path + ".part"))
            #expect(symlink(journal, journal) == 0)
            #expect(await Self.refusal(landing, host.address)?.code == .disk)
            #expect(FileManager.default.contents(atPath: landing.path + ".part") == Self.precious)
        }
    }

    @Test func anotherVersionsJournalCostsNothing() async throws {
        try await FileHost.serving(Self.bytes) { host, landing in
            let body = Data(#"{"format":"feedclient download 99"}"#.utf8)
            let journal = body + Data("\n\(Checksum.sha256(body))\n".utf8)
            try Self.precious.write(to: URL(fileURLWithPath: landing.path + ".part"))
            try journal.write(to: URL(fileURLWithPath: landing.path + ".part.journal"))
            #expect(await Self.refusal(landing, host.address)?.message.contains("another version") == true)
            #expect(FileManager.default.contents(atPath: landing.path + ".part") == Self.precious)
        }
    }

    /// A journal that is left over from a download that was to replace the file lets nobody replace it again.
    @Test func aLeftoverJournalAllowsNothing() async throws {
        try await FileHost.serving(Self.bytes) { host, landing in
            let order = DownloadOrder(url: host.address, replaces: true)
            try JournalCodec.encode(order).write(to: URL(fileURLWithPath: landing.path + ".part.journal"))
            try Self.precious.write(to: URL(fileURLWithPath: landing.path))
            #expect(await Self.refusal(landing, host.address)?.message.contains("there already") == true)
            #expect(landing.content == Array(Self.precious))
        }
    }

    /// Also not when what is there may be replaced.
    @Test(arguments: [true, false])
    func noDeviceIsReplaced(_ restarts: Bool) async throws {
        try await FileHost.serving(Self.bytes) { host, landing in
            #expect(mkfifo(landing.path, 0o600) == 0)
            let error = await Self.refusal(landing, host.address, restarts: restarts)
            #expect(error?.message.contains("no regular file") == true)
            var status = stat()
            #expect(lstat(landing.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
            #expect(landing.names == ["file.bin"])
        }
    }

    @Test(arguments: [(238, true), (239, false), (255, false), (300, false)])
    func namesLeaveRoomForTheOnesBeside(_ length: Int, _ fits: Bool) async throws {
        try await FileHost.serving(Self.bytes) { host, landing in
            let path = landing.folder.path + "/" + String(repeating: "n", count: length)
            if fits {
                _ = try await landing.client.download(host.address, to: path)
                #expect(FileManager.default.contents(atPath: path).map { Array($0) } == Self.bytes)
            } else {
                #expect(await Self.refusal(landing, host.address, to: path)?.message.contains("too long") == true)
                #expect(landing.names.isEmpty)
            }
        }
    }
}
