import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `kill -9` at random moments, repeatedly: the file is right, and few bytes are fetched twice.
@Suite(.hangLimit)
struct KillTests {
    /// One hundred with `FEED_FULL=1`, otherwise fewer.
    private static let rounds = 1...Soak.rounds(24, soaking: 100)
    private static let size = 12 << 20 | 5
    /// The rate of the server per connection, at which a download takes about two seconds.
    private static let pieces = (size: 64 << 10, pause: 10)
    /// The maximum amount of data that is fetched twice, in seconds; applies to the median.
    private static let maximumWaste = 2.0

    private struct Round {
        let folder: TemporaryFolder
        let server: FaultServer
        let connections: Int

        private var options: [String] { ["--connections", "\(connections)"] }
        var output: String { folder.path + "/out.bin" }

        /// Starts a download and kills it after the given time, if it has not ended.
        func killed(after seconds: Double) async throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Programs.feedclient)
            process.arguments = ["download", server.url, "-o", output, "--progress", "none"] + options
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["XDG_CONFIG_HOME": folder.path + "/config"]) { _, new in new }
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            try await Task.sleep(for: .seconds(seconds))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        /// Kills the download up to three times, then lets it finish.
        /// - Returns: The amount of data that was fetched twice, in seconds per kill.
        func run(seed: UInt64) async throws -> Double {
            var random = SplitMix64(seed: seed)
            let kills = Int.random(in: 1...3, using: &random)
            for _ in 0..<kills {
                try await killed(after: Double.random(in: 0.05...2, using: &random))
                if FileManager.default.fileExists(atPath: output) { break }
                let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
                #expect(names.allSatisfy(KillTests.mayBeLeft), "seed \(seed): \(names)")
            }
            if !FileManager.default.fileExists(atPath: output) {
                let done = try await Tool.run(
                    Programs.feedclient, ["download", server.url, "-o", output] + options,
                    environment: ["XDG_CONFIG_HOME": folder.path + "/config"])
                #expect(done.code == 0, "seed \(seed): \(done.error)")
                let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
                #expect(names.isSubset(of: ["out.bin", "config"]), "seed \(seed): \(names)")
            }
            #expect(FileManager.default.contents(atPath: output) == KillTests.file.bytes, "seed \(seed)")
            let rate = Double(KillTests.pieces.size * connections) / (Double(KillTests.pieces.pause) / 1000)
            return Double(max(0, server.served - KillTests.size)) / rate / Double(kills)
        }
    }

    private static let file = OfferedFile.random(size)

    /// Whether a killed download may leave a file.
    private static func mayBeLeft(_ name: String) -> Bool {
        ["out.bin.part", "out.bin.part.journal", "config"].contains(name) || name.hasPrefix("out.bin.part.journal.new-")
    }

    @Test func killedDownloadsCompleteAndFetchLittleTwice() async throws {
        let seed = Soak.seed
        let wastes = try await withThrowingTaskGroup(of: Double.self) { group in
            for round in Self.rounds {
                group.addTask {
                    try await DownloadSlots.shared.run {
                        let plan = FaultPlan(Self.file, [.always(.drip(Self.pieces.size, pause: Self.pieces.pause))])
                        return try await FaultServer.serving(plan) { server in
                            let connections = round % 2 == 0 ? 1 : 4
                            return try await Round(
                                folder: TemporaryFolder(), server: server, connections: connections
                            ).run(seed: seed &+ UInt64(round))
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let median = wastes.sorted()[wastes.count / 2]
        #expect(median <= Self.maximumWaste, "median \(median) s, maximum \(wastes.max() ?? 0) s")
        print("kill -9: \(wastes.count) rounds, data fetched twice: median \(median) s, maximum \(wastes.max() ?? 0) s")
    }
}
