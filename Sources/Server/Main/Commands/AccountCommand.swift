import ArgumentParser
import FeedAPI
import FeedCore
import FeedStore
import FeedTerminal

/// Accounts, from the command line.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Add, list and show accounts, and set their passwords.",
        subcommands: [Add.self, List.self, Show.self, Password.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an account.",
            discussion: "Asks for a password on a terminal; elsewhere add --password-stdin.")

        @OptionGroup var data: DataOption
        @Argument(help: "The user name: letters, digits and underscores.") var name: String
        @Option(help: "The name that is shown.") var displayName = ""
        @Option(help: "Where the person lives.") var city = ""
        @Option(help: "An address for the operator; never shown to others.") var email = ""
        @Option(help: "admin or member.") var role = Account.Role.member
        @OptionGroup var password: PasswordInput

        func run() async throws {
            try await Failure.reported {
                var new = try draft()
                // Before anybody types a password twice.
                if data.hasFeed { try await data.use { try await AccountStore($0).requireFree(name) } }
                new.password = try Scrypt.standard.hash(try password.read())
                let account = try await data.use(creating: true) { try await AccountStore($0).create(new) }
                StandardError.line("added \(account.username)")
            }
        }

        private func draft() throws -> NewAccount {
            try Username.check(name)
            guard displayName.count <= 100, city.count <= 100, email.utf8.count <= 254 else {
                throw FeedError.malformed(
                    "the display name, the city or the address is too long", hint: "Use at most 100 characters.")
            }
            var new = NewAccount(username: name)
            (new.displayName, new.city, new.email, new.role) = (displayName, city, email, role)
            return new
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all accounts.")

        @OptionGroup var data: DataOption
        @Flag(help: "One JSON object per line.") var json = false

        func run() async throws {
            try await Failure.reported {
                let accounts = try await data.use { try await AccountStore($0).list() }
                if json {
                    for account in accounts { print(AccountText.json(account)) }
                } else {
                    print(AccountText.table(accounts), terminator: "")
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one account.")

        @OptionGroup var data: DataOption
        @Argument(help: "The user name.") var name: String

        func run() async throws {
            try await Failure.reported {
                print(AccountText.card(try await data.use { try await $0.account(name) }), terminator: "")
            }
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set an account's password.",
            discussion: "Ends all logins of the account, also tokens of `feedserver token create`.")

        @OptionGroup var data: DataOption
        @Argument(help: "The user name.") var name: String
        @OptionGroup var password: PasswordInput

        func run() async throws {
            try await Failure.reported {
                let ended = try await data.use { database in
                    let account = try await database.account(name)
                    return try await AccountStore(database).setPassword(
                        try Scrypt.standard.hash(try password.read()), of: account.id)
                }
                StandardError.line("password of \(name) set; \(ended) \(ended == 1 ? "login" : "logins") ended")
            }
        }
    }
}

extension Account.Role: ExpressibleByArgument {}

extension FeedDatabase {
    /// - Throws: ``FeedError`` `.notFound` with a hint.
    func account(_ name: String) async throws -> Account {
        guard let account = try await AccountStore(self).account(named: name) else {
            throw FeedError(.notFound, "there is no account \(name)", hint: "feedserver account list shows all.")
        }
        return account
    }
}
