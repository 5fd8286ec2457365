import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Follows an account.
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Follow an account.",
        discussion: """
            An account that approves its followers is asked first.

              feedclient follow @ada
            """)

    @OptionGroup var options: AccountOptions

    func run() async throws { try await options.perform(.follow(options.name, undo: false)) }
}

/// Unfollows an account.
struct UnfollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unfollow", abstract: "Unfollow an account, or withdraw the request to follow it.",
        discussion: """
              feedclient unfollow @ada
            """)

    @OptionGroup var options: AccountOptions

    func run() async throws { try await options.perform(.follow(options.name, undo: true)) }
}

/// The account that a command is about.
struct AccountOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The username, such as @ada.", valueName: "@name"), completion: Completions.account) var name:
        String
    @Flag(help: "Print the Relationship entity as JSON.") var json = false
}

extension AccountOptions {
    /// Stores what is to change in the outbox, performs it, and prints a line, or the Relationship entity.
    func perform(_ action: OutboxAction) async throws {
        try await ErrorReporter.run {
            let sent = try await OutboxSubmission(global: global).perform(OutboxPost(action))
            print(json ? ActionResultRenderer.json(sent) : ActionResultRenderer.text(sent, action))
        }
    }
}
