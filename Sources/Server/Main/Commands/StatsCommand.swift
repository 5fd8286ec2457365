import ArgumentParser
import FeedCore
import FeedTerminal
import Foundation

/// `feedserver stats`.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show the load and the size of the running servers.",
        discussion: "Shows all servers of a data folder on this machine. Servers on other machines are not shown.")

    @OptionGroup var data: DataOptions
    @Flag(help: "Print one JSON object per server and line.") var json = false

    func run() async throws {
        try await Failure.reported {
            let servers = StatsClient.read(data: data.folder)
            guard !servers.isEmpty else {
                throw FeedError(
                    .unavailable, "no server is running on \(data.folder)",
                    hint: "Start one with feedserver serve, or name its folder with --data DIR.")
            }
            for server in servers { print(try json ? Self.line(server) : server.formatted) }
        }
    }

    private static func line(_ server: ServerStats) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(server), as: UTF8.self)
    }
}
