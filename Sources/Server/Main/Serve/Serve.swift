public import ArgumentParser
import FeedCore
import FeedTerminal
import FeedWeb
import Foundation
public import Logging

/// `feedserver serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the feed.",
        discussion:
            "Prints one line when it listens: \"listening on http://HOST:PORT\". Stop it with SIGTERM or Ctrl-C.")

    @OptionGroup var data: DataOption
    @OptionGroup var options: ServeOptions

    func validate() throws { _ = try options.resolved() }

    func run() async throws {
        let settings = try options.resolved()
        LoggingSystem.bootstrap { label in
            LineLog(label: label, format: settings.logFormat, level: settings.logLevel)
        }
        try await Failure.reported { try await FeedServer.run(settings, folder: data.folder) }
    }
}

/// The options of `serve` as they were written.
struct ServeOptions: ParsableArguments {
    @Option(help: "The address to listen on (default: 127.0.0.1).") var host: String?
    @Option(help: "The port to listen on; 0 picks a free one (default: 8080).") var port: Int?
    @Option(
        help: .init("The address people reach this server by, such as https://feed.example; no path.", valueName: "url")
    )
    var baseURL: String?
    @Option(
        name: .customLong("public"),
        help: .init("Serve the web reader from this folder instead of the one built in.", valueName: "dir"))
    var publicFolder: String?
    @Flag(help: "Fill an empty folder with a demo feed.") var demo = false
    @Flag(help: "Let anyone upload files through the classic dialect.") var allowAnonymousUploads = false
    @Flag(help: "Let people make accounts for themselves through their apps.") var openRegistration = false
    @Flag(help: "Do not limit requests and failed logins; for tests and benchmarks.") var noRateLimits = false
    @Option(
        help: .init(
            "API requests answered in five minutes, per account or address (default: 300).", valueName: "count"))
    var rateLimit: Int?
    @Option(help: .init("The largest file that is taken (default: 4GiB).", valueName: "size")) var maxFileSize:
        ByteSize?
    @Option(help: .init("What all files of one account may take together (default: no limit).", valueName: "size"))
    var fileQuota: ByteSize?
    @Option(help: "text or json (default: text).") var logFormat: LineLog.Format?
    @Option(help: "trace, debug, info, notice, warning, error or critical (default: info).") var logLevel: Logger.Level?

    /// The options in force: what was written, else the environment, else the default.
    /// - Throws: `ValidationError`, which ends the program with code 64.
    func resolved() throws -> ServeSettings {
        let environment = ServerEnvironment.current
        let port = try self.port ?? environment.value("port") ?? 8080
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        return ServeSettings(
            host: host ?? environment["host"] ?? "127.0.0.1", port: port,
            baseURL: try Self.base(baseURL ?? environment["base-url"]),
            publicFolder: publicFolder ?? environment["public"], demo: try demo || environment.flag("demo"),
            allowsAnonymousUploads: try allowAnonymousUploads || environment.flag("allow-anonymous-uploads"),
            maximumFileBytes: try (maxFileSize ?? environment.value("max-file-size"))?.bytes,
            quotaBytes: try (fileQuota ?? environment.value("file-quota"))?.bytes,
            opensRegistration: try openRegistration || environment.flag("open-registration"),
            rateLimit: try Self.positive(rateLimit ?? environment.value("rate-limit")),
            limitsRates: try !(noRateLimits || environment.flag("no-rate-limits")),
            logFormat: try logFormat ?? environment.value("log-format") ?? .text,
            logLevel: try logLevel ?? environment.value("log-level") ?? .info)
    }

    private static func positive(_ count: Int?) throws -> Int? {
        guard (count ?? 1) > 0 else { throw ValidationError("--rate-limit must be at least 1.") }
        return count
    }

    private static func base(_ text: String?) throws -> String? {
        do {
            return try text.map(BaseURL.parse)
        } catch {
            throw ValidationError("--base-url: \(error.message). \(error.hint ?? "")")
        }
    }
}

/// The options of `serve` in force.
struct ServeSettings: Sendable {
    var host: String
    var port: Int
    var baseURL: String?
    var publicFolder: String?
    var demo: Bool
    var allowsAnonymousUploads: Bool
    var maximumFileBytes: Int64?
    var quotaBytes: Int64?
    var opensRegistration: Bool
    /// `nil` for the default.
    var rateLimit: Int?
    var limitsRates: Bool
    var logFormat: LineLog.Format
    var logLevel: Logger.Level

    /// Whether only this machine can reach the server: where it listens, and the address people are told (a proxy's).
    var isLoopback: Bool {
        let told = baseURL.map { URL(string: $0)?.host() ?? "" }
        return Loopback.contains(host) && Loopback.contains(told ?? host)
    }

    /// The address with a port, as it is printed.
    func address(port: Int) -> String {
        "http://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
