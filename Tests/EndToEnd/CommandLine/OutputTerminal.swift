import FeedTestSupport
import Foundation

/// Runs `feedclient` with a terminal as its standard output.
enum OutputTerminal {
    /// - Parameters:
    ///   - more: Variables to add to the environment.
    ///   - size: What the terminal states as its size; by default, only the environment states it.
    static func run(
        _ home: ClientHome, _ arguments: [String], _ more: [String: String] = [:], size: PseudoTerminal.Size? = nil
    ) async throws -> (code: Int32, text: String) {
        let terminal = try PseudoTerminal(size: size)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.feedclient)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(home.environment) { _, new in new }
            .merging(["TERM": "xterm", "LC_ALL": "C.UTF-8", "LINES": "20"]) { _, new in new }
            .merging(more) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = terminal.handle
        process.standardError = FileHandle.nullDevice
        try process.run()
        var output = Data()
        while process.isRunning {
            output += terminal.output()
            try await Task.sleep(for: .milliseconds(5))
        }
        output += terminal.output()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self).replacing("\r\n", with: "\n"))
    }
}
