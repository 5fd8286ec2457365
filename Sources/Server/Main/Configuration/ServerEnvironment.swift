import ArgumentParser
import FeedAPI
import FeedCore
import FeedWeb
import Foundation
import Synchronization

/// Options set outside of the command line: by environment variables, for example `--base-url` by
/// `FEEDSERVER_BASE_URL`, or by the configuration file. The environment takes precedence.
struct ServerEnvironment: Sendable {
    let variables: [String: String]
    var file: ConfigurationFile?

    private static let shared = Mutex(ServerEnvironment(variables: ProcessInfo.processInfo.environment))

    /// The environment of this process, with the configuration file as it was last read.
    static var current: ServerEnvironment { shared.withLock { $0 } }

    /// The variables that are named like settings, but set none.
    var unknownVariables: [UnknownVariable] { UnknownVariable.all(in: variables, keys: SettingKey.all) }

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

    /// An error about options that do not fit together. If the configuration file sets one of them, it names the line.
    /// - Parameters:
    ///   - message: Contains the names of the options, with leading dashes.
    ///   - options: The names without leading dashes.
    func conflict(_ message: String, between options: [String]) -> any Error {
        let settings = EffectiveSetting.all(
            arguments: CommandLine.arguments, variables: variables, file: file, keys: SettingKey.all)
        let keys = SettingKey.all.filter { options.contains($0.option) }
        if let error = file?.conflict(message, between: keys, in: settings) { return error }
        return ValidationError(message + ".")
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
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path, errno) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { throw unreadable(path, EISDIR) }
        guard let data = try? handle.read(upToCount: maximumBytes + 1) ?? Data() else { throw unreadable(path, EIO) }
        guard data.count <= maximumBytes else {
            throw .malformed("\(path): the configuration file is larger than \(maximumBytes) bytes")
        }
        return try ConfigurationFile(Array(data), path: path, keys: SettingKey.all)
    }

    /// - Parameter code: The value of `errno`.
    private static func unreadable(_ path: String, _ code: Int32) -> FeedError {
        FeedError(
            .notFound, "cannot read the configuration file \(path): \(String(cString: strerror(code)))",
            hint: code == EACCES
                ? "Let the user of feedserver read it." : "Check --config FILE or FEEDSERVER_CONFIG.")
    }
}

extension EffectiveSetting {
    /// The settings that are given or have a default of their own.
    static var current: [EffectiveSetting] {
        let environment = ServerEnvironment.current
        return all(
            arguments: CommandLine.arguments, variables: environment.variables, file: environment.file,
            keys: SettingKey.all)
    }

    /// The settings of a server without secrets, for `--show-config` and the operator's pages.
    /// - Parameter found: The settings that are given or have a default of their own.
    static func shown(
        _ found: [EffectiveSetting] = EffectiveSetting.current, registration: RegistrationPolicy,
        monitoring: MonitoringSettings
    ) -> [EffectiveSetting] {
        let accessLog = monitoring.accessLog?.rawValue ?? MonitoringOptions.AccessLogFormat.off.rawValue
        return completed(found, registration: registration.mode.rawValue, accessLog: accessLog).map(\.masked)
    }

    /// A JSON object with the name, the value and the source of the setting.
    var json: String {
        var json = JSONWriter(capacity: 128)
        json.object {
            $0.field("key", name)
            $0.key("value")
            $0.value(value)
            $0.field("source", source.text)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ value: EffectiveSetting.Value) {
        switch value {
        case .unset: null()
        case .text(let text): string(text)
        case .number(let number): int(number)
        case .flag(let flag): bool(flag)
        case .list(let texts): array { for text in texts { $0.string(text) } }
        }
    }
}
