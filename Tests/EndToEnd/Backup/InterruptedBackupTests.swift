import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Backups and restores that are killed at any moment: the next run completes.
@Suite(.hangLimit, .serialized)
struct InterruptedBackupTests {
    private static let count = 60

    /// A server with ``count`` files.
    private static func fixture() async throws -> BackupFixture {
        let fixture = try await BackupFixture.start()
        for number in 0..<count {
            try await fixture.server.store(
                "k-\(number).bin", SampleBytes.make(200_000, seed: UInt64(900 + number)))
        }
        return fixture
    }

    /// Runs a command that is killed when a condition becomes true. If it ends before, it runs again in a new folder.
    /// - Parameter folder: The folder that the command creates.
    private static func kill(
        _ arguments: [String], in folder: String, when isTime: () throws -> Bool
    ) async throws {
        for _ in 0..<100 {
            if try await KilledCommand.run(arguments, killedWhen: isTime) { return }
            try FileManager.default.removeItem(atPath: folder)
        }
        Issue.record("the command always ended before it was killed: \(arguments)")
    }

    private static func names(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// The hashes of all files.
    private static func files(_ fixture: BackupFixture) async throws -> Set<String> {
        Set(try await fixture.server.list().map(\.sha256))
    }

    @Test func killedBackupIsCompletedByTheNext() async throws {
        let fixture = try await Self.fixture()
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        for round in 0..<Soak.rounds(4, soaking: 30) {
            let folder = fixture.folder + "-\(round)"
            let blobs = Int.random(in: 0...Self.count, using: &random)
            let command = ["backup", folder, "--data", fixture.server.process.data]
            try await Self.kill(command, in: folder) {
                switch round % 4 {
                case 0: !Self.names(folder + "/tmp").isEmpty
                case 1: Self.names(folder).contains { $0.hasSuffix(".sqlite") }
                default: FileServer.blobs(in: folder).count >= blobs
                }
            }
            // Posting and collecting continue after a killed backup.
            #expect(try await fixture.post("post-0-\(round)-end"))
            try await fixture.server.store("replaced.bin", Data("\(round)".utf8))
            try await Self.expectComplete(folder, command, fixture, "round \(round), seed \(seed)")
        }
        _ = try await fixture.server.collect()
        #expect(fixture.server.blobs().count == Self.count + 1)
    }

    private static func expectComplete(
        _ folder: String, _ command: [String], _ fixture: BackupFixture, _ name: String
    ) async throws {
        let done = try await Tool.run(Programs.feedserver, command)
        #expect(done.code == 0, "\(name): \(done.error)")
        let names = names(folder)
        let databases = names.filter { $0.hasSuffix(".sqlite") }.map { $0.dropLast(7) }
        #expect(Set(databases) == Set(names.filter { $0.hasSuffix(".json") }.map { $0.dropLast(5) }), "\(names)")
        #expect(Self.names(folder + "/tmp").isEmpty, "\(name)")
        let target = try TemporaryFolder()
        let restored = try await Tool.run(Programs.feedserver, ["restore", folder, "--data", target.path + "/data"])
        #expect(restored.code == 0, "\(name): \(restored.error)")
        #expect(try await FileServer.blobs(in: target.path + "/data") == Self.files(fixture), "\(name)")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func killedRestoreIsCompletedByTheNext() async throws {
        let fixture = try await Self.fixture()
        #expect(try await fixture.post("post-0-1-end"))
        let backedUp = try await fixture.backUp()
        #expect(backedUp.code == 0, "\(backedUp.error)")
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        for round in 0..<Soak.rounds(4, soaking: 30) {
            let name = "round \(round), seed \(seed)"
            let target = try TemporaryFolder()
            let data = target.path + "/data"
            let blobs = Int.random(in: 0...Self.count, using: &random)
            let command = ["restore", fixture.folder, "--data", data]
            try await Self.kill(command, in: data) {
                switch round % 4 {
                case 0: Self.names(data).contains("restoring")
                case 1: Self.names(data).contains("feed.sqlite")
                default: FileServer.blobs(in: data).count >= blobs
                }
            }
            if Self.names(data).contains("restoring") {
                let list = try await Tool.run(Programs.feedserver, ["account", "list", "--data", data])
                #expect(
                    list.code == 1 && list.error.contains("has not been completed"), "\(name): \(list.error)")
            }
            if Self.names(data).contains("restoring") || !Self.names(data).contains("feed.sqlite") {
                let done = try await Tool.run(Programs.feedserver, command)
                #expect(done.code == 0, "\(name): \(done.error)")
            }
            let check = try await Tool.run(Programs.feedserver, ["check", "--data", data])
            #expect(check.code == 0, "\(name): \(check.text) \(check.error)")
            let server = try await ServerProcess.start(folder: target)
            #expect(try await fixture.posts(on: server) == ["post-0-1-end"], "\(name)")
            #expect(try await FileServer.blobs(in: data) == Self.files(fixture), "\(name)")
            try await server.stop()
        }
    }
}
