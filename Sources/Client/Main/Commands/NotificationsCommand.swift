import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Shows or clears notifications.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "Show or clear your notifications.",
        discussion: """
            Favourites and boosts of a status, and new followers, are shown together if the server groups them. \
            --follow prints the oldest notification first, without groups, and then each new one as it arrives, until \
            Ctrl-C. Without --follow and --json, the server is told how far you have read, for your other apps. \
            notifications clear removes all notifications.

              feedclient notifications -n 50
              feedclient notifications clear
            """,
        subcommands: [List.self, Clear.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show your notifications, the newest first.")

        @OptionGroup var global: GlobalOptions
        @Option(name: [.customShort("n"), .long], help: "The maximum number of entries.") var limit = 20
        @Flag(help: "Keep printing new notifications as they arrive.") var follow = false
        @Flag(help: "Print one Notification entity per line, as JSON, without groups.") var json = false

        func validate() throws {
            guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be between 1 and 10000.") }
        }

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                if follow { return try await followNotifications() }
                let entries = try await global.use { try await $0.notifications(count: limit, isGrouped: !json) }
                if json {
                    for entry in entries { entry.json.map { print(JSONText.line($0)) } }
                    return
                }
                if entries.isEmpty { StandardError.line("no notifications") }
                let renderer = NotificationRenderer.forScreen()
                ScreenOutput().show(entries.flatMap(renderer.lines))
                await StoredTimelines(try global.session())
                    .update(global, reading: .notifications, upTo: entries.first?.id)
            }
        }

        private func followNotifications() async throws {
            try await LiveOutput.print(global: global) { [limit] client in
                client.liveNotifications(count: limit, onOutage: { LiveOutput.report($0) })
            } lines: { [json] entry in
                json ? entry.json.map { [JSONText.line($0)] } ?? [] : NotificationRenderer.forScreen().lines(entry)
            }
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove all notifications.")

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                try await global.use { try await $0.clearNotifications() }
                StandardError.line("no notifications are left")
            }
        }
    }
}
