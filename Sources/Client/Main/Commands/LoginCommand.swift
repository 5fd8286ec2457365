import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Logs in and stores the token.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Log in to a server.",
        discussion: """
            Prompts for the password if standard input is a terminal; otherwise use --password-stdin. The password is \
            exchanged for a token and not stored, except with --classic, because the classic dialect requires it in each \
            request. The file of --cacert is remembered, so later commands need no such option.

              feedclient login https://feed.example
              feedclient login https://feed.example --username ada --password-stdin < password.txt
            """)

    @Argument(help: .init("The server, such as https://feed.example.", valueName: "url")) var url: String
    @Option(help: "The username.") var username: String?
    @Flag(help: "Read the password from the first line of standard input.") var passwordStdin = false
    @Flag(help: "Read an access token from the first line of standard input.") var tokenStdin = false
    @Flag(help: "The server supports only the classic dialect.") var classic = false
    @OptionGroup var trust: TrustOption
    @Flag(name: .shortAndLong, help: "Print requests and responses to standard error, without secrets.") var verbose =
        false

    func validate() throws {
        guard !(passwordStdin && tokenStdin) else {
            throw ValidationError("Choose one of --password-stdin and --token-stdin.")
        }
        guard !(classic && tokenStdin) else { throw ValidationError("--classic requires a password.") }
        guard tokenStdin || username != nil || !passwordStdin else {
            throw ValidationError("--password-stdin requires --username.")
        }
    }

    func run() async throws {
        try await ErrorReporter.run {
            let address = try ServerAddress(url)
            // Otherwise, the server would issue a token that is not stored anywhere.
            try GlobalOptions.credentials.checkWritable()
            var login = try await tokenStdin ? tokenLogin(address) : passwordLogin(address)
            login.cacert = trust.file ?? TrustOption.remembered(for: address)
            let earlier = try await revokingAfterFailure(login.isOwn == true ? login.credential : nil, address) {
                try GlobalOptions.credentials.save(login)
            }
            if let earlier, earlier.isOwn == true, earlier.credential != login.credential {
                await revoke(earlier.credential, address)
            }
            print("logged in to \(SafeText.line(login.server)) as \(SafeText.line(login.username))")
        }
    }

    private func tokenLogin(_ address: ServerAddress) async throws -> CredentialStore.Login {
        let credential = Credential.token(try PasswordInput.line())
        let account = try await global.use(address, credential) { try await $0.verifyCredentials() }
        return .init(server: address.description, username: account.username, credential: credential)
    }

    private func passwordLogin(_ address: ServerAddress) async throws -> CredentialStore.Login {
        if !passwordStdin { try await contact(address) }
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

/// Removes the current login.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Remove the current login and revoke its token.",
        discussion: """
            The timelines that are stored for the account are removed. Its posts in the outbox are kept.

              feedclient logout
              feedclient logout --as @bob@feed.example
            """)

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await ErrorReporter.run {
            let login = try global.currentLogin()
            let timelines = StoredTimelines(try global.session())
            do {
                try await global.use { try await $0.revoke() }
            } catch let error as FeedClientError where error.status == 401 {
                // The token has been revoked already.
            } catch {
                StandardError.line("warning: the token could not be revoked: " + SafeText.line("\(error)"))
            }
            try GlobalOptions.credentials.remove(login)
            await timelines.removeAll()
            GlobalOptions.listings.removeAll(server: login.server, username: login.username)
            print("logged out of \(SafeText.line(login.server))")
            await reportWaitingPosts(of: OutboxAccount(login))
        }
    }

    private func reportWaitingPosts(of account: OutboxAccount) async {
        let entries = (try? await Outbox(folder: GlobalOptions.folders.state).entries()) ?? []
        let count = entries.count { $0.account == account }
        guard count > 0 else { return }
        StandardError.line("kept in the outbox: \(Plural.text(count, "post")); see feedclient outbox")
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
