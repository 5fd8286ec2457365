import FeedClientKit
import FeedTerminal

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
