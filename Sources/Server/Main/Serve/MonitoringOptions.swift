import ArgumentParser
import FeedCore
import FeedWeb
import Foundation
import Logging

/// The options of `serve` for logs and metrics.
struct MonitoringOptions: ParsableArguments {
    /// Whether and how requests are logged.
    enum AccessLogFormat: String, ExpressibleByArgument, CaseIterable, Sendable { case off, text, json }

    @Option(
        help: .init(
            "The format of the access log: text, json, or off for none (default: the format of --log-format, or "
                + "off if --log-level is above info).", valueName: "format"))
    var accessLog: AccessLogFormat?
    @Option(
        parsing: .singleValue,
        help: .init(
            "Who may read /metrics besides this machine: an address, a network such as 10.0.0.0/8, or unix. "
                + "May be repeated.",
            valueName: "cidr"))
    var metricsAllow: [TrustedProxies.Source] = []

    /// - Throws: `ValidationError` if an environment variable has an invalid value.
    func resolved(
        _ environment: ServerEnvironment, logFormat: LineLog.Format, logLevel: Logger.Level
    ) throws -> MonitoringSettings {
        let standard: AccessLogFormat = logLevel > .info ? .off : logFormat == .json ? .json : .text
        let format = try accessLog ?? environment.value("access-log") ?? standard
        return MonitoringSettings(
            accessLog: AccessLog.Format(rawValue: format.rawValue),
            metrics: MetricsAccess(try metricsAllow.isEmpty ? Self.sources(environment) : metricsAllow))
    }

    private static func sources(_ environment: ServerEnvironment) throws -> [TrustedProxies.Source] {
        try (environment["metrics-allow"] ?? "").split(separator: ",").map { part in
            guard let source = TrustedProxies.Source(argument: part.trimmingCharacters(in: .whitespaces)) else {
                throw ValidationError("FEEDSERVER_METRICS_ALLOW has an invalid value: \"\(part)\".")
            }
            return source
        }
    }
}

/// The effective settings for logs and metrics.
struct MonitoringSettings: Sendable {
    /// `nil` for no access log.
    var accessLog: AccessLog.Format?
    var metrics: MetricsAccess
}
