import ArgumentParser
import FeedCore
import FeedStore
import FeedTerminal

extension AccountCommand {
    struct Suspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Suspend an account.",
            discussion: """
                Hides the account with its statuses and files, and disables its logins, at once and on every server. \
                Deletes nothing; feedserver account unsuspend restores everything.
                """)

        @OptionGroup var data: DataOption
        @Argument(help: "The user name.") var name: String

        func run() async throws {
            try await AccountCommand.perform(.suspend, name, data, "now suspended", else: "already suspended")
        }
    }

    struct Unsuspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Restore a suspended account.")

        @OptionGroup var data: DataOption
        @Argument(help: "The user name.") var name: String

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

        @OptionGroup var data: DataOption
        @Argument(help: "The user name.") var name: String

        func run() async throws {
            try await AccountCommand.perform(.silence, name, data, "now silenced", else: "already silenced")
        }
    }

    struct Unsilence: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a silenced account to everyone again.")

        @OptionGroup var data: DataOption
        @Argument(help: "The user name.") var name: String

        func run() async throws {
            try await AccountCommand.perform(.unsilence, name, data, "no longer silenced", else: "not silenced")
        }
    }

    private static func perform(
        _ action: ModerationAction, _ name: String, _ data: DataOption, _ state: String, else unchanged: String
    ) async throws {
        try await Failure.reported {
            let done = try await data.use { database in
                let account = try await database.account(name)
                return try await ModerationStore(database).perform(action, on: account.id)
            }
            StandardError.line("\(done.account.username) is \(done.hasChanged ? state : unchanged)")
        }
    }
}
