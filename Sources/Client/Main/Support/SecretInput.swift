import FeedClientKit
import FeedTerminal

/// Where passwords and tokens come from: a prompt, or standard input. Never the command line.
enum SecretInput {
    /// One line of standard input.
    static func line() throws(FeedClientError) -> String {
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw FeedClientError(.failed, "Standard input is empty", hint: "Pipe the secret in, one line.")
        }
        return line
    }

    /// Asks on the terminal without showing what is typed.
    static func prompt(_ words: String, option: String) throws(FeedClientError) -> String {
        guard HiddenPrompt.isPossible else {
            throw FeedClientError(.failed, "There is no terminal to ask on", hint: "Add \(option) and pipe it in.")
        }
        guard let secret = HiddenPrompt.read(words) else {
            throw FeedClientError(.failed, "No password was given", hint: "Type it, or add \(option) and pipe it in.")
        }
        return secret
    }
}
