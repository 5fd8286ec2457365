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
