import FeedTestSupport
import Foundation
import Testing

/// Downloads from servers that know nothing of us.
@Suite(.timeLimit(.minutes(15)))
struct ForeignServerTests {
    private static let size = 48 << 20 | 3
    private static let content = OfferedFile.random(size).bytes
    private static let other = OfferedFile.random(size, seed: 2).bytes

    /// Puts a file there; older than a second, for Apache calls younger ones' tags weak.
    private static func put(_ bytes: Data, _ name: String, _ place: ForeignServer.Place, year: Int) throws {
        let path = place.files + "/" + name
        try bytes.write(to: URL(fileURLWithPath: path))
        let date = Date(timeIntervalSince1970: Double(year - 1970) * 31_556_952)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    @Test(arguments: ForeignServer.all)
    func filesArrive(_ server: ForeignServer) async throws {
        guard server.isThere else { return print("\(server.program) is not installed: scripts/foreign-clients") }
        try await server.serving { place in
            let files = ["empty": Data(), "one byte": Data([7]), "größer.bin": Self.content]
            for (name, bytes) in files { try Self.put(bytes, name, place, year: 2020) }
            for (name, bytes) in files {
                for width in Width.allCases {
                    let desk = try DownloadDesk()
                    let path = try #require(name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed))
                    let done = try await desk.download(place.address + "/" + path, width.options)
                    #expect(done.code == 0 && done.verified == "size only", "\(name): \(done.error)")
                    #expect(FileManager.default.contents(atPath: desk.output) == bytes, "\(name)")
                    #expect(try desk.names() == ["out.bin"])
                }
            }
            let missing = try await DownloadDesk().download(place.address + "/nothing")
            #expect(missing.code == 3, "\(missing.error)")
        }
    }

    /// Killed, then on to the end, with the same file and with another of the same length.
    @Test(arguments: ForeignServer.all, [false, true])
    func aKilledDownloadGoesOnUnlessTheFileChanged(_ server: ForeignServer, _ changes: Bool) async throws {
        guard server.isThere else { return print("\(server.program) is not installed: scripts/foreign-clients") }
        try await server.serving { place in
            try Self.put(Self.content, "f", place, year: 2020)
            let desk = try DownloadDesk()
            let hasJournal = try await Self.killed(desk, place)
            if changes { try Self.put(Self.other, "f", place, year: 2021) }
            let done = try await desk.download(place.address + "/f")
            #expect(done.code == 0, "\(done.error)")
            #expect(FileManager.default.contents(atPath: desk.output) == (changes ? Self.other : Self.content))
            #expect(done.wentOn == (hasJournal && !changes), "\(done.error)")
            #expect(!hasJournal || server.resumes)
        }
    }

    /// - Returns: Whether it left something to go on with.
    private static func killed(_ desk: DownloadDesk, _ place: ForeignServer.Place) async throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.feedclient)
        process.arguments = ["download", place.address + "/f", "-o", desk.output, "--progress", "none"]
        process.environment = ProcessInfo.processInfo.environment.merging(desk.home.environment) { _, new in new }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning, !FileManager.default.fileExists(atPath: desk.journal) {
            try await Task.sleep(for: .milliseconds(1))
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        // It may have been faster.
        unlink(desk.output)
        return FileManager.default.fileExists(atPath: desk.journal)
    }
}
