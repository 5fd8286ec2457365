import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

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

/// Lists the muted accounts.
struct MutedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "muted", abstract: "List the accounts that you have muted.",
        discussion: """
            A mute for a limited time is shown with its end.

              feedclient muted
            """)

    @OptionGroup var options: HiddenListOptions

    func run() async throws { try await options.show("nobody is muted") { try await $0.readMuted(onPage: $1) } }
}
