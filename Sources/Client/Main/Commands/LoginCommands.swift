import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Logs in and keeps the token.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Log in to a server.",
        discussion: """
            Asks for the password on a terminal; elsewhere add --password-stdin. The password is traded for a token and \
            not kept, but with --classic: servers of that kind want it with every request.
            """)

    @Argument(help: .init("The server, such as https://feed.example.", valueName: "url")) var url: String
    @Option(help: "The user name.") var username: String?
    @Flag(help: "Read the password from standard input, one line.") var passwordStdin = false
    @Flag(help: "Read an access token from standard input, one line.") var tokenStdin = false
    @Flag(help: "The server speaks the classic dialect only.") var classic = false
    @Flag(name: .shortAndLong, help: "Show requests and answers on standard error, without secrets.") var verbose =
        false

    func validate() throws {
        guard !(passwordStdin && tokenStdin) else {
            throw ValidationError("Choose one of --password-stdin and --token-stdin.")
        }
        guard !(classic && tokenStdin) else { throw ValidationError("--classic needs a password.") }
        guard tokenStdin || username != nil || !passwordStdin else {
            throw ValidationError("--password-stdin needs --username.")
        }
    }

    func run() async throws {
        try await Failure.reported {
            let address = try ServerAddress(url)
            // Else the server would have made a token that nobody keeps.
            try GlobalOptions.credentials.checkWritable()
            let login = try await tokenStdin ? tokenLogin(address) : passwordLogin(address)
            let earlier = try GlobalOptions.credentials.save(login)
            if let earlier, earlier.isOwn == true, earlier.credential != login.credential {
                await revoke(earlier.credential, address)
            }
            print("logged in to \(SafeText.line(login.server)) as \(SafeText.line(login.username))")
        }
    }

    private func tokenLogin(_ address: ServerAddress) async throws -> CredentialStore.Login {
        let credential = Credential.token(try SecretInput.line())
        let account = try await global.use(address, credential) { try await $0.verifyCredentials() }
        return .init(server: address.description, username: account.username, credential: credential)
    }

    private func passwordLogin(_ address: ServerAddress) async throws -> CredentialStore.Login {
        let name = try username ?? askName()
        let password =
            try passwordStdin ? SecretInput.line() : SecretInput.prompt("Password: ", option: "--password-stdin")
        if classic {
            let credential = Credential.classic(username: name, password: password)
            _ = try await global.use(address, credential) { try await $0.classicFeed() }
            return .init(server: address.description, username: name, credential: credential)
        }
        let credential = try await global.use(address, nil) { try await $0.login(username: name, password: password) }
        let account = try await global.use(address, credential) { try await $0.verifyCredentials() }
        return .init(server: address.description, username: account.username, credential: credential, isOwn: true)
    }

    /// Nobody uses the earlier token any more. That it stays is no reason to fail: the new login is stored.
    private func revoke(_ credential: Credential, _ address: ServerAddress) async {
        do {
            try await global.use(address, credential) { try await $0.revoke() }
        } catch {
            if verbose { StandardError.line("the earlier token is not revoked: " + SafeText.line("\(error)")) }
        }
    }

    private func askName() throws -> String {
        StandardError.write("User name: ")
        guard let name = readLine(), !name.isEmpty else {
            throw FeedClientError(.failed, "There is no user name", hint: "Add --username.")
        }
        return name
    }

    private var global: GlobalOptions {
        var options = GlobalOptions()
        options.server = nil
        options.verbose = verbose
        return options
    }
}

/// Forgets the current login.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Forget the current login, here and on the server.")

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await Failure.reported {
            guard let login = try global.session().login else { throw Self.notLoggedIn }
            do {
                try await global.use { try await $0.revoke() }
            } catch let error as FeedClientError where error.status == 401 {
                // The server does not know the token any more, which is what is wanted.
            } catch {
                StandardError.line("warning: the server could not be told: " + SafeText.line("\(error)"))
            }
            try GlobalOptions.credentials.remove(login)
            print("logged out of \(SafeText.line(login.server))")
        }
    }

    static let notLoggedIn = FeedClientError(
        .unauthorized, "Not logged in there", hint: "feedclient accounts lists the logins.")
}

/// Who one is.
struct WhoamiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "whoami", abstract: "Show who you are on the server.")

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await Failure.reported {
            guard let login = try global.session().login else { throw LogoutCommand.notLoggedIn }
            if login.isClassic { return print(SafeText.line("@\(login.username) on \(login.server)")) }
            let account = try await global.use { try await $0.verifyCredentials() }
            print(SafeText.line("@\(account.username) (\(account.display_name)) on \(login.server)"))
        }
    }
}

/// The logins on this machine.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List the logins on this machine; the current one has a star.")

    func run() async throws {
        try await Failure.reported {
            for (index, login) in try GlobalOptions.credentials.logins().enumerated() {
                print(SafeText.line("\(index == 0 ? "*" : " ") @\(login.username) on \(login.server)"))
            }
        }
    }
}
