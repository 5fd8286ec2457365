import FeedTestSupport
import Foundation
import TestKit

/// Runs `feedclient` with a terminal as its standard output or standard error.
enum OutputTerminal {
    enum Stream {
        case output, error
    }

    /// - Parameters:
    ///   - more: Variables to add to the environment.
    ///   - size: What the terminal states as its size; by default, only the environment states it.
    ///   - stream: What is a terminal; the other one is discarded.
    ///   - terminal: The terminal of several commands; `nil` for one of their own.
    ///   - keys: What has been typed; `nil` if standard input is not the terminal.
    /// - Returns: The exit code, and what was written to the terminal.
    static func run(
        _ home: ClientHome, _ arguments: [String], _ more: [String: String] = [:], size: PseudoTerminal.Size? = nil,
        stream: Stream = .output, on terminal: PseudoTerminal? = nil, typing keys: String? = nil
    ) async throws -> (code: Int32, text: String) {
        let terminal = try terminal ?? PseudoTerminal(size: size)
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: Programs.feedclient)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(home.environment) { _, new in new }
            .merging(["TERM": "xterm", "LC_ALL": "C.UTF-8", "LINES": "20"]) { _, new in new }
            .merging(more) { _, new in new }
        process.standardInput = keys == nil ? FileHandle.nullDevice : terminal.handle
        if let keys { terminal.type(keys) }
        process.standardOutput = stream == .output ? terminal.handle : FileHandle.nullDevice
        process.standardError = stream == .error ? terminal.handle : FileHandle.nullDevice
        try process.run()
        var output = Data()
        try await Wait.until("the program has ended") {
            output += terminal.output()
            return !process.isRunning
        }
        output += terminal.output()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self).replacing("\r\n", with: "\n"))
    }
}
