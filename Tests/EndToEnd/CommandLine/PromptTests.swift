import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A password prompt can be cancelled.
@Suite(.hangLimit)
struct PromptTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let keys: String
        let code: Int32
        var words = ""

        var testDescription: String { keys.debugDescription }
    }

    private static let rows = [
        Row(keys: "\u{3}", code: 130), Row(keys: "half\u{3}", code: 130),
        Row(keys: "\u{4}", code: 1, words: "No password was entered"), Row(keys: "wrong\u{15}secretsecret\n", code: 0),
    ]

    @Test(arguments: rows) func promptCanBeCancelled(row: Row) async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        let done = try await Self.answer(
            Programs.feedclient, ["login", server.address, "--username", "ada"], home.environment, keys: [row.keys])
        #expect(done.code == row.code && (row.words.isEmpty || done.error.contains(row.words)), "\(done.error)")
    }

    @Test func serverPromptBehavesTheSame() async throws {
        let data = try TemporaryFolder()
        let add = ["account", "add", "ada", "--data", data.path]
        #expect(try await Self.answer(Programs.feedserver, add, [:], keys: ["secretsecret\n", "\u{3}"]).code == 130)
        #expect(try await Self.answer(Programs.feedserver, add, [:], keys: ["\u{4}"]).code == 1)
        #expect(
            try await Self.answer(Programs.feedserver, add, [:], keys: ["secretsecret\n", "secretsecret\n"]).code == 0)
    }

    /// Nobody types a password for a server that cannot be reached.
    @Test func unreachableServerIsReportedBeforeThePrompt() async throws {
        let home = try ClientHome()
        let session = TerminalSession(home: home)
        let done = try await session.run("login", "http://127.0.0.1:1", "--username", "ada")
        #expect(done.code == 5 && !done.error.contains("Password"), "\(done.error)")
    }

    /// The echo is restored, and the parent process can determine which signal ended the program.
    @Test(arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM]) func signalRestoresTheEcho(_ signal: Int32) async throws {
        let home = try ClientHome()
        let running = try await ServerProcess.start()
        let client = try await Self.answer(
            Programs.feedclient, ["login", running.address, "--username", "ada"], home.environment,
            keys: ["half a pass"], then: signal)
        #expect(client.signal == signal, "\(client)")
        let data = try TemporaryFolder()
        let server = try await Self.answer(
            Programs.feedserver, ["account", "add", "ada", "--data", data.path], [:], keys: ["half a pass"],
            then: signal)
        #expect(server.signal == signal, "\(server)")
    }

    /// Runs a program on a terminal and types at each prompt.
    /// - Parameter signal: Sent to the program after the last prompt.
    private static func answer(
        _ program: String, _ arguments: [String], _ environment: [String: String], keys: [String],
        then signal: Int32? = nil
    ) async throws -> (code: Int32, signal: Int32?, error: String) {
        let (terminal, folder) = (try PseudoTerminal(), try TemporaryFolder())
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.standardInput = terminal.handle
        process.standardOutput = FileHandle.nullDevice
        let log = try folder.file("error", "")
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        for (index, keys) in keys.enumerated() {
            // Waits until the prompt appears and the echo is off, because earlier input would be discarded.
            while process.isRunning, terminal.isInDefaultMode || Self.prompts(log) <= index {
                try await Task.sleep(for: .milliseconds(5))
            }
            terminal.type(keys)
        }
        if let signal { kill(process.processIdentifier, signal) }
        while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        #expect(terminal.isInDefaultMode)
        let wasSignaled = process.terminationReason == .uncaughtSignal
        return (
            process.terminationStatus, wasSignaled ? process.terminationStatus : nil,
            try String(contentsOfFile: log, encoding: .utf8)
        )
    }

    private static func prompts(_ log: String) -> Int {
        String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
            .components(separatedBy: ": ").count - 1
    }
}
