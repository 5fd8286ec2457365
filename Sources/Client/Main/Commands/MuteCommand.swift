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
