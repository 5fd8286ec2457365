import FeedTestSupport
import Foundation
import TestKit

/// Commands that are killed while they run.
enum KilledCommand {
    /// Runs a command and kills it (`kill -9`) as soon as a condition is true.
    /// - Parameter environment: Variables to add to the environment of this process.
    /// - Returns: `false` if the command has ended before.
    static func run(
        _ arguments: [String], of program: String = Programs.feedserver, environment: [String: String] = [:],
        killedWhen isTime: () throws -> Bool
    ) async throws -> Bool {
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        while process.isRunning, try !isTime() { try await Task.sleep(for: .milliseconds(1)) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try await Wait.until("the command has ended") { !process.isRunning }
        return process.terminationReason == .uncaughtSignal
    }
}
