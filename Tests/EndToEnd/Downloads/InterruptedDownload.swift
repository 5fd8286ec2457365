import FeedTestSupport
import Foundation
import Testing

extension DownloadDesk {
    /// Runs `feedclient download URL -o out.bin` and ends it by a signal. Something must keep it from coming to its end before.
    /// - Parameter isDue: Asked again and again whether it is time.
    func interrupt(
        _ url: String, _ options: [String] = [], with signal: Int32 = SIGKILL, when isDue: () async throws -> Bool
    ) async throws {
        let process = try start(url, options)
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try await Patience.until("the download can be interrupted") {
            guard process.isRunning else { return true }
            return try await isDue()
        }
        if process.isRunning { kill(process.processIdentifier, signal) }
        while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        let status = process.terminationStatus
        let code = process.terminationReason == .exit ? status : 128 + status
        try #require(code == 128 + signal, "it ended by itself")
    }

    private func start(_ url: String, _ options: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.feedclient)
        process.arguments = ["download", url, "-o", output, "--progress", "none"] + options
        process.environment = ProcessInfo.processInfo.environment.merging(home.environment) { _, new in new }
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs a download from a server that falls silent, and kills it once it has written down what it has: the journal speaks of
    /// enough bytes, and then nothing has come or been written for two seconds.
    /// - Parameters:
    ///   - noted: Bytes of which the journal must speak; 0 where nothing can be resumed, so that bytes on the disk are enough.
    ///   - meanwhile: Is run before it is killed.
    func downloadUntilSilent(
        _ server: FaultServer, _ options: [String], noted: Int = 1 << 20, meanwhile: () async throws -> Void = {}
    ) async throws {
        var quiet = Quiet()
        try await interrupt(server.url, options) {
            guard quiet.lasts(.seconds(2), at: server.served + journalTime), server.isSilent, hasWritten(noted) else {
                return false
            }
            try await meanwhile()
            return true
        }
    }

    private func hasWritten(_ noted: Int) -> Bool { noted > 0 ? notedBytes >= noted : partBytes > 0 }
}

/// Notices that a number has not changed for a while.
private struct Quiet {
    private var last: Int?
    private var since = ContinuousClock.now

    mutating func lasts(_ time: Duration, at value: Int) -> Bool {
        if value != last { (last, since) = (value, .now) }
        return ContinuousClock.now - since >= time
    }
}
