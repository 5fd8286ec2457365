import ArgumentParser
import FeedCore
import FeedStore
import FeedTerminal
import Foundation

extension AccountCommand {
    struct Suspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Suspend an account.",
            discussion: """
                Hides the account with its statuses and files, and disables its logins, at once and on every server. \
                Deletes nothing; feedserver account unsuspend restores everything.
                """)

        @OptionGroup var data: DataOptions
        @Argument(help: "The username.") var name: String

        func run() async throws {
            try await AccountCommand.perform(.suspend, name, data, "now suspended", else: "already suspended")
        }
    }

    struct Unsuspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Restore a suspended account.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The username.") var name: String

        func run() async throws {
            try await AccountCommand.perform(.unsuspend, name, data, "no longer suspended", else: "not suspended")
        }
    }

    struct Silence: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show an account's statuses only to its followers.",
            discussion: """
                Hides the statuses of the account from public timelines, hashtags, searches and conversations, and its \
                notifications, from everyone who does not follow it. Accounts that it starts to follow must approve the \
                request. Its profile and its statuses stay reachable by their addresses.
                """)

        @OptionGroup var data: DataOptions
        @Argument(help: "The username.") var name: String

        func run() async throws {
            try await AccountCommand.perform(.silence, name, data, "now silenced", else: "already silenced")
        }
    }

    struct Unsilence: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a silenced account to everyone again.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The username.") var name: String

        func run() async throws {
            try await AccountCommand.perform(.unsilence, name, data, "no longer silenced", else: "not silenced")
        }
    }

    private static func perform(
        _ action: ModerationAction, _ name: String, _ data: DataOptions, _ state: String, else unchanged: String
    ) async throws {
        try await Failure.reported {
            let outcome = try await data.use { database in
                let account = try await database.account(name)
                return try await ModerationStore(database).perform(action, on: account.id)
            }
            StandardError.line("\(outcome.account.username) is \(outcome.hasChanged ? state : unchanged)")
        }
    }
}

extension AccountCommand {
    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Approve a sign-up.",
            discussion: """
                With serve --registration approval, accounts are hidden and cannot log in until they are approved. \
                feedserver account list shows the accounts that await approval.
                """)

        @OptionGroup var data: DataOptions
        @Argument(help: "The username.") var name: String

        func run() async throws {
            try await Failure.reported {
                let account = try await data.use { database in
                    try await RegistrationStore(database).approve(try await database.account(name).id)
                }
                StandardError.line("approved \(account.username)")
            }
        }
    }

    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reject a sign-up.", discussion: "Deletes the account; its name can be used again.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The username.") var name: String

        func run() async throws {
            try await Failure.reported {
                let signUp = try await data.use { database in
                    try await RegistrationStore(database).reject(try await database.account(name).id)
                }
                StandardError.line("rejected \(signUp.account.username)")
            }
        }
    }
}

extension AccountCommand {
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an account with everything that belongs to it.",
            discussion: """
                Hides the account at once and on every server, then deletes its statuses, files, follows, favourites, \
                notifications and logins. This cannot be undone. The name stays taken, so that nobody else gets it.

                An interrupted removal is completed by the running server, or when the command is repeated.
                """)

        @OptionGroup var data: DataOptions
        @Argument(help: "The username.") var name: String
        @Flag(help: "Do not ask for confirmation; required without a terminal.") var yes = false

        func validate() throws {
            guard yes || Confirmation.isPossible else {
                throw ValidationError(
                    "Removing an account cannot be undone. Without a terminal to confirm it, --yes is required.")
            }
        }

        func run() async throws {
            try await Failure.reported {
                try await data.use { database in
                    let account = try await database.account(name, includingRemoved: true)
                    let removal = AccountDeletion(database, pause: .seconds(1))
                    if account.removedAt == nil {
                        try confirm(account)
                        try await ModerationStore(database).perform(.remove, on: account.id)
                    } else if try await !removal.isPending(account.id) {
                        return StandardError.line("\(account.username) has already been removed")
                    }
                    try await complete(removal, of: account)
                }
            }
        }

        private func confirm(_ account: Account) throws {
            guard !yes else { return }
            let statuses = Plural.text(account.statusesCount, "status", "statuses")
            let question = "Remove \(account.username) with \(statuses)? This cannot be undone."
            guard Confirmation.ask(question) else { throw FeedError(.conflict, "nothing has been removed") }
        }

        private func complete(_ removal: AccountDeletion, of account: Account) async throws {
            let total = try await removal.remaining(account.id)
            let line = ProgressLine(
                ProgressBar(label: "removing \(account.username)", total: Int64(total), unit: .items),
                screen: .current())
            defer { line.clear() }
            guard try await removal.complete(account.id, progress: { line.show(done: Int64($0)) }) else {
                throw FeedError(
                    .conflict, "an import is running, which may still add to \(account.username)",
                    hint: "Everything else has been deleted. Repeat the command after the import, "
                        + "unless the server is running, which then completes the removal.")
            }
            line.clear()
            StandardError.line("removed \(account.username)")
        }
    }
}

/// Asks for confirmation on the terminal.
private enum Confirmation {
    /// Whether standard input is a terminal.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

    /// - Returns: Whether the answer was yes; no at the end of the input.
    static func ask(_ question: String) -> Bool {
        StandardError.write(SafeText.line(question) + " [y/N] ")
        let answer = readLine(strippingNewline: true) ?? ""
        return ["y", "yes"].contains(answer.lowercased())
    }
}
