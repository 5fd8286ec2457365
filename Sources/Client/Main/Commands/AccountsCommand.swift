import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Lists the logins on this machine.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List the logins on this machine; a star marks the current one.")

    func run() async throws {
        try await ErrorReporter.run {
            for (index, login) in try GlobalOptions.credentials.logins().enumerated() {
                print(SafeText.line("\(index == 0 ? "*" : " ") @\(login.username) on \(login.server)"))
            }
        }
    }
}
