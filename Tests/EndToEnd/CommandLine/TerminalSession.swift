import FeedTestSupport
import Foundation
import TestKit

/// Runs `feedclient` with a terminal as its standard input.
struct TerminalSession {
    let home: ClientHome
    /// A shell script that is the editor; its argument is the file. `nil` for no editor.
    var editor: String?
    /// A shell script that is the browser; its argument is the address. `nil` for none.
    var browser: String?

    /// - Parameter typing: What is typed as soon as standard error contains a text, in this order.
    func run(_ arguments: String..., typing: [(prompt: String, keys: String)] = []) async throws -> Finished {
        let (terminal, folder) = (try PseudoTerminal(), try TemporaryFolder())
        defer { withExtendedLifetime(folder) {} }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.feedclient)
        process.arguments = arguments
        process.environment = try environment(in: folder)
        process.currentDirectoryURL = URL(fileURLWithPath: home.folder.path)
        process.standardInput = terminal.handle
        let (output, log) = (try folder.file("output", ""), try folder.file("error", ""))
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        for (prompt, keys) in typing {
            while process.isRunning, !Self.text(log).contains(prompt) { try await Task.sleep(for: .milliseconds(5)) }
            terminal.type(keys)
        }
        while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        return Finished(
            code: process.terminationStatus, output: Data(Self.text(output).utf8), error: Self.text(log))
    }

    private func environment(in folder: TemporaryFolder) throws -> [String: String] {
        var environment = ProcessInfo.processInfo.environment.merging(home.environment) { _, new in new }
        environment["VISUAL"] = ""
        environment["EDITOR"] = try editor.map { "sh '" + (try folder.file("editor", $0 + "\n")) + "'" } ?? ""
        environment["BROWSER"] = try browser.map { "sh '" + (try folder.file("browser", $0 + "\n")) + "'" } ?? ""
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"] { environment[name] = nil }
        return environment
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
