import FeedClientKit
import FeedTerminal
import Foundation

/// Leads the user to the login page of a server, and back.
struct LoginPage {
    let address: ServerAddress
    /// `nil` to let the user open the page and enter the code that it shows.
    let browser: Browser?
    /// Whether the user wants to enter a code, and may therefore send it through a pipe.
    let asksForCode: Bool

    /// A script would wait for nobody.
    /// - Throws: ``FeedClientError`` `.failed` without a terminal.
    func check() throws {
        guard asksForCode || isatty(STDIN_FILENO) == 1 else {
            throw FeedClientError(
                .failed, "Standard input is not a terminal, so nobody can log in",
                hint: "Add --username and --password-stdin, or --token-stdin.")
        }
    }

    /// - Throws: ``FeedClientError``, with the code `.unauthorized` if the user declines, or enters a wrong code.
    func login(_ client: FeedClient, store: CredentialStore) async throws -> Credential {
        guard let browser else { return try await loginWithCode(client, store) }
        let redirect = try await LoopbackRedirect.listen()
        let login = try await client.beginLogin(redirectURI: redirect.uri, store: store)
        StandardError.line("Log in on the page that opens in your browser. If none opens, go to")
        StandardError.line(SafeText.line(login.url))
        do {
            try browser.open(login.url, waits: false)
        } catch let error as FeedClientError {
            StandardError.line("warning: " + SafeText.line(error.message))
        }
        return try await client.finish(login, code: try await redirect.code(for: login))
    }

    private func loginWithCode(_ client: FeedClient, _ store: CredentialStore) async throws -> Credential {
        let login = try await client.beginLogin(redirectURI: nil, store: store)
        StandardError.line("Open this page in a browser, log in, and enter the code that it shows:")
        StandardError.line(SafeText.line(login.url))
        StandardError.write("Code: ")
        let code = (readLine() ?? "").trimmingCharacters(in: .whitespaces)
        guard !code.isEmpty else {
            throw FeedClientError(.failed, "No code was entered", hint: "Run the command again.")
        }
        return try await client.finish(login, code: code)
    }
}
