import ArgumentParser
import FeedCore
import FeedTerminal

/// Where a password comes from: a prompt on a terminal, or one line of standard input. Never the command line, where
/// others could read it.
struct PasswordInput: ParsableArguments {
    @Flag(name: .customLong("password-stdin"), help: "Read the password from standard input, one line.")
    var fromStandardInput = false

    /// - Throws: ``FeedError`` when there is none, or two typed ones differ.
    func read() throws -> String {
        let password = fromStandardInput ? readLine(strippingNewline: true) ?? "" : try prompted()
        guard !password.isEmpty else {
            throw FeedError.malformed("the password is empty", hint: "Give one of at least one character.")
        }
        guard password.utf8.count <= 1024 else { throw FeedError.malformed("the password is longer than 1024 bytes") }
        return password
    }

    private func prompted() throws -> String {
        guard HiddenPrompt.isPossible else {
            throw FeedError.malformed(
                "there is no terminal to ask for the password on", hint: "Add --password-stdin and pipe it in.")
        }
        guard let first = HiddenPrompt.read("Password: ") else { throw FeedError.malformed("no password was given") }
        guard HiddenPrompt.read("Once more: ") == first else {
            throw FeedError.malformed("the two passwords differ", hint: "Try again.")
        }
        return first
    }
}
