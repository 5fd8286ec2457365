import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows the current account.
struct WhoamiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show the account that you are logged in as.")

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await ErrorReporter.run {
            let login = try global.currentLogin()
            if login.isClassic { return print(SafeText.line("@\(login.username) on \(login.server)")) }
            let account = try await global.use { try await $0.verifyCredentials() }
            print(SafeText.line("@\(account.username) (\(account.display_name)) on \(login.server)"))
        }
    }
}
