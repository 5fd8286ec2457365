import ArgumentParser
import FeedAPI
import FeedCore
import FeedStore
import FeedTerminal

/// `feedserver account`.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Add, list, show, approve, moderate and remove accounts, and set their passwords, roles and avatars.",
        subcommands: [
            Add.self, List.self, Show.self, Password.self, Reset.self, Role.self, Approve.self, Reject.self,
            Suspend.self, Unsuspend.self, Silence.self, Unsilence.self, Remove.self, AccountAvatarCommand.self,
        ])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an account.",
            discussion: "Prompts for a password on a terminal; otherwise, --password-stdin is required.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The username: letters, digits and underscores.") var name: String
        @Option(help: "The display name.") var displayName = ""
        @Option(help: "The city shown in the profile.") var city = ""
        @Option(help: "The email address; not shown to other users.") var email = ""
        @Option(help: "The role: admin or member.") var role = Account.Role.member
        @OptionGroup var password: PasswordOptions

        func run() async throws {
            try await Failure.reported {
                var new = try draft()
                // Checked before the password prompt.
                if data.hasFeed { try await data.use { try await AccountStore($0).requireFree(name, email: email) } }
                new.password = try Scrypt.standard.hash(try password.read())
                let account = try await data.use(creating: true) { try await AccountStore($0).create(new) }
                StandardError.line("added \(account.username)")
            }
        }

        private func draft() throws -> NewAccount {
            try Username.check(name)
            guard displayName.count <= 100, city.count <= 100 else {
                throw FeedError.malformed(
                    "the display name or the city is too long", hint: "Use at most 100 characters.")
            }
            guard email.isEmpty || RegistrationForm.isEmailAddress(email) else {
                throw FeedError.malformed(
                    "\"\(email.prefix(80))\" is not an email address", hint: "Use one such as ada@feed.example.")
            }
            var new = NewAccount(username: name)
            (new.displayName, new.city, new.email, new.role) = (displayName, city, email, role)
            return new
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all accounts.")

        @OptionGroup var data: DataOptions
        @Flag(help: "Print one JSON object per line.") var json = false

        func run() async throws {
            try await Failure.reported {
                let (accounts, reasons) = try await data.use { database in
                    (try await AccountStore(database).list(), try await database.pendingReasons())
                }
                if json {
                    for account in accounts { print(AccountRenderer.json(account, reason: reasons[account.id])) }
                } else {
                    print(AccountRenderer.table(accounts, pending: Set(reasons.keys)), terminator: "")
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one account.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The username.") var name: String

        func run() async throws {
            try await Failure.reported {
                let (account, reasons) = try await data.use { database in
                    (try await database.account(name, includingRemoved: true), try await database.pendingReasons())
                }
                print(AccountRenderer.card(account, reason: reasons[account.id]), terminator: "")
            }
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set an account's password.",
            discussion: "Revokes all tokens of the account, including those made by feedserver token create.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The username.") var name: String
        @OptionGroup var password: PasswordOptions

        func run() async throws {
            try await Failure.reported {
                let ended = try await data.use { database in
                    let account = try await database.account(name)
                    return try await AccountStore(database).setPassword(
                        try Scrypt.standard.hash(try password.read()), of: account.id)
                }
                let logins = ended == 0 ? "" : "; ended \(Plural.text(ended, "login"))"
                StandardError.line("changed \(name)'s password\(logins)")
            }
        }
    }

    struct Role: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account an administrator, or a member again.",
            discussion: "Takes effect at once, also for logins that exist.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The username.") var name: String
        @Argument(help: "admin or member.") var role: Account.Role

        func run() async throws {
            try await Failure.reported {
                let isNew = try await data.use { database in
                    try await AccountStore(database).setRole(role, of: try await database.account(name).id)
                }
                let noun = role == .admin ? "an administrator" : "a member"
                StandardError.line("\(name) is \(isNew ? "now" : "already") \(noun)")
            }
        }
    }
}

extension Account.Role: ExpressibleByArgument {}

extension FeedDatabase {
    /// The reasons for joining of the accounts that await approval, by id.
    fileprivate func pendingReasons() async throws -> [Int64: String] {
        let signUps = try await RegistrationStore(self).pending()
        return Dictionary(signUps.map { ($0.account.id, $0.reason) }) { first, _ in first }
    }

    /// The account with the given username, ignoring case.
    /// - Throws: ``FeedError`` `.notFound`.
    func account(_ name: String, includingRemoved: Bool = false) async throws -> Account {
        guard let account = try await AccountStore(self).account(named: name) else {
            throw FeedError(.notFound, "no such account: \(name)", hint: "feedserver account list shows all accounts.")
        }
        guard includingRemoved || account.removedAt == nil else {
            throw FeedError(
                .notFound, "the account \(account.username) has been removed",
                hint: "This cannot be undone. Its name stays taken.")
        }
        return account
    }
}

/// Reads a password from a terminal prompt or from standard input. Passwords are not accepted as arguments, which other
/// users of the machine can see.
struct PasswordOptions: ParsableArguments {
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

extension AccountCommand {
    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link with which somebody sets a new password.",
            discussion: """
                The link works once, for a day, and replaces an earlier one. Only its hash is stored. The password and the \
                logins of the account stay as they are until it is used. Administrators can make such a link in the web \
                reader, too.

                Without --base-url, uses that of the running server; if it has none, prints only the path of the address.
                """)

        @OptionGroup var data: DataOptions
        @Argument(help: "The username.") var name: String
        @OptionGroup var address: PublicAddressOption

        func run() async throws {
            try await Failure.reported {
                let reset = try await data.use { database in
                    try await PasswordResetStore(database).create(for: try await database.account(name).id)
                }
                try address.printAddress(of: reset.path, data: data.folder)
                StandardError.line(
                    "\(reset.account.username) can set a new password once, "
                        + "until \(ISO8601.text(milliseconds: reset.expiresAt))")
            }
        }
    }
}
