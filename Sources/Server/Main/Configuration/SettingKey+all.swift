import ArgumentParser
import FeedCore
import FeedStore
import FeedTerminal
import FeedWeb
import Logging

extension SettingKey {
    /// The options of `serve` that the environment and the configuration file can set, one per line.
    static let all: [SettingKey] = [
        SettingKey("config", isInFile: false),
        SettingKey("data", default: "./feed-data"),
        SettingKey("database", .text(postgres)),
        SettingKey("host", default: "127.0.0.1"),
        SettingKey("port", .integer(0...65_535), default: "8080"),
        SettingKey("listen", .text(accepted(by: UnixSocket.self, "must be unix: and the path of a socket"))),
        SettingKey("base-url", .text(address)),
        SettingKey("public"),
        SettingKey("tls-cert"),
        SettingKey("tls-key"),
        SettingKey("redirect-port", .integer(1...65_535)),
        SettingKey("acme-dir"),
        SettingKey("trusted-proxy", .list(proxy), reloads: true),
        SettingKey("proxy-header", words(TrustedProxies.Header.self), default: "x-forwarded-for", reloads: true),
        SettingKey("demo", .flag),
        SettingKey("registration", words(RegistrationPolicy.Mode.self), default: "closed", reloads: true),
        SettingKey("open-registration", .flag, reloads: true),
        SettingKey("blocked-names", .list(username), reloads: true),
        SettingKey("allow-anonymous-uploads", .flag, reloads: true),
        SettingKey("max-file-size", .size(size), default: "4GiB", reloads: true),
        SettingKey("file-quota", .size(size), reloads: true),
        SettingKey("rate-limit", .integer(1...Int.max), default: String(Limits().requests.count), reloads: true),
        SettingKey("no-rate-limits", .flag),
        SettingKey("access-log", .choice(["off", "text", "json"])),
        SettingKey("log-format", words(LineLog.Format.self), default: "text"),
        SettingKey("log-level", words(Logger.Level.self), default: "info", reloads: true),
        SettingKey("metrics-allow", .list(proxy)),
    ]

    private static let postgres: Check = { text throws(FeedError) in _ = try PostgresURL(text) }
    private static let address: Check = { text throws(FeedError) in _ = try BaseURL.parse(text) }
    private static let size = accepted(by: ByteSize.self, "must be a size such as \"512MiB\", or a number of bytes")
    private static let proxy = accepted(
        by: TrustedProxies.Source.self, "must be addresses, networks such as \"10.0.0.0/8\", or \"unix\"")
    private static let username: Check = { text throws(FeedError) in try Username.check(text) }

    /// - Parameter fault: Completes "NAME: …".
    private static func accepted<Value: ExpressibleByArgument>(by type: Value.Type, _ fault: String) -> Check {
        { text throws(FeedError) in
            guard Value(argument: text) != nil else { throw .malformed(fault) }
        }
    }

    private static func words<Value: CaseIterable & RawRepresentable<String>>(_ type: Value.Type) -> Kind {
        .choice(Value.allCases.map(\.rawValue))
    }
}
