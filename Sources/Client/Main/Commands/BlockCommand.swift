import ArgumentParser
import FeedClientKit

/// Blocks an account.
struct BlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Block an account.",
        discussion: """
            Neither of you sees the statuses of the other, and both stop following each other.

              feedclient block @mallory
            """)

    @OptionGroup var options: AccountOptions

    func run() async throws {
        try await options.global.relate(to: options.name, "block", json: options.json, { _ in "blocked" }) {
            try await $0.block($1)
        }
    }
}

/// Unblocks an account.
struct UnblockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock", abstract: "Unblock an account.",
        discussion: """
              feedclient unblock @mallory
            """)

    @OptionGroup var options: AccountOptions

    func run() async throws {
        try await options.global.relate(to: options.name, "unblock", json: options.json, { _ in "unblocked" }) {
            try await $0.block($1, false)
        }
    }
}
