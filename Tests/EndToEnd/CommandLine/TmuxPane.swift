import FeedTestSupport
import Foundation
import TestKit

/// A real terminal, which shows the output of a command.
struct TmuxPane {
    static var isInstalled: Bool { Tool.isInstalled("tmux") }

    /// More than any output needs, so that nothing leaves the screen.
    private static let rows = 250
    private static let end = "END:"

    let columns: Int

    /// Runs `feedclient` in the terminal.
    /// - Parameter more: Variables to add to the environment.
    /// - Returns: The exit code, and what the screen shows, as ``ScreenText`` describes it.
    func run(
        _ home: ClientHome, _ arguments: [String], _ more: [String: String] = [:]
    ) async throws -> (code: Int32, screen: String) {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let settings = try folder.file("conf", "set -g status off\nset -g default-terminal tmux-256color\n")
        // The terminal states its width.
        let given = home.environment.filter { !["COLUMNS", "NO_COLOR"].contains($0.key) }
        let script = try folder.file("script", Self.script(arguments, given.merging(more) { $1 }))
        let tmux = ["-u", "-S", folder.path + "/socket", "-f", settings]
        let started = try await Self.tmux(
            tmux + ["new-session", "-d", "-x", "\(columns)", "-y", "\(Self.rows)", "sh '\(script)'"])
        guard started.code == 0 else { throw StartFailure(log: started.error) }
        let screen: Result<String, any Error>
        do { screen = .success(try await Self.lastScreen(tmux)) } catch { screen = .failure(error) }
        _ = try await Self.tmux(tmux + ["kill-server"])
        return Self.split(try screen.get())
    }

    private static func tmux(_ arguments: [String]) async throws -> Finished {
        try await Tool.run("tmux", arguments, environment: ["TMUX": "", "LC_ALL": "C.UTF-8"])
    }

    /// The screen at the end of the command.
    private static func lastScreen(_ tmux: [String]) async throws -> String {
        var screen = ""
        try await Wait.until("the command in the terminal has ended") {
            screen = try await Self.tmux(tmux + ["capture-pane", "-p", "-e"]).text
            return screen.contains(/END:[0-9]+/)
        }
        return ScreenText.described(screen)
    }

    /// The terminal disappears after some minutes if the test is killed.
    private static func script(_ arguments: [String], _ environment: [String: String]) -> String {
        let settings = environment.sorted { $0.key < $1.key }.map { "export \($0.key)='\($0.value)'\n" }.joined()
        let command = ([Programs.feedclient] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return """
            unset COLUMNS LINES COLORTERM NO_COLOR CLICOLOR CLICOLOR_FORCE
            \(settings)\(command)
            echo "\(end)$?"
            exec sleep 600

            """
    }

    private static func split(_ screen: String) -> (Int32, String) {
        guard let mark = screen.range(of: end, options: .backwards) else { return (-1, screen) }
        let code = screen[mark.upperBound...].prefix { $0.isNumber }
        return (Int32(code) ?? -1, String(screen[..<mark.lowerBound]))
    }
}
