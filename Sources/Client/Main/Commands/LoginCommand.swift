import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// Logs in and stores the token.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Log in to a server.",
        discussion: """
            Opens the login page of the server in the browser, and waits up to five minutes for you to log in there. \
            --no-browser prints its address instead, for a browser on any machine, and asks for the code that it shows. \
            With --username, the password is entered here, if the server permits that: it is exchanged for a token and \
            not stored, except with --classic, because the classic dialect requires it in each request. The file of \
            --cacert is remembered, so later commands need no such option.

              feedclient login https://feed.example
              feedclient login https://feed.example --username ada --password-stdin < password.txt
            """)

    @Argument(help: .init("The server, such as https://feed.example.", valueName: "url")) var url: String
    @Option(help: "The username, to log in with a password.") var username: String?
    @Flag(help: "Read the password from the first line of standard input.") var passwordStdin = false
    @Flag(help: "Read an access token from the first line of standard input.") var tokenStdin = false
    @Flag(help: "Print the address of the login page, and ask for the code that it shows.") var noBrowser = false
    @Flag(help: "The server supports only the classic dialect.") var classic = false
    @OptionGroup var trust: CertificateOptions
    @Flag(name: .shortAndLong, help: "Print requests and responses to standard error, without secrets.") var verbose =
        false

    func validate() throws {
        guard !(passwordStdin && tokenStdin) else {
            throw ValidationError("Choose one of --password-stdin and --token-stdin.")
        }
        guard !(classic && tokenStdin) else { throw ValidationError("--classic requires a password.") }
        guard !noBrowser || !passwordStdin && !tokenStdin && !classic && username == nil else {
            throw ValidationError("--no-browser needs no username, password or token.")
        }
        guard tokenStdin || username != nil || !passwordStdin else {
            throw ValidationError("--password-stdin requires --username.")
        }
    }

    func run() async throws {
        try await ErrorReporter.run {
            let address = try ServerAddress(url)
            // Otherwise, the server would issue a token that is not stored anywhere.
            try GlobalOptions.credentials.checkWritable()
            var login = try await login(address)
            login.cacert = trust.file ?? CertificateOptions.remembered(for: address)
            let earlier = try await revokingAfterFailure(login.isOwn == true ? login.credential : nil, address) {
                try GlobalOptions.credentials.save(login)
            }
            if let earlier, earlier.isOwn == true, earlier.credential != login.credential {
                await revoke(earlier.credential, address)
            }
            print("logged in to \(SafeText.line(login.server)) as \(SafeText.line(login.username))")
        }
    }

    private func login(_ address: ServerAddress) async throws -> CredentialStore.Login {
        if tokenStdin { return try await tokenLogin(address) }
        guard classic || username != nil else { return try await browserLogin(address) }
        // Checked before a person types a password.
        if !classic, !passwordStdin, try await !global.use(address, nil, { try await $0.acceptsPasswords() }) {
            StandardError.line("\(SafeText.line(address.description)) accepts no passwords from apps")
            return try await browserLogin(address)
        }
        return try await passwordLogin(address)
    }

    private func browserLogin(_ address: ServerAddress) async throws -> CredentialStore.Login {
        let page = LoginPage(address: address, browser: noBrowser ? nil : WebBrowser(), asksForCode: noBrowser)
        try page.check()
        let credential = try await global.use(address, nil) {
            try await page.login($0, store: GlobalOptions.credentials)
        }
        return try await ownLogin(address, credential)
    }

    private func tokenLogin(_ address: ServerAddress) async throws -> CredentialStore.Login {
        let credential = Credential.token(try PasswordInput.line())
        let account = try await global.use(address, credential) { try await $0.verifyCredentials() }
        return .init(server: address.description, username: account.username, credential: credential)
    }

    private func passwordLogin(_ address: ServerAddress) async throws -> CredentialStore.Login {
        if classic, !passwordStdin { try await contact(address) }
        let name = try username ?? promptForName()
        let password =
            try passwordStdin ? PasswordInput.line() : PasswordInput.prompt("Password: ", option: "--password-stdin")
        if classic {
            let credential = Credential.classic(username: name, password: password)
            _ = try await global.use(address, credential) { try await $0.classicFeed() }
            return .init(server: address.description, username: name, credential: credential)
        }
        let credential = try await global.use(address, nil) {
            try await $0.login(username: name, password: password, store: GlobalOptions.credentials)
        }
        return try await ownLogin(address, credential)
    }

    /// The login with a token that the server has just issued for it.
    private func ownLogin(_ address: ServerAddress, _ credential: Credential) async throws -> CredentialStore.Login {
        let account = try await revokingAfterFailure(credential, address) {
            try await global.use(address, credential) { try await $0.verifyCredentials() }
        }
        return .init(server: address.description, username: account.username, credential: credential, isOwn: true)
    }

    /// Fails if the server cannot be reached, before a person types a password. Any response will do, because servers of
    /// the classic dialect respond with an error.
    private func contact(_ address: ServerAddress) async throws {
        do {
            _ = try await global.use(address, nil) { try await $0.ping() }
        } catch let error as FeedClientError where error.status != nil || error.code == .failed {}
    }

    /// Runs `body`. If it fails, revokes the token, which would be stored nowhere.
    /// - Parameter credential: The token that the server has issued for this login; `nil` if it issued none.
    private func revokingAfterFailure<Value>(
        _ credential: Credential?, _ address: ServerAddress, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch {
            if let credential { await revoke(credential, address) }
            throw error
        }
    }

    /// Revokes a token that is not used. A failure is reported only with `--verbose`, because it changes no result.
    private func revoke(_ credential: Credential, _ address: ServerAddress) async {
        do {
            try await global.use(address, credential) { try await $0.revoke() }
        } catch {
            if verbose {
                StandardError.line("an unused token could not be revoked: " + SafeText.line("\(error)"))
            }
        }
    }

    private func promptForName() throws -> String {
        StandardError.write("Username: ")
        guard let name = readLine(), !name.isEmpty else {
            throw FeedClientError(.failed, "No username was entered", hint: "Add --username.")
        }
        return name
    }

    private var global: GlobalOptions {
        var options = GlobalOptions()
        (options.server, options.account) = (nil, nil)
        options.trust = trust
        options.verbose = verbose
        return options
    }
}

/// Leads the user to the login page of a server, and back.
struct LoginPage {
    let address: ServerAddress
    /// `nil` to let the user open the page and enter the code that it shows.
    let browser: WebBrowser?
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
        let callback = try await LoginCallback.listen()
        let login = try await client.beginLogin(redirectURI: callback.uri, store: store)
        StandardError.line("Log in on the page that opens in your browser. If none opens, go to")
        StandardError.line(SafeText.line(login.url))
        do {
            try browser.open(login.url, waits: false)
        } catch let error as FeedClientError {
            StandardError.line("warning: " + SafeText.line(error.message))
        }
        return try await client.finish(login, code: try await callback.code(for: login))
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
