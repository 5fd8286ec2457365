import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows the current account.
struct WhoamiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show the account that you are logged in as.",
        discussion: """
              feedclient whoami
              feedclient whoami --json
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print the CredentialAccount entity as JSON; for a classic login, server, username and classic.")
    var json = false

    func run() async throws {
        try await ErrorReporter.run {
            let login = try global.currentLogin()
            if login.isClassic {
                if json { return print(try LoginLine.json(login)) }
                return ScreenOutput().show([SafeText.line("@\(login.username) on \(login.server)")])
            }
            let (account, json) = try await global.use { try await $0.profile() }
            if self.json { return print(JSONText.line(json)) }
            let text = "@\(account.username) (\(account.display_name)) on \(login.server)"
            ScreenOutput().show([SafeText.line(text)])
        }
    }
}
