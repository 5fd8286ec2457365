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
            Ctrl-C. --offline shows the notifications that were read last. Otherwise, without --follow and --json, the server is told how far you have read, for your other apps. \
            notifications clear removes all notifications.

              feedclient notifications -n 50
              feedclient notifications clear
            """,
        subcommands: [List.self, Clear.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show your notifications, the newest first.")

        @OptionGroup var global: GlobalOptions
        @Option(name: [.customShort("n"), .long], help: "The maximum number of entries.") var limit = 20
        @OptionGroup var stored: OfflineOptions
        @Flag(help: "Keep printing new notifications as they arrive.") var follow = false
        @Flag(help: "Print one Notification entity per line, as JSON, without groups.") var json = false

        func validate() throws {
            guard (1...10_000).contains(limit) else {
                throw ValidationError("-n (--limit) must be between 1 and 10000.")
            }
            if follow, stored.offline { throw ValidationError("--follow cannot be combined with --offline.") }
        }

        func run() async throws {
            try await ErrorReporter.run {
                try global.login()
                if follow { return try await followNotifications() }
                if json { return try await printJSON() }
                let newest = try await show()
                if newest == nil { StandardError.line("no notifications") }
                if stored.offline { return }
                await OfflineTimelines(try global.session()).update(global, reading: .notifications, upTo: newest)
            }
        }

        private func printJSON() async throws {
            try await stored.use(global) { client in
                try await client.readNotifications(count: limit, isGrouped: false) { page in
                    ScreenOutput.write(page.compactMap { $0.json.map { RawJSON.line($0) } })
                }
            }
        }

        /// - Returns: The id of the newest notification.
        private func show() async throws -> String? {
            let (output, listed) = (PagedOutput(), StatusNumbers.onScreen(global))
            var renderer = NotificationRenderer.forScreen(viewer: global.viewer)
            renderer.number = { listed?.number(of: $0) }
            var (newest, count) = (String?.none, 0)
            try await output.use {
                defer { listed?.save() }
                try await stored.use(global) { client in
                    try await client.readNotifications(count: limit) { page in
                        (newest, count) = (newest ?? page.first?.id, count + page.count)
                        return output.show(page.flatMap(renderer.lines))
                    }
                }
            }
            stored.tell(isEnd: (1..<limit).contains(count), "notifications")
            return newest
        }

        private func followNotifications() async throws {
            let (listed, viewer) = (json ? nil : StatusNumbers.onScreen(global), global.viewer)
            try await StreamFollower.print(global: global) { [limit] client in
                client.liveNotifications(count: limit, onOutage: { StreamFollower.report($0) })
            } lines: { [json] entry in
                if json { return entry.json.map { [RawJSON.line($0)] } ?? [] }
                var renderer = NotificationRenderer.forScreen(viewer: viewer)
                renderer.number = { listed?.number(of: $0) }
                defer { listed?.save() }
                return renderer.lines(entry)
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
