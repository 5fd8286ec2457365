import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

/// Backups of a running server, and what is restored from them.
@Suite(.hangLimit, .serialized)
struct BackupTests {
    /// The posts that clients have sent, and those that the server has acknowledged.
    private final class Record: Sendable {
        struct State {
            var posts: Set<String> = []
            var files: [String: String] = [:]
            var sent: Set<String> = []
            var isStopped = false
            /// Whether the clients wait.
            var isPaused = false
        }
        let state = Mutex(State())
        var now: State { state.withLock { $0 } }
    }

    /// Posts, and uploads a file with every third status, until the record is stopped.
    private static func work(_ client: Int, _ fixture: BackupFixture, _ record: Record) async throws {
        var number = 0
        while !record.now.isStopped {
            guard !record.now.isPaused else {
                try await Task.sleep(for: .milliseconds(10))
                continue
            }
            number += 1
            let text = "post-\(client)-\(number)-end"
            record.state.withLock { _ = $0.sent.insert(text) }
            if try await fixture.post(text) { record.state.withLock { _ = $0.posts.insert(text) } }
            guard number % 3 == 0 else { continue }
            let content = SampleBytes.make(20_000, seed: UInt64(client * 100_000 + number))
            // Every client also replaces a file of its own, whose former content is collected.
            let name = number % 2 == 0 ? "replaced-\(client).bin" : "f-\(client)-\(number).bin"
            try await fixture.server.store(name, content)
            record.state.withLock { $0.files[name] = Checksum.sha256(content) }
        }
    }

