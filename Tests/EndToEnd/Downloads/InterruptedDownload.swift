import FeedTestSupport
import Foundation
import Testing

extension DownloadDesk {
    /// Runs a download from a server that falls silent, and kills it when it had the time to write down what it has: nothing
    /// has come or been written for two seconds.
    /// - Parameter meanwhile: Is run before that.
    func downloadUntilSilent(
        _ server: FaultServer, _ options: [String], meanwhile: () async throws -> Void = {}
    ) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.feedclient)
        process.arguments = ["download", server.url, "-o", output, "--progress", "none"] + options
        process.environment = ProcessInfo.processInfo.environment.merging(home.environment) { _, new in new }
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try await silence(of: server, process)
        try await meanwhile()
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try #require(process.terminationReason == .uncaughtSignal, "it ended before it was killed")
    }

    private func silence(of server: FaultServer, _ process: Process) async throws {
        var (last, since) = (0, ContinuousClock.now)
        while process.isRunning, last == 0 || ContinuousClock.now - since < .seconds(2) {
            try await Task.sleep(for: .milliseconds(20))
            let now = server.served + noted
            if now != last { (last, since) = (now, .now) }
        }
    }

    /// When the journal was written last, in milliseconds; 0 before.
    private var noted: Int {
        var status = stat()
        guard stat(journal, &status) == 0 else { return 0 }
        return status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1_000_000
    }
}
