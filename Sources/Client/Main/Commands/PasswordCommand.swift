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

/// Reads passwords and tokens from a prompt or standard input, never from the command line, which other users can see.
enum PasswordInput {
    /// The first line of standard input.
    static func line() throws(FeedClientError) -> String {
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw FeedClientError(
                .failed, "Standard input is empty", hint: "Pipe the secret into the program, as one line.")
        }
        return line
    }

    /// Prompts on the terminal, without echo.
    static func prompt(_ text: String, option: String) throws(FeedClientError) -> String {
        guard PasswordPrompt.isPossible else {
            throw FeedClientError(
                .failed, "Standard input is not a terminal, so there is no password prompt",
                hint: "Add \(option) and pipe the password into the program.")
        }
        guard let secret = PasswordPrompt.read(text) else {
            throw FeedClientError(
                .failed, "No password was entered", hint: "Enter it, or add \(option) and pipe it into the program.")
        }
        return secret
    }
}
