public import ArgumentParser
import FeedCore
import FeedStore
public import FeedTerminal
import FeedWeb
import Foundation
public import Logging

/// The command line options of `serve`.
struct ServeOptions: ParsableArguments {
    @Option(help: "The address to listen on (default: 127.0.0.1).") var host: String?
    @Option(help: "The port to listen on; 0 selects a free port (default: 8080).") var port: Int?
    @Option(
        help: .init(
            "A Unix socket to listen on; the port is then used only if --port is given, too.", valueName: "unix:path"))
    var listen: UnixSocket?
    @Option(
        help: .init("The public URL of this server without a path, such as https://feed.example.", valueName: "url")
    )
    var baseURL: String?
    @Option(
        name: .customLong("public"),
        help: .init("Serve the web reader from this folder instead of the built-in one.", valueName: "dir"))
    var publicFolder: String?
    @Option(
        name: .customLong("well-known"),
        help: .init("Serve the files of this folder under /.well-known/; read again on SIGHUP.", valueName: "dir"))
    var wellKnownFolder: String?
    @OptionGroup var tls: TLSOptions
    @Flag(help: "Fill an empty data folder with a demo feed.") var demo = false
    @Flag(help: "Allow uploads without a login at /FileUpload.aspx.") var allowAnonymousUploads = false
    @Flag(help: "Serve no feeds for feed readers (JSON Feed, Atom, RSS).") var noFeeds = false
    @OptionGroup var registration: RegistrationOptions
    @Flag(help: "Disable limits on requests and failed logins, for tests and benchmarks.") var noRateLimits = false
    @Option(
        help: .init(
            "The maximum number of API requests per account or address in five minutes (default: 300).",
            valueName: "count"))
    var rateLimit: Int?
    @Option(
        name: .customLong("trusted-proxy"), parsing: .singleValue,
        help: .init(
            "A reverse proxy whose headers name the client: an address, a network such as 10.0.0.0/8, or unix. "
                + "May be repeated.", valueName: "cidr"))
    var trustedProxies: [TrustedProxies.Source] = []
    @Option(
        help: .init(
            "The header in which proxies name the client: x-forwarded-for or forwarded (default: x-forwarded-for).",
            valueName: "name"))
    var proxyHeader: TrustedProxies.Header?
    @Option(help: .init("The maximum size of a file (default: 4GiB).", valueName: "size")) var maxFileSize: ByteSize?
    @Option(help: .init("The maximum total size of an account's files (default: no limit).", valueName: "size"))
    var fileQuota: ByteSize?
    @Option(help: "The log format: text or json (default: text).") var logFormat: LineLog.Format?
    @Option(help: "The log level: trace, debug, info, notice, warning, error or critical (default: info).")
    var logLevel: Logger.Level?
    @OptionGroup var monitoring: MonitoringOptions

    /// The effective settings. Options take precedence over the environment, which takes precedence over the
    /// configuration file.
    /// - Throws: `ValidationError`, which ends the process with exit code 64, or ``FeedError`` about the configuration
    ///   file.
    func resolved() throws -> ServeSettings {
        let environment = ServerEnvironment.current
        let givenPort = try self.port ?? environment.value("port")
        let port = givenPort ?? 8080
        let socket = try listen ?? environment.value("listen")
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        let logFormat = try logFormat ?? environment.value("log-format") ?? .text
        let logLevel = try logLevel ?? environment.value("log-level") ?? .info
        let listensOnTCP = socket == nil || givenPort != nil
        let base = try Self.base(baseURL ?? environment["base-url"])
        return ServeSettings(
            host: host ?? environment["host"] ?? "127.0.0.1", port: port,
            socket: socket, listensOnTCP: listensOnTCP,
            tls: try tls.resolved(environment, baseURL: base, port: listensOnTCP ? port : nil), baseURL: base,
            publicFolder: publicFolder ?? environment["public"],
            wellKnownFolder: wellKnownFolder ?? environment["well-known"],
            demo: try demo || environment.flag("demo"),
            allowsAnonymousUploads: try allowAnonymousUploads || environment.flag("allow-anonymous-uploads"),
            servesFeeds: try !(noFeeds || environment.flag("no-feeds")),
            maximumFileBytes: try (maxFileSize ?? environment.value("max-file-size"))?.bytes,
            quotaBytes: try (fileQuota ?? environment.value("file-quota"))?.bytes,
            registration: try registration.resolved(environment),
            rateLimit: try Self.positive(rateLimit ?? environment.value("rate-limit")),
            enforcesRateLimits: try !(noRateLimits || environment.flag("no-rate-limits")),
            proxies: try proxies(environment),
            logFormat: logFormat, logLevel: logLevel,
            monitoring: try monitoring.resolved(environment, logFormat: logFormat, logLevel: logLevel),
            file: environment.file)
    }

