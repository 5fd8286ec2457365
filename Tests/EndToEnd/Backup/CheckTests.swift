import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedserver check` on planted damage. Wrong counts and damaged indexes are planted in `DatabaseCheckTests`.
@Suite(.hangLimit)
struct CheckTests {
    @Test func demoHasNoProblems() async throws {
        let server = try await ServerProcess.start(["--demo"])
        let done = try await server.admin("check")
        #expect(done.code == 0 && done.text.contains("found 0 problems"), "\(done.text) \(done.error)")
    }

    @Test func damagedMissingAndUnreferencedFilesAreFound() async throws {
        let fixture = try await BackupFixture.start()
        let server = fixture.server
        let contents = (0..<4).map { SampleBytes.make(30_000 + $0, seed: UInt64(500 + $0)) }
        for (number, content) in contents.enumerated() { try await server.store("\(number).bin", content) }
        #expect(try await fixture.backUp().code == 0)
        let healthy = try await server.process.admin("check")
        #expect(healthy.code == 0 && healthy.text.contains("4 stored files"), "\(healthy.text)")

        let data = server.process.data
        let hashes = contents.map { Checksum.sha256($0) }
        try BackupFixture.flipBit(of: hashes[1], in: data)
        try FileManager.default.removeItem(atPath: BackupFixture.blob(hashes[2], in: data))
        let orphan = BackupFixture.blob(Checksum.sha256(Data("orphan".utf8)), in: data)
        try FileManager.default.createDirectory(
            atPath: (orphan as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data("orphan".utf8).write(to: URL(fileURLWithPath: orphan))

        let found = try await server.process.admin("check")
        #expect(found.code == 1 && found.text.contains("found 3 problems"), "\(found.text)")
        for line in [
            "problem: 1.bin: its content \(BackupFixture.blob(hashes[1], in: data)) is damaged",
            "problem: 2.bin: its content \(BackupFixture.blob(hashes[2], in: data)) is missing",
            "problem: nothing refers to \(orphan)", "remedy: Run feedserver check --repair.",
        ] { #expect(found.text.contains(line + "\n"), "\(line): \(found.text)") }
        #expect(FileManager.default.fileExists(atPath: orphan))

        let repaired = try await server.process.admin("check", "--repair")
        #expect(repaired.code == 1 && repaired.text.contains("repaired: nothing refers to"), "\(repaired.text)")
        #expect(!FileManager.default.fileExists(atPath: orphan))
        try await Self.followRemedies(repaired.text, fixture)
        let last = try await server.process.admin("check")
        #expect(last.code == 0 && last.text.contains("found 0 problems"), "\(last.text)")
        #expect(try await server.get("2.bin").body == contents[2])
    }

    /// Does what the remedies say, with the folder of the backup.
    private static func followRemedies(_ text: String, _ fixture: BackupFixture) async throws {
        let remedies = text.matches(of: /remedy: Copy (blobs\/\S+) from the folder of a backup to (\S+), or/)
        #expect(remedies.count == 2, "\(text)")
        for remedy in remedies {
            let copied = try await Tool.run("cp", [fixture.folder + "/" + remedy.1, String(remedy.2)])
            #expect(copied.code == 0, "\(copied.error)")
        }
    }

    /// The content of a backup would not help.
    @Test(.enabled(if: geteuid() == 0 && othersMayRunPrograms), .onSQLite)
    func contentThatMayNotBeReadIsNotMissing() async throws {
        let (fixture, backups) = (try await BackupFixture.start(), try TemporaryFolder())
        let content = SampleBytes.make(1000, seed: 600)
        try await fixture.server.store("a.bin", content)
        try await fixture.server.process.stop()
        let (data, hash) = (fixture.server.process.data, Checksum.sha256(content))
        for (user, path) in [("12345", data), ("12345", backups.path), ("0", data + "/blobs/\(hash.prefix(2))")] {
            #expect(try await Tool.run("chown", ["-R", user, path]).code == 0)
        }
        func run(_ arguments: String...) async throws -> Finished {
            let user = ["--reuid", "12345", "--regid", "12345", "--clear-groups", Programs.feedserver]
            return try await Tool.run("setpriv", user + arguments + ["--data", data])
        }
        let found = try await run("check", "--repair")
        let lines = [
            "problem: a.bin: this user may not read its content \(BackupFixture.blob(hash, in: data))",
            "remedy: Run chown -R 12345 \(data) as root.",
        ]
        #expect(
            found.code == 1 && found.text.hasPrefix(lines.joined(separator: "\n") + "\n"),
            "\(found.text) \(found.error)")
        let refused = try await run("backup", backups.path)
        #expect(refused.code == 1 && refused.error.contains("damaged or not readable: a.bin"), "\(refused.error)")
        #expect(try await Tool.run("chown", ["-R", "12345", data]).code == 0)
        #expect(try await run("check").code == 0)
        #expect(try await run("backup", backups.path).code == 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: backups.path) where name.hasPrefix("backup-") {
            let path = backups.path + "/" + name
            #expect(chown(path, 0, 0) == 0)
            let unreadable = try await run("check", backups.path)
            let problem =
                "problem: this user may not read \(path)\nremedy: Run the command as the owner of the backups.\n"
            #expect(unreadable.code == 1 && unreadable.text.contains(problem), "\(unreadable.text)")
            #expect(chown(path, 12_345, 12_345) == 0)
        }
        #expect(try await run("check", backups.path).code == 0)
    }

    private static var othersMayRunPrograms: Bool {
        var (path, status) = (Programs.feedserver as NSString, stat())
        while path.length > 1 {
            guard stat(path as String, &status) == 0, status.st_mode & 0o001 != 0 else { return false }
            path = path.deletingLastPathComponent as NSString
        }
        return true
    }

    /// The check holds off the collector, and files that are waiting for it are not a problem.
    @Test func busyServerHasNoProblems() async throws {
        let server = try await FileServer.start()
        let writing = Task {
            for number in 0..<150 {
                try await server.store("a.bin", SampleBytes.make(20_000, seed: UInt64(number)))
                try await server.store("b-\(number % 5).bin", SampleBytes.make(1000, seed: UInt64(1000 + number)))
                try await server.delete("b-\(number % 5).bin")
            }
        }
        for _ in 0..<4 {
            let done = try await server.process.admin("check")
            #expect(done.code == 0, "\(done.text) \(done.error)")
        }
        try await writing.value
        try await Wait.until("replaced files are collected") { server.blobs().count == 1 }
    }

    @Test func vacuumNeedsTheFolderAlone() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let refused = try await server.admin("vacuum")
        #expect(refused.code == 1 && refused.error.contains("hint: Stop the server"), "\(refused.error)")
        try await server.stop()
        let done = try await server.admin("vacuum")
        #expect(done.code == 0 && done.text.hasPrefix("the database had "), "\(done.text) \(done.error)")
        #expect(try await server.admin("account", "list").text.contains("ada"))
    }
}
