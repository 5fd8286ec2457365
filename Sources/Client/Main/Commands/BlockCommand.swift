import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Blocks an account.
struct BlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Block an account.",
        discussion: """
            Neither of you sees the statuses of the other, and both stop following each other.

              feedclient block @mallory
            """)

    @OptionGroup var options: AccountOptions

    func run() async throws { try await options.perform(.block(options.name, undo: false)) }
}

/// Unblocks an account.
struct UnblockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock", abstract: "Unblock an account.",
        discussion: """
              feedclient unblock @mallory
            """)

    @OptionGroup var options: AccountOptions

    func run() async throws { try await options.perform(.block(options.name, undo: true)) }
}

/// Lists the blocked accounts.
struct BlockedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blocked", abstract: "List the accounts that you have blocked.",
        discussion: """
              feedclient blocked
            """)

    @OptionGroup var options: HiddenListOptions

    func run() async throws { try await options.show("nobody is blocked") { try await $0.readBlocked(onPage: $1) } }
}
