import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Changes the password of the account.
struct PasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Change your password.",
        discussion: """
            Asks for the current password and, twice, for the new one. All other logins end; this one stays. Not every \
            server lets apps change passwords.

              feedclient password
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Read the current and the new password from the first two lines of standard input.")
    var passwordStdin = false

    func run() async throws {
        try await ErrorReporter.run {
            let login = try global.login()
            let (old, new) = try passwords()
            guard old != new else { throw FeedClientError(.failed, "The new password is the current one") }
            try await global.use { try await $0.changePassword(from: old, to: new) }
            print(SafeText.line("changed the password of @\(login.username) on \(login.server)"))
        }
    }

    private func passwords() throws -> (old: String, new: String) {
        if passwordStdin { return (try PasswordInput.line(), try PasswordInput.line()) }
        let old = try PasswordInput.prompt("Current password: ", option: "--password-stdin")
        let new = try PasswordInput.prompt("New password: ", option: "--password-stdin")
        guard try PasswordInput.prompt("New password again: ", option: "--password-stdin") == new else {
            throw FeedClientError(.failed, "The new passwords differ", hint: "Enter the same one twice.")
        }
        return (old, new)
    }
}
