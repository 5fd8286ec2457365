import FeedTestSupport
import Foundation
import TestKit

/// `feedclient` in its own process, whose output is read while it runs.
final class RunningClient: Sendable {
    private let process = ChildProcess()
    private let outputPath: String
    private let errorPath: String

    convenience init(_ home: ClientHome, _ arguments: String...) throws { try self.init(home, arguments) }

    init(_ home: ClientHome, _ arguments: [String]) throws {
        outputPath = try home.folder.file("output-" + UUID().uuidString, "")
        errorPath = try home.folder.file("error-" + UUID().uuidString, "")
        process.executableURL = URL(fileURLWithPath: Programs.feedclient)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(home.environment) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: outputPath)
        process.standardError = FileHandle(forWritingAtPath: errorPath)
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var isRunning: Bool { process.isRunning }
    var output: String { Self.text(outputPath) }
    var error: String { Self.text(errorPath) }
    /// The complete lines of the output.
    var lines: [String] { output.components(separatedBy: "\n").dropLast() }

    /// Sends a signal and waits for the exit.
    /// - Returns: The exit code.
    func stop(_ signal: Int32) async throws -> Int32 {
        kill(process.processIdentifier, signal)
        try await Wait.until("the command has ended") { !process.isRunning }
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
