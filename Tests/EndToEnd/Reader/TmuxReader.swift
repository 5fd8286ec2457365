import FeedTestSupport
import Foundation
import TestKit

/// The reader in a real terminal, into which keys are typed.
struct TmuxReader {
    private static let end = "END:"

    private let folder: TemporaryFolder
    private let tmux: [String]

    /// Starts `feedclient` in a shell, which compares the settings of the terminal afterwards.
    /// - Parameter more: Variables to add to the environment.
    static func start(
        _ home: ClientHome, _ arguments: [String] = [], columns: Int, rows: Int, _ more: [String: String] = [:]
    ) async throws -> TmuxReader {
        let folder = try TemporaryFolder()
        let settings = try folder.file("conf", "set -g status off\nset -g default-terminal tmux-256color\n")
        let given = home.environment.filter { !["COLUMNS", "NO_COLOR"].contains($0.key) }
        let script = try folder.file("script", script(arguments, given.merging(more) { $1 }, folder.path))
        let tmux = ["-u", "-S", folder.path + "/socket", "-f", settings]
        let started = try await run(
            tmux + ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh '\(script)'"])
        guard started.code == 0 else { throw StartFailure(log: started.error) }
        return TmuxReader(folder: folder, tmux: tmux)
    }

    /// Runs `body` with a reader, which ends with it.
    static func use(
        _ home: ClientHome, _ arguments: [String] = [], columns: Int = 80, rows: Int = 24,
        _ more: [String: String] = [:], _ body: (TmuxReader) async throws -> Void
    ) async throws {
        let reader = try await start(home, arguments, columns: columns, rows: rows, more)
        let result: Result<Void, any Error>
        do { result = .success(try await body(reader)) } catch { result = .failure(error) }
        _ = try await run(reader.tmux + ["kill-server"])
        try result.get()
    }

    /// The screen.
    func screen() async throws -> String { try await Self.run(tmux + ["capture-pane", "-p"]).text }

    /// Waits until the screen shows a text, and returns the screen.
    @discardableResult func shows(_ text: String) async throws -> String {
        var screen = ""
        try await Wait.until("the screen shows \(text)") {
            screen = try await self.screen()
            return screen.contains(text)
        }
        return screen
    }

    /// Presses a key until the screen shows a text: what the key is for may not have arrived yet.
    func shows(_ text: String, pressing key: String) async throws {
        try await Wait.until("the screen shows \(text)") {
            try await press(key)
            return try await screen().contains(text)
        }
    }

    /// The screen with the sequences that select colors.
    func coloredScreen() async throws -> String { try await Self.run(tmux + ["capture-pane", "-p", "-e"]).text }

    /// Waits until the screen no longer shows a text.
    func hides(_ text: String) async throws {
        try await Wait.until("the screen hides \(text)") { try await !screen().contains(text) }
    }

    /// Types text as it is.
    func type(_ text: String) async throws { _ = try await Self.run(tmux + ["send-keys", "-l", text]) }

    /// Presses keys by the names that tmux has for them, such as `Enter` and `C-s`.
    func press(_ keys: String...) async throws { _ = try await Self.run(tmux + ["send-keys"] + keys) }

    func resize(columns: Int, rows: Int) async throws {
        _ = try await Self.run(tmux + ["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Sends a signal to the reader.
    func kill(_ number: Int32) throws { _ = Foundation.kill(try process(), number) }

    /// Closes the terminal, and waits until the reader has ended.
    func close() async throws {
        let process = try process()
        _ = try await Self.run(tmux + ["kill-server"])
        try await Wait.until("the reader ends with its terminal") { Foundation.kill(process, 0) != 0 }
    }

    private func process() throws -> Int32 {
        let id = try String(contentsOfFile: folder.path + "/pid", encoding: .utf8)
        guard let process = Int32(id.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw StartFailure(log: "no process: " + id)
        }
        return process
    }

    /// Whether the settings of the terminal are as they were before the reader started.
    /// - Parameter name: When they have been stored.
    func isRestored(_ name: String) throws -> Bool {
        let settings = try ["before", name].map {
            try String(contentsOfFile: folder.path + "/" + $0, encoding: .utf8)
        }
        return settings[0] == settings[1]
    }

    /// Waits until the reader has ended.
    /// - Returns: Its exit code, and whether the terminal is as it was.
    func ended() async throws -> (code: Int32, isRestored: Bool) {
        var code: Int32?
        try await Wait.until("the reader has ended") {
            let rest = try await screen().components(separatedBy: Self.end).dropFirst().last ?? ""
            // With what follows the number, all of it is there.
            code = rest.contains(".") ? Int32(rest.prefix { $0.isNumber }) : nil
            return code != nil
        }
        return (code ?? -1, try isRestored("after"))
    }

    private static func run(_ arguments: [String]) async throws -> Finished {
        try await Tool.run("tmux", arguments, environment: ["TMUX": "", "LC_ALL": "C.UTF-8"])
    }

    /// The process id is that of the shell that the reader replaces.
    private static func script(
        _ arguments: [String], _ environment: [String: String], _ folder: String
    ) -> String {
        let settings = environment.sorted { $0.key < $1.key }.map { "export \($0.key)='\($0.value)'\n" }.joined()
        let command = ([Programs.feedclient] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return """
            unset COLUMNS LINES COLORTERM NO_COLOR CLICOLOR CLICOLOR_FORCE
            \(settings)set -m
            trap : INT
            stty -a > '\(folder)/before'
            sh -c 'echo $$ > "$0"; exec "$@"' '\(folder)/pid' \(command)
            code=$?
            while [ $code = \(128 + SIGTSTP) ]; do
                stty -a > '\(folder)/stopped'
                echo STOPPED
                read line
                fg
                code=$?
            done
            stty -a > '\(folder)/after'
            echo "\(end)$code."
            exec sleep 600

            """
    }
}
