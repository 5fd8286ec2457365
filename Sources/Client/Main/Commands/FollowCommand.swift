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

    func run() async throws { try await FollowLine.follow(options) }
}

/// Follows and unfollows accounts through the outbox, and says so.
enum FollowLine {
    static func text(_ account: Entity.Account, _ relationship: Entity.Relationship) -> String {
        let state =
            relationship.following ? "following" : relationship.requested ? "asked to follow" : "no longer following"
        return state + " @" + SafeText.line(account.acct)
    }

    fileprivate static func follow(_ options: AccountOptions, undo: Bool = false) async throws {
        try await ErrorReporter.run {
            let post = OutboxPost(.follow(options.name, undo: undo))
            let sent = try await OutboxSubmission(global: options.global).perform(post)
            print(options.json ? SchedulingResultLine.json(sent) : SchedulingResultLine.text(sent))
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

    func run() async throws { try await FollowLine.follow(options, undo: true) }
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
        let end = { (relationship: Entity.Relationship) in
            relationship.muting_expires_at.map { " until " + LocalTime.full(iso: $0) } ?? ""
        }
        try await options.global.relate(to: options.name, "mute", json: options.json, { _ in "muted" }, note: end) {
            try await $0.mute($1, seconds: duration?.seconds, hidesNotifications: !keepNotifications)
        }
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

    func run() async throws {
        try await options.global.relate(to: options.name, "unmute", json: options.json, { _ in "unmuted" }) {
            try await $0.unmute($1)
        }
    }
}

extension GlobalOptions {
    /// Changes the relationship to an account and prints a line, or the Relationship entity.
    /// - Parameters:
    ///   - verb: For the message if the account is the user's own.
    ///   - text: The line without the handle, which follows it.
    ///   - note: What follows the handle; empty for nothing.
    ///   - change: Takes the id of the account.
    func relate(
        to name: String, _ verb: String, json: Bool, _ text: (Entity.Relationship) -> String,
        note: (Entity.Relationship) -> String = { _ in "" },
        _ change: (FeedClient, String) async throws -> Entity.Relationship
    ) async throws {
        try await ErrorReporter.run {
            let username = try login().username
            let (account, relationship) = try await use { client in
                let account = try await client.account(named: name)
                guard account.acct.lowercased() != username.lowercased() else {
                    throw FeedClientError(.failed, "You cannot \(verb) yourself")
                }
                return (account, try await change(client, account.id))
            }
            print(
                try json
                    ? EntityJSON.line(relationship)
                    : "\(text(relationship)) @" + SafeText.line(account.acct) + note(relationship))
        }
    }
}
