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
            let session = try global.session()
            let (instance, elapsed) = try await global.use { try await $0.ping() }
            for line in Self.lines(session.address, instance, elapsed) { print(SafeText.line(line)) }
        }
    }

    /// What the server is: its response time, its name and API, and its size.
    static func lines(_ address: ServerAddress, _ instance: Entity.Instance, _ elapsed: Duration) -> [String] {
        let milliseconds = elapsed.components.seconds * 1000 + elapsed.components.attoseconds / 1_000_000_000_000_000
        let name = instance.title.isEmpty ? instance.uri : instance.title
        let counts = [
            text(instance.stats?.user_count, "account", "accounts"),
            text(instance.stats?.status_count, "status", "statuses"),
        ].compactMap(\.self)
        let lines = [
            "\(address) responds in \(milliseconds) ms", "name: \(name)", "Mastodon API: \(instance.version)",
        ]
        return lines + (counts.isEmpty ? [] : ["content: " + counts.joined(separator: ", ")])
    }

    private static func text(_ count: Int?, _ one: String, _ many: String) -> String? {
        count.map { "\($0) \($0 == 1 ? one : many)" }
    }
}
