public import ArgumentParser
import FeedCore
import FeedStore
public import FeedTerminal
import FeedWeb
import Foundation
import Logging
import Synchronization

/// Options set outside of the command line: by environment variables, for example `--base-url` by
/// `FEEDSERVER_BASE_URL`, or by the configuration file. The environment takes precedence.
struct ServerEnvironment: Sendable {
    let variables: [String: String]
    var file: ConfigurationFile?

    private static let shared = Mutex(ServerEnvironment(variables: ProcessInfo.processInfo.environment))

    /// The environment of this process, with the configuration file as it was last read.
    static var current: ServerEnvironment { shared.withLock { $0 } }

    /// The value of an option; `nil` if it is unset or empty.
    /// - Parameter option: The name of the option without leading dashes.
    subscript(option: String) -> String? {
        for text in [variables[SettingKey.variable(option)], file?.options[option]] {
            if let text, !text.isEmpty { return text }
        }
        return nil
    }

    /// The value of a flag; `false` if it is unset or empty.
    /// - Throws: `ValidationError` if the value is neither `true` nor `false`.
    func flag(_ option: String) throws -> Bool {
        switch self[option]?.lowercased() {
        case nil, "false": return false
        case "true": return true
        default: throw invalid(option, "must be true or false")
        }
    }

    /// The parsed value of an option; `nil` if it is unset or empty.
    /// - Throws: `ValidationError` if the value in the environment is invalid, ``FeedError`` if that in the file is.
    func value<Value: ExpressibleByArgument>(_ option: String) throws -> Value? {
        guard let text = self[option] else { return nil }
        guard let value = Value(argument: text) else { throw invalid(option, "has an invalid value: \"\(text)\"") }
        return value
    }

    private func invalid(_ option: String, _ fault: String) -> any Error {
        let variable = SettingKey.variable(option)
        guard variables[variable]?.isEmpty ?? true, let file else {
            return ValidationError("\(variable) \(fault).")
        }
        let name = SettingKey.all.first { $0.option == option }?.name ?? option
        return FeedError.malformed("\(file.path): \(name): \(fault)")
    }
}

extension ServerEnvironment {
    /// Adds the configuration file, unless this has been done.
    /// - Parameter path: The path from the command line; `nil` to use `FEEDSERVER_CONFIG`.
    /// - Throws: ``FeedError`` if the file cannot be read, or is invalid.
    static func readFile(_ path: String? = nil) throws(FeedError) {
        var environment = current
        guard environment.file == nil, let path = path ?? environment["config"] else { return }
        environment.file = try ConfigurationFile.read(path)
        replace(with: environment)
    }

    /// Reads the configuration file again.
    /// - Parameter resolve: Uses the new values. If it throws, the old ones stay.
    static func reload<Value>(_ resolve: () throws -> Value) throws -> Value {
        let old = current
        var new = old
        if let path = old.file?.path { new.file = try ConfigurationFile.read(path) }
        replace(with: new)
        do {
            return try resolve()
        } catch {
            replace(with: old)
            throw error
        }
    }

    private static func replace(with environment: ServerEnvironment) { shared.withLock { $0 = environment } }
}

extension ConfigurationFile {
    /// - Throws: ``FeedError`` if the file cannot be read, or is invalid.
    static func read(_ path: String) throws(FeedError) -> ConfigurationFile {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR,
            let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: maximumBytes + 1) ?? Data()
        else {
            throw FeedError(
                .notFound, "cannot read the configuration file \(path)",
                hint: "Check --config FILE or FEEDSERVER_CONFIG, and the permissions of the file.")
        }
        guard data.count <= maximumBytes else {
            throw .malformed("\(path): the configuration file is larger than \(maximumBytes) bytes")
        }
        return try ConfigurationFile(Array(data), path: path, keys: SettingKey.all)
    }
}

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

extension ByteSize: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }

    public var defaultValueDescription: String { bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : "\(bytes)" }
}
