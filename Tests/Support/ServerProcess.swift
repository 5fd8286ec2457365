import Foundation
package import TestKit

/// The real server, in its own process and folder.
package final class ServerProcess: Sendable {
    package let folder: TemporaryFolder
    /// `http://127.0.0.1:PORT`.
    package let address: String
    package let port: Int
    private let process: ChildProcess
    private let logPath: String
    /// Keeps the port, also after the server has exited, so that a test that continues does not reach another test's
    /// server.
    private let reserved: ReservedPort?

    /// The data folder.
    package var data: String { folder.path + "/data" }

    /// The server's standard error. Only that of a server that has stopped is certainly complete, because a thread writes
    /// the lines.
    package var log: String { String(decoding: FileManager.default.contents(atPath: logPath) ?? Data(), as: UTF8.self) }

    package var processID: Int32 { process.processIdentifier }

    /// The number of bytes that the server has read with system calls so far.
    package var bytesRead: Int? {
        let text = try? String(contentsOfFile: "/proc/\(processID)/io", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("rchar: ") }
        return line.flatMap { Int($0.dropFirst("rchar: ".count)) }
    }

    /// Starts a server and waits until it listens.
    /// - Parameters:
    ///   - folder: A folder to keep across several servers.
    ///   - port: 0 for any free port; for the successor of a server that has stopped, the port of that server.
    ///   - arguments: Additional options of `serve`.
    ///   - enforcesRateLimits: Whether rate limits apply; tests send more requests than a person would.
    ///   - place: The log file to use instead of a new one.
    ///   - openFiles: The limit on open files (`ulimit -n`).
    package static func start(
        folder: TemporaryFolder? = nil, port: Int = 0, _ arguments: [String] = [], environment: [String: String] = [:],
        logsTo place: String? = nil, enforcesRateLimits: Bool = false, openFiles: Int? = nil
    ) async throws -> ServerProcess {
        let folder = try folder ?? TemporaryFolder()
        // A test may start a server on a port that is taken.
        let reserved = try? ReservedPort(port)
        let output = try folder.file("out-" + UUID().uuidString, "")
        let log = try place ?? folder.file("log-" + UUID().uuidString, "")
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: Programs.feedserver)
        process.arguments =
            ["serve", "--data", folder.path + "/data", "--port", "\(reserved?.number ?? port)"] + arguments
        if !enforcesRateLimits { process.arguments?.append("--no-rate-limits") }
        if let openFiles {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments =
                ["-c", "ulimit -n \(openFiles); exec \"$@\"", "sh", Programs.feedserver] + (process.arguments ?? [])
        }
        process.environment = ProcessInfo.processInfo.environment
            .merging(try PostgresTests.environment(for: process.arguments ?? [])) { _, new in new }
            .merging(environment) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        // A debug build takes long to fill a demo while other tests are running.
        for _ in 0..<15_000 {
            let text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
            if text.hasSuffix("\n"), let port = text.dropLast().split(separator: ":").last.flatMap({ Int($0) }) {
                return ServerProcess(folder: folder, port: port, reserved: reserved, process: process, logPath: log)
            }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        process.terminate()
        throw StartFailure(log: String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self))
    }

    private init(
        folder: TemporaryFolder, port: Int, reserved: ReservedPort?, process: ChildProcess, logPath: String
    ) {
        self.folder = folder
        self.port = port
        self.reserved = reserved
        self.process = process
        self.logPath = logPath
        address = "http://127.0.0.1:\(port)"
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Sends a signal and waits for the exit.
    /// - Returns: The exit code.
    @discardableResult
    package func stop(_ signal: Int32 = SIGTERM) async throws -> Int32 {
        kill(process.processIdentifier, signal)
        while process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    /// Runs `feedserver` with this server's folder.
    @discardableResult
    package func admin(_ arguments: String..., input: String = "") async throws -> Finished {
        try await Tool.run(Programs.feedserver, arguments + ["--data", data], input: Data(input.utf8))
    }

    /// Creates a token for an account.
    package func token(_ name: String, scopes: String? = nil) async throws -> String {
        let arguments = ["token", "create", name, "--data", data] + (scopes.map { ["--scopes", $0] } ?? [])
        let done = try await Tool.run(Programs.feedserver, arguments)
        guard done.code == 0 else { throw StartFailure(log: done.error) }
        return done.text.trimmingCharacters(in: .newlines)
    }
}

package struct StartFailure: Error, CustomStringConvertible {
    let log: String

    package init(log: String) { self.log = log }

    package var description: String { "it did not start: " + log }
}
