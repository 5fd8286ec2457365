import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Checks whether a server responds.
struct PingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ping", abstract: "Check whether a server responds, and how fast.")

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await ErrorReporter.run {
            try await global.use { client in
                let (instance, elapsed) = try await client.ping()
                let milliseconds =
                    elapsed.components.seconds * 1000 + elapsed.components.attoseconds / 1_000_000_000_000_000
                let counts = instance.stats.map(Self.text) ?? ""
                print(
                    SafeText.line(
                        "\(client.server) responds in \(milliseconds) ms: \(instance.title) \(instance.version)\(counts)"
                    ))
            }
        }
    }

    private static func text(_ stats: Entity.Instance.Stats) -> String {
        let counts = [("accounts", stats.user_count), ("statuses", stats.status_count)]
        return counts.compactMap { name, count in count.map { ", \($0) \(name)" } }.joined()
    }
}
