import ArgumentParser
import Dispatch
import FeedAPI
import FeedCore
import FeedFiles
import FeedTerminal
import Foundation
import Synchronization

@main
enum Program {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        // On this thread alone: a thread that is started while the process restricts itself would crash it.
        if arguments.first == MediaArguments.command { return MediaWorkerCommand.main(Array(arguments.dropFirst())) }
        // As an asynchronous `main` does.
        Task {
            await FeedserverCommand.main()
            exit(0)
        }
        dispatchMain()
    }
}

/// The `feedserver` command: the server and its administration.
struct FeedserverCommand: AsyncParsableCommand {
    static let version = FeedVersion.current

    static let configuration = CommandConfiguration(
        commandName: "feedserver",
        abstract: "A small microblog server: one binary, one folder.",
        discussion: """
            --data and all options of serve can also be set by environment variables, for example --base-url by \
            FEEDSERVER_BASE_URL, and in a JSON file that FEEDSERVER_CONFIG or --config names. Options take \
            precedence over the environment, which takes precedence over the file.

            Exit codes: 0 success, 1 failure, 64 usage error.
            """,
        version: "feedserver " + version,
        subcommands: [
            ServeCommand.self, AccountCommand.self, InviteCommand.self, StatusCommand.self, ReportCommand.self,
            TokenCommand.self, ImportCommand.self, CopyCommand.self, BackupCommand.self, RestoreCommand.self,
            CheckCommand.self, VacuumCommand.self, GCCommand.self, StatsCommand.self, DoctorCommand.self,
            MediaWorkerCommand.self,
        ])

    /// Usage errors begin like all others.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try Failure.exiting { try requireOutput() }
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            let arguments = Array(CommandLine.arguments.dropFirst())
            if let unknown = CommandSuggestion(arguments, in: CommandNode(Self.self)) {
                StandardError.report(unknown.message, hint: unknown.hint)
            } else {
                StandardError.usageError(fullMessage(for: error))
            }
            Foundation.exit(exitCode(for: error).rawValue)
        }
    }

    /// Output that is lost, such as a token, is a failure. The reader of a pipe may close it when it has seen enough.
    private static func requireOutput() throws(FeedError) {
        guard StandardOutput.flush() == .unwritable else { return }
        throw FeedError(.storage, "standard output cannot be written", hint: "Is the disk full?")
    }
}

/// Prints errors and hints for the command line.
enum Failure {
    /// Runs a command; an error is printed and ends the process with exit code 1.
    static func reported(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as FeedError {
            StandardError.report(error.plainMessage, hint: error.hint)
            throw ExitCode(1)
        } catch let error where error is ExitCode || error is ValidationError || error is CleanExit {
            throw error
        } catch {
            StandardError.report("\(error)", hint: nil)
            throw ExitCode(1)
        }
    }

    /// Like ``reported(_:)``, for errors that are found while the arguments are validated.
    static func exiting(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as FeedError {
            StandardError.report(error.plainMessage, hint: error.hint)
            throw ExitCode(1)
        }
    }
}

/// The progress of a command, one line per step, shown only on a terminal. Several threads may report at once.
final class ProgressReporter: Sendable {
    private let line: ProgressLine
    private let total: Int64
    private let done = Atomic<Int64>(0)

    /// - Parameters:
    ///   - label: The step.
    ///   - total: The final amount; 0 if unknown.
    init(_ label: String, total: Int64 = 0, unit: ProgressBar.Unit = .bytes) {
        line = ProgressLine(ProgressBar(label: label, total: nil, unit: unit), screen: .current())
        self.total = total
    }

    /// Adds to the amount.
    func advance(_ amount: Int64) {
        let sum = done.add(amount, ordering: .relaxed).newValue
        line.show(done: sum, total: total > 0 ? max(total, sum) : nil)
    }

    /// Sets the amount and the total.
    func show(_ done: Int64, of total: Int64) { line.show(done: done, total: total > 0 ? max(total, done) : nil) }

    /// Erases the line.
    func clear() { line.clear() }

    /// Shows a step while `body` runs.
    static func during<Value>(
        _ label: String, total: Int64 = 0, unit: ProgressBar.Unit = .bytes,
        _ body: (ProgressReporter) async throws -> Value
    ) async rethrows -> Value {
        let progress = ProgressReporter(label, total: total, unit: unit)
        defer { progress.clear() }
        return try await body(progress)
    }
}
