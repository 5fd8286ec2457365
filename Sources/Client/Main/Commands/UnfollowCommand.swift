import ArgumentParser
import FeedClientKit

/// Unfollows an account.
struct UnfollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unfollow", abstract: "Unfollow an account, or withdraw the request to follow it.",
        discussion: """
              feedclient unfollow @ada
            """)

    @OptionGroup var options: AccountOptions

    func run() async throws {
        try await options.global.relate(
            to: options.name, "unfollow", json: options.json, { _ in "no longer following" }
        ) { try await $0.follow($1, false) }
    }
}
