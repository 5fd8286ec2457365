import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Checks whether a server responds.
struct PingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ping", abstract: "Check whether a server responds, and how fast.",
        discussion: """
              feedclient ping --server https://feed.example
            """)

    private struct Report: Encodable {
        var server: String
        var milliseconds: Int64
        var instance: Entity.Instance
    }

    @OptionGroup var global: GlobalOptions
    @Flag(help: "Print a JSON object with server, milliseconds and the Instance entity.") var json = false

    func run() async throws {
        try await ErrorReporter.run {
            let session = try global.session()
            let (instance, elapsed) = try await global.use { try await $0.ping() }
            if json {
                let report = Report(
                    server: session.address.description, milliseconds: Self.milliseconds(elapsed), instance: instance)
                return print(try EntityJSON.line(report))
            }
            for line in Self.lines(session.address, instance, elapsed) { print(SafeText.line(line)) }
        }
    }

    /// Describes the server: its response time, its name and API, and its size.
    static func lines(_ address: ServerAddress, _ instance: Entity.Instance, _ elapsed: Duration) -> [String] {
        let name = instance.title.isEmpty ? instance.uri : instance.title
        let counts = [
            text(instance.stats?.user_count, "account", "accounts"),
            text(instance.stats?.status_count, "status", "statuses"),
        ].compactMap(\.self)
        let lines = [
            "\(address) responds in \(milliseconds(elapsed)) ms", "name: \(name)", "Mastodon API: \(instance.version)",
        ]
        return lines + (counts.isEmpty ? [] : ["content: " + counts.joined(separator: ", ")])
    }

    private static func milliseconds(_ elapsed: Duration) -> Int64 {
        elapsed.components.seconds * 1000 + elapsed.components.attoseconds / 1_000_000_000_000_000
    }

    private static func text(_ count: Int?, _ one: String, _ many: String) -> String? {
        count.map { Plural.text($0, one, many) }
    }
}
