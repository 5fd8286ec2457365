import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Lists the logins on this machine.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List the logins on this machine; a star marks the current one.",
        discussion: """
            Switch to another one with feedclient use @name. feedclient logins lists the logins of an account on all \
            machines.

              feedclient accounts
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print one JSON object per line, with server, username, current and classic.") var json = false

    func run() async throws {
        try await ErrorReporter.run {
            let current = try GlobalOptions.credentials.logins().first
            let logins = try global.logins()
            if json {
                for login in logins { print(try LoginLine.json(login, isCurrent: login == current)) }
                return
            }
            ScreenOutput().show(
                logins.map { SafeText.line("\($0 == current ? "*" : " ") @\($0.username) on \($0.server)") })
        }
    }
}

/// Makes another login the current one.
struct UseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Switch to another login of this machine.",
        discussion: """
            For a single command, add --as @name instead.

              feedclient use @bob
              feedclient use @bob@feed.example
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(
        help: .init("The login, as feedclient accounts lists it.", valueName: "@name[@server]"),
        completion: Completions.login)
    var account: String

    func run() async throws {
        try await ErrorReporter.run {
            let credentials = GlobalOptions.credentials
            let login = try CredentialSelection(account).login(among: try global.logins())
            try credentials.select(login)
            print(SafeText.line("now @\(login.username) on \(login.server)"))
        }
    }
}

/// Shows the current account.
struct WhoamiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show the account that you are logged in as.",
        discussion: """
              feedclient whoami
              feedclient whoami --json
            """)

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print the CredentialAccount entity as JSON; for a classic login, server, username and classic.")
    var json = false

    func run() async throws {
        try await ErrorReporter.run {
            let login = try global.currentLogin()
            if login.isClassic {
                if json { return print(try LoginLine.json(login)) }
                return ScreenOutput().show([SafeText.line("@\(login.username) on \(login.server)")])
            }
            let (account, json) = try await global.use { try await $0.profile() }
            if self.json { return print(RawJSON.line(json)) }
            let name = account.display_name.isEmpty ? "" : " (\(account.display_name))"
            ScreenOutput().show([SafeText.line("@\(account.username)\(name) on \(login.server)")])
        }
    }
}

/// Describes a login of this machine, without its secrets.
enum LoginLine {
    private struct Login: Encodable {
        var server: String
        var username: String
        /// Whether commands use this login; `nil` leaves the member out.
        var current: Bool?
        var classic: Bool
    }

    /// The login as a JSON object.
    static func json(_ login: CredentialStore.Login, isCurrent: Bool? = nil) throws -> String {
        try EntityJSON.line(
            Login(server: login.server, username: login.username, current: isCurrent, classic: login.isClassic))
    }
}
