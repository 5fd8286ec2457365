import FeedTestSupport
import Foundation
import TestKit
import Testing

extension DownloadFixture {
    /// Runs `feedclient download URL -o out.bin` and ends it with a signal. The caller must ensure that it cannot
    /// finish earlier.
    /// - Parameter isDue: Called repeatedly until it returns `true`; the signal is sent then.
    func interrupt(
        _ url: String, _ options: [String] = [], with signal: Int32 = SIGKILL, when isDue: () async throws -> Bool
    ) async throws {
        let process = try start(url, options)
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try await Wait.until("the download can be interrupted") {
            guard process.isRunning else { return true }
            return try await isDue()
        }
        if process.isRunning { kill(process.processIdentifier, signal) }
        while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        let status = process.terminationStatus
        let code = process.terminationReason == .exit ? status : 128 + status
        try #require(code == 128 + signal, "the client exited before it was interrupted")
    }

    private func start(_ url: String, _ options: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.feedclient)
        process.arguments = ["download", url, "-o", output, "--progress", "none"] + options
        // The client must not leave a silent server.
        process.environment = ProcessInfo.processInfo.environment.merging(home.environment) { $1 }
            .merging(["FEED_TIMEOUT": "\(Wait.seconds)"]) { $1 }
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs a download from a server that stops sending, and kills it after its last commit: the journal lists enough
    /// bytes, and nothing has been received or written for two seconds.
    /// - Parameters:
    ///   - noted: The number of bytes that the journal must list; 0 if the download cannot be resumed, in which case
    ///     any bytes on disk suffice.
    ///   - meanwhile: Called before the client is killed.
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

    private func hasWritten(_ noted: Int) -> Bool { noted > 0 ? journaledBytes >= noted : partBytes > 0 }
}

/// Detects that a number has not changed for some time.
private struct Quiet {
    private var last: Int?
    private var since = ContinuousClock.now

    mutating func lasts(_ time: Duration, at value: Int) -> Bool {
        if value != last { (last, since) = (value, .now) }
        return ContinuousClock.now - since >= time
    }
}
