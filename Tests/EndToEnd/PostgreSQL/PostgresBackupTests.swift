import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Backups of a feed in PostgreSQL, which are restored into either engine.
@Suite(.hangLimit, .serialized, .enabledWithPostgreSQL)
struct PostgresBackupTests {
    private static func run(_ arguments: [String]) async throws -> Finished {
        try await Tool.run(Programs.feedserver, arguments)
    }

    private static func newest(_ server: ServerProcess) async throws -> String {
        let response = try await RawHTTP.send(port: server.port, "GET", "/api/v1/timelines/public?limit=40")
        try #require(response.status == 200, "\(response.text)")
        return response.text
    }

    @Test func backupMovesBetweenEngines() async throws {
        let (cluster, folder, place) = (try await PostgresCluster(), try TemporaryFolder(), try TemporaryFolder())
        let options = ["--base-url", "http://feed.test", "--database", cluster.address]
        let first = try await ServerProcess.start(folder: folder, options + ["--demo"])
        let expected = try await Self.newest(first)
        let done = try await Self.run([
            "backup", place.path + "/b", "--data", first.data, "--database", cluster.address,
        ])
        #expect(done.code == 0 && done.text.contains("60 accounts, 2130 statuses"), "\(done.text) \(done.error)")
        let check = try await Self.run(["check", "--data", first.data, "--database", cluster.address])
        #expect(check.code == 0, "\(check.text) \(check.error)")
        let vacuum = try await Self.run(["vacuum", "--data", first.data, "--database", cluster.address])
        #expect(vacuum.code == 0 && vacuum.text.hasPrefix("PostgreSQL can use the space "), "\(vacuum.error)")
        let taken = try await Self.run(
            ["restore", place.path + "/b", "--data", place.path + "/x/data", "--database", cluster.address])
        #expect(taken.code == 1 && taken.error.contains("already contains a feed"), "\(taken.error)")
        try await first.stop()

        let sqlite = try TemporaryFolder()
        let restored = try await Self.run(["restore", place.path + "/b", "--data", sqlite.path + "/data"])
        #expect(restored.code == 0, "\(restored.error)")
        let second = try await ServerProcess.start(folder: sqlite, ["--base-url", "http://feed.test"])
        #expect(try await Self.newest(second) == expected)
        #expect(try await second.admin("check").code == 0)
        let again = try await second.admin("backup", place.path + "/b")
        #expect(again.code == 0 && again.text.contains("copied 0 stored files"), "\(again.text) \(again.error)")
        try await second.stop()

        _ = try await cluster.query("CREATE DATABASE other")
        let other = cluster.address.replacing("/postgres?", with: "/other?")
        let target = try TemporaryFolder()
        let back = try await Self.run(
            ["restore", place.path + "/b", "--data", target.path + "/data", "--database", other])
        #expect(back.code == 0, "\(back.error)")
        let third = try await ServerProcess.start(
            folder: target, ["--base-url", "http://feed.test", "--database", other])
        #expect(try await Self.newest(third) == expected)
        #expect(!FileManager.default.fileExists(atPath: third.data + "/feed.sqlite"))
    }

    /// Every status in the copy has its change, although the rows are read one page after the other.
    @Test func backupUnderLoadIsOneSnapshot() async throws {
        let (feed, place) = (try await SharedFeed(servers: 2), try TemporaryFolder())
        let posting = Task {
            await withTaskGroup(of: Int.self) { group in
                for client in 0..<8 {
                    group.addTask {
                        var count = 0
                        while !Task.isCancelled {
                            let server = feed.servers[client % 2]
                            let response = try? await feed.post("post \(client) \(count)", to: server)
                            if response?.status == 200 { count += 1 }
                        }
                        return count
                    }
                }
                return await group.reduce(0, +)
            }
        }
        func stored() async throws -> Int { Int(try await feed.cluster.query("SELECT count(*) FROM status")[0]) ?? 0 }
        for _ in 0..<3 {
            let count = try await stored()
            try await Wait.until("more statuses are posted") { try await stored() > count + 50 }
            let before = try await stored()
            let done = try await feed.admin("backup", place.path + "/b")
            #expect(done.code == 0, "\(done.error)")
            let target = try TemporaryFolder()
            let restored = try await Self.run(["restore", place.path + "/b", "--data", target.path + "/data"])
            #expect(restored.code == 0, "\(restored.error)")
            let found = try #require(restored.text.firstMatch(of: /(\d+) statuses/)).1
            #expect(Int(found) ?? 0 >= before)
            let check = try await Self.run(["check", "--data", target.path + "/data"])
            #expect(check.code == 0, "\(check.text) \(check.error)")
        }
        posting.cancel()
        #expect(await posting.value > 150)
        try await feed.stop()
    }

    @Test func killedRestoreIsCompletedByTheNext() async throws {
        let (cluster, folder, place) = (try await PostgresCluster(), try TemporaryFolder(), try TemporaryFolder())
        let server = try await ServerProcess.start(folder: folder, ["--demo"])
        #expect(try await server.admin("backup", place.path + "/b").code == 0)
        try await server.stop()
        for round in 0..<Soak.rounds(3, soaking: 30) {
            _ = try await cluster.query("CREATE DATABASE r\(round)")
            let address = cluster.address.replacing("/postgres?", with: "/r\(round)?")
            let target = try TemporaryFolder()
            let command = ["restore", place.path + "/b", "--data", target.path + "/data", "--database", address]
            let process = ChildProcess()
            process.executableURL = URL(fileURLWithPath: Programs.feedserver)
            process.arguments = command
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            try await Self.waitForStatuses(process, address, cluster, atLeast: round % 3 * 700)
            kill(process.processIdentifier, SIGKILL)
            try await Wait.until("the restore has ended") { !process.isRunning }
            if FileManager.default.fileExists(atPath: target.path + "/data/restoring") {
                let done = try await Self.run(command)
                #expect(done.code == 0, "round \(round): \(done.error)")
            }
            let check = try await Self.run(["check", "--data", target.path + "/data", "--database", address])
            #expect(check.code == 0, "round \(round): \(check.text) \(check.error)")
            #expect(try await cluster.query("SELECT count(*) FROM status", on: address) == ["2130"])
        }
    }

    /// Waits until the database contains enough statuses, or the restore has ended.
    private static func waitForStatuses(
        _ process: ChildProcess, _ address: String, _ cluster: PostgresCluster, atLeast count: Int
    ) async throws {
        try await Wait.until("statuses are copied") {
            guard process.isRunning else { return true }
            // At first, there is no such table.
            let found = try? await cluster.query("SELECT count(*) FROM status", on: address)
            return found?.first.flatMap { Int($0) }.map { $0 > count } ?? false
        }
    }
}
