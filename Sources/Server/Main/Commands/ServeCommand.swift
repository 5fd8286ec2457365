import ArgumentParser
import FeedAPI
import FeedCore
import FeedTerminal
import FeedWeb
import Foundation
import Logging

/// `feedserver serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the feed.",
        discussion:
            "Prints \"listening on http://HOST:PORT\" once it accepts connections (https with --tls-cert). SIGTERM or "
            + "Ctrl-C stops it; SIGHUP reloads the configuration file, the certificate, the custom emoji and the files "
            + "of --well-known.")

    @OptionGroup var data: DataOptions
    @Flag(help: "Print the effective settings and where they come from, one JSON object per line, and exit.")
    var showConfig = false
    @OptionGroup var options: ServeOptions

    func validate() throws { try Failure.exiting { _ = try options.resolved() } }

    func run() async throws {
        let settings = try options.resolved()
        let unknown = ServerEnvironment.current.unknownVariables
        if showConfig {
            for variable in unknown {
                StandardError.line(SafeText.line("note: no setting is named \(variable.name). \(variable.hint)"))
            }
            return EffectiveSetting.shown(registration: settings.registration, monitoring: settings.monitoring)
                .forEach { print($0.json) }
        }
        LogLevel.shared.current = settings.logLevel
        LoggingSystem.bootstrap { label in LineLog(label: label, format: settings.logFormat) }
        try await Failure.reported {
            // Before the error is printed and ends the process.
            defer { LogWriter.shared.flush(atMost: Timeout.seconds(5), idle: Timeout.seconds(3)) }
            let logger = Logger(label: "feedserver")
            for variable in unknown {
                logger.warning(
                    "no setting has the name of an environment variable",
                    metadata: ["name": "\(variable.name)", "hint": "\(variable.hint)"])
            }
            try await ServerStartup.run(settings, data: data) { [options] in try options.resolved() }
        }
    }
}

/// The effective settings of `serve`.
struct ServeSettings: Sendable {
    var host: String
    var port: Int
    var socket: UnixSocket?
    /// Whether to listen on `host` and `port`.
    var listensOnTCP: Bool
    /// `nil` for plain HTTP.
    var tls: TLSSettings?
    var baseURL: String?
    var publicFolder: String?
    var wellKnownFolder: String?
    var demo: Bool
    var allowsAnonymousUploads: Bool
    var servesFeeds: Bool
    var maximumFileBytes: Int64?
    var quotaBytes: Int64?
    var registration: RegistrationPolicy
    /// API requests per five minutes; `nil` for the default.
    var rateLimit: Int?
    var enforcesRateLimits: Bool
    var proxies: TrustedProxies
    var logFormat: LineLog.Format
    var logLevel: Logger.Level
    var monitoring: MonitoringSettings
    var file: ConfigurationFile?
}
