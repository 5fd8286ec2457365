import ArgumentParser
import FeedCore
import FeedTerminal

/// Reads a password from a terminal prompt or from standard input. Passwords are not accepted as arguments, which other
/// users of the machine can see.
struct PasswordInput: ParsableArguments {
    @Flag(name: .customLong("password-stdin"), help: "Read the password from standard input (one line).")
    var fromStandardInput = false

    /// - Throws: ``FeedError`` `.malformed` if the password is too short or too long, or if the two entries differ.
    func read() throws -> String {
        let password = fromStandardInput ? readLine(strippingNewline: true) ?? "" : try prompted()
        guard password.count >= RegistrationForm.passwordCharacters else {
            throw FeedError.malformed(
                password.isEmpty ? "the password is empty" : "the password is too short",
                hint: "Use at least \(RegistrationForm.passwordCharacters) characters.")
        }
        guard password.utf8.count <= 1024 else { throw FeedError.malformed("the password is longer than 1024 bytes") }
        return password
    }

    private func prompted() throws -> String {
        guard PasswordPrompt.isPossible else {
            throw FeedError.malformed(
                "cannot prompt for the password without a terminal",
                hint: "Use --password-stdin and pass the password on standard input.")
        }
        guard let first = PasswordPrompt.read("Password: ") else { throw FeedError.malformed("no password entered") }
        guard PasswordPrompt.read("Repeat password: ") == first else {
            throw FeedError.malformed("the passwords do not match", hint: "Try again.")
        }
        return first
    }
}
