import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// The account that a command is about.
struct AccountOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("The username, such as @ada.", valueName: "@name"), completion: Completions.account) var name:
        String
    @Flag(help: "Print the Relationship entity as JSON.") var json = false
}

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

extension AccountOptions {
    /// Stores what is to change in the outbox, performs it, and prints a line, or the Relationship entity.
    fileprivate func perform(_ action: OutboxAction) async throws {
        try await ErrorReporter.run {
            let sent = try await OutboxSubmission(global: global).perform(OutboxPost(action))
            print(json ? SchedulingResultRenderer.json(sent) : SchedulingResultRenderer.text(sent, action))
        }
    }
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

/// Mutes an account.
struct MuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Hide the statuses and notifications of an account.",
        discussion: """
            The account is not told, and you keep following it.

              feedclient mute @ada --duration 7d
            """)

    @OptionGroup var options: AccountOptions
    @Option(help: .init("How long, such as 12h or 7d (default: until you unmute it).", valueName: "duration"))
    var duration: DurationArgument?
    @Flag(help: "Hide only its statuses.") var keepNotifications = false

    func run() async throws {
        try await options.perform(
            .mute(options.name, seconds: duration?.seconds, hidesNotifications: !keepNotifications))
    }
}

/// Unmutes an account.
struct UnmuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute", abstract: "Unmute an account.",
        discussion: """
              feedclient unmute @ada
            """)

    @OptionGroup var options: AccountOptions

    func run() async throws { try await options.perform(.unmute(options.name)) }
}