    private func proxies(_ environment: ServerEnvironment) throws -> TrustedProxies {
        var sources = trustedProxies
        if sources.isEmpty, let text = environment["trusted-proxy"] {
            sources = try text.split(separator: ",").map { part in
                guard let source = TrustedProxies.Source(argument: part.trimmingCharacters(in: .whitespaces)) else {
                    throw ValidationError("FEEDSERVER_TRUSTED_PROXY has an invalid value: \"\(part)\".")
                }
                return source
            }
        }
        return TrustedProxies(sources, header: try proxyHeader ?? environment.value("proxy-header") ?? .xForwardedFor)
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

extension Logger.Level: @retroactive ExpressibleByArgument {}

extension TrustedProxies.Header: ExpressibleByArgument {}

extension TrustedProxies.Source: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// The options of `serve` that determine who may sign up.
struct RegistrationOptions: ParsableArguments {
    @Option(
        help: .init(
            "Who may sign up: closed (nobody), open (everyone), approval (everyone, after feedserver account approve) or "
                + "invite (see feedserver invite) (default: closed).", valueName: "mode"))
    var registration: RegistrationPolicy.Mode?
    @Flag(help: "Allow everyone to sign up; the same as --registration open.") var openRegistration = false

    /// The effective policy. Options take precedence over the environment.
    /// - Throws: An error if two settings of the same origin contradict each other, or for an invalid name.
    func resolved(_ environment: ServerEnvironment) throws -> RegistrationPolicy {
        let option = try Self.mode(registration, isOpen: openRegistration, environment)
        return RegistrationPolicy(
            mode: try option ?? Self.preset(environment) ?? .closed,
            blockedNames: try Self.names(environment["blocked-names"]))
    }

    /// The mode in the environment, which takes precedence over that in the configuration file.
    static func preset(_ environment: ServerEnvironment) throws -> RegistrationPolicy.Mode? {
        let origins = [
            ServerEnvironment(variables: environment.variables),
            ServerEnvironment(variables: [:], file: environment.file),
        ]
        for origin in origins {
            let mode = try mode(origin.value("registration"), isOpen: origin.flag("open-registration"), origin)
            if let mode { return mode }
        }
        return nil
    }

    private static func mode(
        _ mode: RegistrationPolicy.Mode?, isOpen: Bool, _ environment: ServerEnvironment
    ) throws -> RegistrationPolicy.Mode? {
        guard isOpen else { return mode }
        guard let mode, mode != .open else { return .open }
        throw environment.conflict(
            "--open-registration contradicts --registration \(mode.rawValue)",
            between: ["open-registration", "registration"])
    }

    private static func names(_ text: String?) throws -> Set<String> {
        let names = (text ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
        guard let invalid = names.first(where: { (try? Username.check($0)) == nil }) else { return Set(names) }
        throw ValidationError("FEEDSERVER_BLOCKED_NAMES: \(invalid) is not a username.")
    }
}

extension RegistrationPolicy.Mode: ExpressibleByArgument {}

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
        SettingKey("well-known"),
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
        SettingKey("no-feeds", .flag, reloads: true),
        SettingKey("max-file-size", .size(size), default: "4GiB", reloads: true),
        SettingKey("file-quota", .size(size), reloads: true),
        SettingKey("rate-limit", .integer(1...Int.max), default: String(Limits().requests.count), reloads: true),
        SettingKey("no-rate-limits", .flag),
        SettingKey("access-log", .choice(["off", "text", "json"])),
        SettingKey("log-format", words(LineLog.Format.self), default: "text"),
        SettingKey("log-level", words(Logger.Level.self), default: "info", reloads: true),
        SettingKey("metrics-allow", .list(proxy)),
    ]

    private static let postgres: Check = { text throws(FeedError) in _ = try PostgresAddress(text) }
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

extension ByteSize: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }

    public var defaultValueDescription: String { bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : "\(bytes)" }
}
