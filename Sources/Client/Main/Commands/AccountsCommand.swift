import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Lists the logins on this machine.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List the logins on this machine; a star marks the current one.",
        discussion: "Switch to another one with feedclient use @name.")

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await ErrorReporter.run {
            let current = try GlobalOptions.credentials.logins().first
            for login in try global.logins() {
                print(SafeText.line("\(login == current ? "*" : " ") @\(login.username) on \(login.server)"))
            }
        }
    }
}
