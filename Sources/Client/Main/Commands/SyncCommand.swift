import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Fetches and sends everything that has changed, for the time without a network.
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Fetch what is new, and send what waits in the outbox.",
        discussion: """
            Sends the outbox, and fetches what has changed in your home timeline and the other timelines that you have \
            read, in notifications, conversations, threads, lists and avatars, so that --offline shows it. Prints one line. \
            Without a network, it says so and exits with 0, so that cron sends no mail about it.

              */15 * * * * feedclient sync > /dev/null
            """)

    /// The maximum number of avatars.
    private static let maximumAvatars = 200

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print the numbers as a JSON object.") var json = false

    private struct Report: Encodable {
        var sent = 0, statuses = 0, notifications = 0, conversations = 0
        /// The error for which the rest was left out.
        var offline: String?

        var line: String {
            if let offline { return "offline: " + offline }
            let parts = [
                (sent, "sent", "sent"), (statuses, "new status", "new statuses"),
                (notifications, "new notification", "new notifications"),
                (conversations, "new conversation", "new conversations"),
            ].filter { $0.0 > 0 }.map { Plural.text($0.0, $0.1, $0.2) }
            return parts.isEmpty ? "nothing new" : parts.joined(separator: ", ")
        }
    }

    func run() async throws {
        try await ErrorReporter.run {
            let login = try global.login()
            var report = Report()
            do {
                try await synchronize(login, &report)
            } catch let error as FeedClientError where error.isTemporary {
                report.offline = SafeText.line(error.message)
            }
            print(try json ? EntityJSON.line(report) : report.line)
        }
    }

    private func synchronize(_ login: CredentialStore.Login, _ report: inout Report) async throws {
        let stored = OfflineTimelines(try global.session())
        var avatars: Set<String> = []
        try await global.use { client in
            let error = try await GlobalOptions.outbox.flush(OutboxAccount(login), with: client) { result in
                if case .delivered = result { report.sent += 1 } else { OutboxFlush.report(result) }
            }
            if let error { throw error }
            let summary = try await stored.syncAccount(with: client)
            (report.statuses, report.notifications) = (summary.statuses, summary.notifications)
            report.conversations = summary.conversations
            avatars = summary.avatars
        }
        let urls = avatars.sorted().prefix(Self.maximumAvatars)
        try await PictureLoader(global: global).load(Array(urls)) { _, _ in }
    }
}
