import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Lists the logins on this machine.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List the logins on this machine; a star marks the current one.",
        discussion: """
            Switch to another one with feedclient use @name.

              feedclient accounts
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object per line, with server, username, current and classic.") var json = false

    func run() async throws {
        try await ErrorReporter.run {
            let current = try GlobalOptions.credentials.logins().first
            let logins = try global.logins()
            if json {
                for login in logins { print(try LoginLine.json(login, isCurrent: login == current)) }
                return
            }
            ScreenOutput().show(
                logins.map { SafeText.line("\($0 == current ? "*" : " ") @\($0.username) on \($0.server)") })
        }
    }
}
