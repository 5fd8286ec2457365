import FeedAPI
import FeedCore
import FeedWeb

extension EffectiveSetting {
    /// The settings that are given or have a default of their own.
    static var current: [EffectiveSetting] {
        let environment = ServerEnvironment.current
        return all(
            arguments: CommandLine.arguments, variables: environment.variables, file: environment.file,
            keys: SettingKey.all)
    }

    /// The settings of a server, for `--show-config`.
    static func inForce(_ settings: ServeSettings) -> [EffectiveSetting] {
        completed(
            current, registration: settings.registration.mode.rawValue,
            accessLog: settings.monitoring.accessLog?.rawValue ?? MonitoringOptions.AccessLogFormat.off.rawValue)
    }

    /// A JSON object with the name, the value and the source of the setting.
    var json: String {
        var json = JSONWriter(capacity: 128)
        json.object {
            $0.field("key", name)
            $0.key("value")
            $0.value(value)
            $0.field("source", source.name)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension EffectiveSetting.Source {
    fileprivate var name: String {
        switch self {
        case .option: "flag"
        case .variable(let name): name
        case .file: "file"
        case .standard: "default"
        }
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