    @Test func backupUnderLoadContainsEverythingAcknowledged() async throws {
        let (fixture, record) = (try await BackupFixture.start(), Record())
        let clients = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<Soak.rounds(8, soaking: 32) {
                    group.addTask { try await Self.work(client, fixture, record) }
                }
                try await group.waitForAll()
            }
        }
        for round in 0..<Soak.rounds(2, soaking: 10) {
            let count = record.now.posts.count
            record.state.withLock { $0.isPaused = false }
            try await Wait.until("more statuses are posted") { record.now.posts.count > count + 60 }
            let before = record.now
            let done = try await fixture.backUp()
            #expect(done.code == 0, "\(done.error)")
            // Otherwise there would be more to compare in each round than in the one before.
            record.state.withLock { $0.isPaused = true }
            let target = try TemporaryFolder()
            _ = try await fixture.restore(into: target)
            try await Self.expectWhole(target, fixture, before, sent: { record.now.sent }, round: round)
        }
        record.state.withLock { $0.isStopped = true }
        try await clients.value
    }

    private static func expectWhole(
        _ target: TemporaryFolder, _ fixture: BackupFixture, _ before: Record.State, sent: () -> Set<String>,
        round: Int
    ) async throws {
        let check = try await Tool.run(Programs.feedserver, ["check", "--data", target.path + "/data"])
        #expect(check.code == 0, "round \(round): \(check.text) \(check.error)")
        let server = try await ServerProcess.start(folder: target)
        let posts = try await fixture.posts(on: server)
        #expect(before.posts.subtracting(posts).isEmpty, "round \(round)")
        #expect(posts.isSubset(of: sent()), "round \(round)")
        for (name, hash) in before.files {
            let response = try await RawHTTP.send(port: server.port, "GET", FileServer.path(name))
            #expect(response.status == 200, "round \(round): \(name)")
            // A file may have been replaced before the database was copied.
            if name.hasPrefix("f-") { #expect(Checksum.sha256(response.body) == hash, "round \(round): \(name)") }
        }
        try await server.stop()
    }

    @Test func secondBackupCopiesOnlyWhatIsNew() async throws {
        let fixture = try await BackupFixture.start()
        for number in 0..<3 {
            try await fixture.server.store("\(number).bin", SampleBytes.make(50_000, seed: UInt64(number)))
        }
        let first = try await fixture.backUp()
        #expect(first.code == 0 && first.text.contains("copied 3 stored files ("), "\(first.text) \(first.error)")
        #expect(first.text.contains(", 0 unchanged"), "\(first.text)")
        try await fixture.server.store("3.bin", SampleBytes.make(50_000, seed: 3))
        let second = try await fixture.backUp()
        #expect(
            second.text.contains("copied 1 stored file (") && second.text.contains(", 3 unchanged"), "\(second.text)")
        #expect(try fixture.manifests().map(\.blobs.count) == [3, 4])
        #expect(FileServer.blobs(in: fixture.folder) == fixture.server.blobs())
    }

    @Test func restoreSelectsABackupByTime() async throws {
        let fixture = try await BackupFixture.start()
        for number in 1...3 {
            #expect(try await fixture.post("post-0-\(number)-end"))
            #expect(try await fixture.backUp().code == 0)
        }
        let manifests = try fixture.manifests()
        for (index, manifest) in manifests.enumerated() {
            let target = try TemporaryFolder()
            let done = try await fixture.restore(into: target, "--at", manifest.time)
            #expect(done.text.hasPrefix("restored the backup from \(manifest.time): 3 accounts, "), "\(done.text)")
            let server = try await ServerProcess.start(folder: target)
            #expect(try await fixture.posts(on: server).count == index + 1)
            try await server.stop()
        }
        // A date is the end of its day.
        let newest = try #require(manifests.last)
        let day = try await fixture.restore(into: try TemporaryFolder(), "--at", String(newest.time.prefix(10)))
        let latest = try await fixture.restore(into: try TemporaryFolder())
        #expect(day.text == latest.text && day.text.contains(newest.time))
        let early = try await Tool.run(
            Programs.feedserver,
            ["restore", fixture.folder, "--data", fixture.folder + "-none", "--at", "2020-01-01"])
        #expect(early.code == 1 && early.error.contains("The oldest backup is from \(manifests[0].time)"))
        #expect(!FileManager.default.fileExists(atPath: fixture.folder + "-none"))
    }

    /// Clients must not continue at positions of the change log that the backup does not contain.
    @Test func restoreRenewsTheEpoch() async throws {
        let fixture = try await BackupFixture.start()
        #expect(try await fixture.backUp().code == 0)
        let target = try TemporaryFolder()
        _ = try await fixture.restore(into: target)
        let again = target.path + "/backups"
        let done = try await Tool.run(Programs.feedserver, ["backup", again, "--data", target.path + "/data"])
        #expect(done.code == 0, "\(done.error)")
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: again).first { $0.hasSuffix(".json") })
        let manifest = try JSONDecoder().decode(
            BackupFixture.Manifest.self, from: Data(contentsOf: URL(fileURLWithPath: again + "/" + name)))
        #expect(try fixture.manifests().first?.epoch != manifest.epoch)
    }

    @Test func oldBackupsAreRemovedWithTheirFiles() async throws {
        let fixture = try await BackupFixture.start()
        let contents = (0..<3).map { SampleBytes.make(30_000, seed: UInt64(60 + $0)) }
        try await fixture.server.store("kept.bin", contents[0])
        for content in contents[1...] {
            try await fixture.server.store("a.bin", content)
            #expect(try await fixture.backUp().code == 0)
        }
        #expect(FileServer.blobs(in: fixture.folder).count == 3)
        let done = try await fixture.backUp("--keep", "2")
        #expect(done.code == 0 && done.text.contains("removed 1 old backup and 1 file ("), "\(done.text) \(done.error)")
        #expect(try fixture.manifests().count == 2)
        #expect(FileServer.blobs(in: fixture.folder) == Set([contents[0], contents[2]].map { Checksum.sha256($0) }))
        _ = try await fixture.restore(into: try TemporaryFolder())
    }

    /// A damaged file does not prevent a backup of the rest, but is reported each time.
    @Test func damagedFileIsReported() async throws {
        let fixture = try await BackupFixture.start()
        let contents = (0..<3).map { SampleBytes.make(30_000, seed: UInt64(70 + $0)) }
        for (number, content) in contents.enumerated() { try await fixture.server.store("\(number).bin", content) }
        let hash = Checksum.sha256(contents[1])
        try BackupFixture.flipBit(of: hash, in: fixture.server.process.data)
        let done = try await fixture.backUp()
        #expect(done.code == 1 && done.error.contains("lacks 1 file") && done.error.contains("1.bin"), "\(done.error)")
        #expect(try fixture.manifests().map(\.blobs.missing) == [[hash]])
        let target = try TemporaryFolder()
        let restored = try await fixture.restore(into: target)
        #expect(restored.error.contains("1 file had no content"), "\(restored.error)")
        #expect(FileServer.blobs(in: target.path + "/data").count == 2)
        // A backup that was made before the damage still has the content.
        #expect(try await fixture.server.put("1.bin", contents[1]).status == 204)
        #expect(try await fixture.backUp().code == 0)
        try BackupFixture.flipBit(of: hash, in: fixture.server.process.data)
        #expect(try await fixture.backUp().code == 0)
    }

    /// Names of content in a backup must not become paths of other files.
    @Test(arguments: [
        "UPDATE file SET blob = '../../../../../../../etc/passwd'", "UPDATE account SET avatar = '/etc/passwd'",
    ])
    func hostileBackupIsRefused(change: String) async throws {
        let fixture = try await BackupFixture.start()
        try await fixture.server.store("a.bin", SampleBytes.make(1000, seed: 81))
        #expect(try await fixture.backUp().code == 0)
        let script = """
            import glob, hashlib, json, sqlite3, sys
            base = glob.glob(sys.argv[1] + "/backup-*.json")[0][:-5]
            db = sqlite3.connect(base + ".sqlite")
            db.execute(sys.argv[2]); db.commit(); db.close()
            manifest, content = json.load(open(base + ".json")), open(base + ".sqlite", "rb").read()
            manifest["database"] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            json.dump(manifest, open(base + ".json", "w"))
            """
        let changed = try await Tool.run("python3", ["-c", script, fixture.folder, change])
        try #require(changed.code == 0, "\(changed.error)")
        let target = try TemporaryFolder()
        let done = try await Tool.run(
            Programs.feedserver, ["restore", fixture.folder, "--data", target.path + "/data"])
        #expect(done.code == 1 && done.error.contains("contains an invalid"), "\(done.error)")
        #expect(FileServer.blobs(in: target.path + "/data").isEmpty)
        let served = try await Tool.run(Programs.feedserver, ["serve", "--data", target.path + "/data", "--port", "0"])
        #expect(served.code == 1 && served.error.contains("has not been completed"), "\(served.error)")
    }

    @Test func damagedBackupIsNotRestoredSilently() async throws {
        let fixture = try await BackupFixture.start()
        let content = SampleBytes.make(30_000, seed: 80)
        try await fixture.server.store("a.bin", content)
        #expect(try await fixture.backUp().code == 0)
        try BackupFixture.flipBit(of: Checksum.sha256(content), in: fixture.folder)
        let target = try TemporaryFolder()
        let arguments = ["restore", fixture.folder, "--data", target.path + "/data"]
        let done = try await Tool.run(Programs.feedserver, arguments)
        #expect(
            done.code == 1
                && done.error.contains("the content of 1 file is missing or damaged, for example a.bin\n"),
            "\(done.error)")
        let server = try await ServerProcess.start(folder: target)
        try await server.stop()
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: fixture.folder).first { $0.hasSuffix(".sqlite") })
        let database = URL(fileURLWithPath: fixture.folder + "/" + name)
        var bytes = try Data(contentsOf: database)
        bytes[bytes.count - 100] ^= 1
        try bytes.write(to: database)
        let other = try TemporaryFolder()
        let refused = try await Tool.run(
            Programs.feedserver, ["restore", fixture.folder, "--data", other.path + "/data"])
        #expect(refused.code == 1 && refused.error.contains("is damaged") && refused.error.contains("--at"))
        let start = try await Tool.run(Programs.feedserver, ["serve", "--port", "0", "--data", other.path + "/data"])
        #expect(start.code == 1 && start.error.contains("has not been completed"), "\(start.error)")
        #expect(start.error.contains("hint: Run the same feedserver restore"))
    }

    @Test func damagedBackupIsFoundBeforeItIsRestored() async throws {
        let fixture = try await BackupFixture.start()
        let contents = (0..<3).map { SampleBytes.make(30_000, seed: UInt64(90 + $0)) }
        for (number, content) in contents.enumerated() {
            try await fixture.server.store("\(number).bin", content)
            #expect(try await fixture.backUp().code == 0)
        }
        func check() async throws -> Finished { try await Tool.run(Programs.feedserver, ["check", fixture.folder]) }
        let intact = try await check()
        #expect(
            intact.code == 0 && intact.text.hasPrefix("checked 3 backups and 3 stored files (")
                && intact.text.hasSuffix("): found 0 problems\n"), "\(intact.text) \(intact.error)")
        let blobs = contents.map { BackupFixture.blob(Checksum.sha256($0), in: fixture.folder) }
        // Of the same size, so that the next backup does not notice.
        try Data(count: 30_000).write(to: URL(fileURLWithPath: blobs[0]))
        try FileManager.default.removeItem(atPath: blobs[2])
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder).filter {
            $0.hasSuffix(".sqlite")
        }.sorted()
        let database = URL(fileURLWithPath: fixture.folder + "/" + names[0])
        var bytes = try Data(contentsOf: database)
        bytes[bytes.count - 100] ^= 1
        try bytes.write(to: database)
        let oldest = try fixture.manifests()[0].time
        let damaged = try await check()
        #expect(damaged.code == 1 && damaged.text.contains("found 3 problems"), "\(damaged.text)")
        for line in [
            "problem: 0.bin: its content \(blobs[0]) is damaged",
            "remedy: Remove \(blobs[0]), then run feedserver backup, which copies what the feed still has.",
            "problem: 2.bin: its content \(blobs[2]) is missing",
            "remedy: To replace it, run feedserver backup, which copies what the feed still has.",
            "problem: the database of the backup from \(oldest) is damaged",
        ] { #expect(damaged.text.contains(line + "\n"), "\(line): \(damaged.text)") }
        try FileManager.default.removeItem(atPath: blobs[0])
        #expect(try await fixture.backUp("--keep", "3").code == 0)
        let repaired = try await check()
        #expect(repaired.code == 0 && repaired.text.hasPrefix("checked 3 backups and 3 stored"), "\(repaired.text)")
        let refused = try await Tool.run(Programs.feedserver, ["check", fixture.folder, "--repair"])
        #expect(refused.code == 64 && refused.error.contains("does not repair backups"), "\(refused.error)")
        let place = try TemporaryFolder()
        let none = try await Tool.run(Programs.feedserver, ["check", place.path])
        #expect(none.code == 1 && none.error.contains("no complete backup"), "\(none.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
    }

    @Test func checkNamesContentThatABackupNeverHad() async throws {
        let fixture = try await BackupFixture.start()
        let contents = (0..<2).map { SampleBytes.make(1000, seed: UInt64(95 + $0)) }
        for (number, content) in contents.enumerated() { try await fixture.server.store("\(number).bin", content) }
        let lost = BackupFixture.blob(Checksum.sha256(contents[1]), in: fixture.server.process.data)
        try FileManager.default.removeItem(atPath: lost)
        #expect(try await fixture.backUp().code == 1)
        let time = try fixture.manifests()[0].time
        let done = try await Tool.run(Programs.feedserver, ["check", fixture.folder])
        let note =
            "note: 1 file had no content when the backup from \(time) was made\nchecked 1 backup and 1 stored file ("
        #expect(done.code == 0 && done.text.hasPrefix(note), "\(done.text) \(done.error)")
    }

    @Test func backupIsPrivate() async throws {
        let fixture = try await BackupFixture.start()
        try await fixture.server.store("a.bin", Data("a".utf8))
        let target = try TemporaryFolder()
        for command in [
            ["backup", fixture.folder, "--data", fixture.server.process.data],
            ["restore", fixture.folder, "--data", target.path + "/data"],
        ] {
            let done = try await Tool.run(
                "sh", ["-c", "umask 000; exec \"$0\" \"$@\"", Programs.feedserver] + command)
            #expect(done.code == 0, "\(done.error)")
        }
        for folder in [fixture.folder, target.path + "/data"] {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) + [""] {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
                let mode = try #require(attributes[.posixPermissions] as? Int)
                #expect(mode & 0o077 == 0, "\(folder)/\(name)")
            }
        }
    }

    @Test func unsuitableFoldersAreRefused() async throws {
        let fixture = try await BackupFixture.start()
        let data = fixture.server.process.data
        let other = try TemporaryFolder()
        _ = try other.file("mine.txt", "x")
        try FileManager.default.createSymbolicLink(atPath: other.path + "-link", withDestinationPath: data)
        defer { try? FileManager.default.removeItem(atPath: other.path + "-link") }
        for (words, expected) in [
            (["backup", data], "must not contain each other"), (["backup", data + "/backups"], "must not contain"),
            (["backup", fixture.server.process.folder.path], "must not contain"),
            (["backup", other.path + "-link/backups"], "must not contain"),
            (["backup", other.path], "contains other files"), (["backup", other.path + "/mine.txt"], "cannot write"),
            (["restore", other.path], "no complete backup"), (["restore", other.path + "/none"], "does not exist"),
        ] {
            let done = try await Tool.run(Programs.feedserver, words + ["--data", data])
            #expect(done.code == 1 && done.error.contains(expected), "\(words): \(done.error)")
            #expect(done.error.contains("hint: "), "\(words): \(done.error)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["mine.txt"])
        #expect(try await fixture.backUp().code == 0)
        let full = try await Tool.run(Programs.feedserver, ["restore", fixture.folder, "--data", data])
        #expect(full.code == 1 && full.error.contains("is not empty"), "\(full.error)")
        for words in [
            ["backup", ""], ["backup"], ["backup", "x", "--keep", "0"], ["backup", "x", "--keep", "many"],
            ["restore", "x", "--at", "yesterday"], ["restore", "x", "--at", "2026-13-01"], ["restore", ""],
        ] {
            let done = try await Tool.run(Programs.feedserver, words + ["--data", data])
            #expect(done.code == 64, "\(words): \(done.error)")
        }
    }
}
