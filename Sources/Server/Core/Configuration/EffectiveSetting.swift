import Foundation

/// The value of a setting that is in force, and where it comes from.
package struct EffectiveSetting: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        case unset
        case text(String)
        case number(Int)
        case flag(Bool)
        case list([String])
    }

    package enum Source: Sendable, Equatable {
        /// An option of the command line.
        case option
        /// An environment variable.
        case variable(String)
        case file
        case standard

        /// The source as `--show-config` prints it.
        package var text: String {
            switch self {
            case .option: "flag"
            case .variable(let name): name
            case .file: "file"
            case .standard: "default"
            }
        }
    }

    package let name: String
    package let value: Value
    package let source: Source
    /// Whether a change takes effect without a restart.
    package let reloads: Bool

    package init(name: String, value: Value, source: Source, reloads: Bool) {
        self.name = name
        self.value = value
        self.source = source
        self.reloads = reloads
    }

    /// All settings. An option takes precedence over the environment, which takes precedence over the file.
    /// - Parameter arguments: A command line that has been accepted.
    package static func all(
        arguments: [String], variables: [String: String], file: ConfigurationFile?, keys: [SettingKey]
    ) -> [EffectiveSetting] {
        let options = options(in: arguments, keys: keys)
        let settings = keys.map { key in
            if let text = options[key.option] { return key.setting(text, .option) }
            if let text = variables[key.variable], !text.isEmpty { return key.setting(text, .variable(key.variable)) }
            if let text = file?.options[key.option], !text.isEmpty { return key.setting(text, .file) }
            return key.setting(key.standard, .standard)
        }
        let rate = settings.first { $0.name == "rateLimit" && $0.source != .standard }
        return settings + ofSite(file) + ofLimits(file, rate: rate?.value)
    }

    /// Replaces the values that follow from other settings: `--open-registration` determines `registration`, and the
    /// format and level of the log determine `accessLog` unless it is set.
    package static func completed(
        _ settings: [EffectiveSetting], registration: String, accessLog: String
    ) -> [EffectiveSetting] {
        let open = settings.first { $0.name == "openRegistration" && $0.value == .flag(true) }
        return settings.map { setting in
            switch setting.name {
            case "registration" where setting.value != .text(registration):
                setting.replaced(by: .text(registration), open?.source ?? .standard)
            case "accessLog" where setting.value == .unset: setting.replaced(by: .text(accessLog), .standard)
            default: setting
            }
        }
    }

    /// The setting as it may be shown: without the passwords that addresses contain.
    package var masked: EffectiveSetting {
        switch value {
        case .text(let text): replaced(by: .text(SettingMask.text(text)), source)
        case .list(let texts): replaced(by: .list(texts.map(SettingMask.text)), source)
        case .unset, .number, .flag: self
        }
    }

    private func replaced(by value: Value, _ source: Source) -> EffectiveSetting {
        EffectiveSetting(name: name, value: value, source: source, reloads: reloads)
    }

    /// The settings in a command line that has been accepted, by the name of the option.
    private static func options(in arguments: [String], keys: [SettingKey]) -> [String: String] {
        var options: [String: String] = [:]
        for (index, argument) in arguments.enumerated() where argument.hasPrefix("--") {
            let parts = argument.utf8.dropFirst(2)
                .split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false).map(Substring.init)
            guard let key = keys.first(where: { $0.option == parts[0] }) else { continue }
            let next = index + 1 < arguments.count ? arguments[index + 1] : ""
            options[key.option] = key.combined(options[key.option], parts.count > 1 ? String(parts[1]) : next)
        }
        return options
    }

    private static func ofSite(_ file: ConfigurationFile?) -> [EffectiveSetting] {
        let site = file?.site ?? SiteSettings()
        let rows: [(String, Value, SiteKey)] = [
            ("title", .text(site.title), .title), ("description", .text(site.text), .description),
            ("contact.account", site.contactAccount.map(Value.text) ?? .unset, .contact),
            ("contact.email", site.contactEmail.map(Value.text) ?? .unset, .contact),
            ("rules", .list(site.rules), .rules), ("languages", .list(site.languages), .languages),
        ]
        return rows.map { name, value, key in
            let isGiven = file?.siteKeys.contains(key) ?? false && value != .unset
            return EffectiveSetting(name: name, value: value, source: isGiven ? .file : .standard, reloads: true)
        }
    }

    /// - Parameter rate: The value of `rateLimit`, which raises other limits, too.
    private static func ofLimits(_ file: ConfigurationFile?, rate: Value?) -> [EffectiveSetting] {
        var limits = Limits()
        if case .number(let count) = rate { limits.setRequests(count) }
        file?.apply(to: &limits)
        return LimitKey.all.map { key in
            EffectiveSetting(
                name: "limits." + key.name, value: .number(limits[keyPath: key.path]),
                source: file?.limits[key.name] == nil ? .standard : .file, reloads: key.reloads)
        }
    }
}

extension SettingKey {
    fileprivate func setting(_ text: String?, _ source: EffectiveSetting.Source) -> EffectiveSetting {
        EffectiveSetting(name: name, value: value(text), source: source, reloads: reloads)
    }

    private func value(_ text: String?) -> EffectiveSetting.Value {
        switch kind {
        case .flag: return .flag(text?.lowercased() == "true")
        case .list:
            let parts = (text ?? "").utf8.split(separator: UInt8(ascii: ",")).map {
                Substring($0).trimmingPrefix(while: \.isWhitespace)
            }
            return .list(parts.map(String.init))
        default:
            guard let text else { return .unset }
            if case .integer = kind, let number = Int(text) { return .number(number) }
            return .text(text)
        }
    }

    /// The value after a further occurrence of the option.
    fileprivate func combined(_ before: String?, _ text: String) -> String {
        switch kind {
        case .flag: "true"
        case .list: [before, text].compactMap(\.self).joined(separator: ",")
        default: text
        }
    }
}

/// Hides the passwords in the value of a setting that is an address, such as `postgresql://USER:PASSWORD@HOST/DATABASE`.
enum SettingMask {
    private static let mask = Array("***".utf8)

    /// The value with `***` in place of the password of a user, and of parameters such as `password` and `token`.
    static func text(_ value: String) -> String {
        guard let start = value.utf8.firstRange(of: "://".utf8)?.upperBound else { return value }
        let rest = value.utf8[start...]
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let bytes = Array(value.utf8[..<start]) + shown(authority) + parameters(rest[authority.endIndex...])
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The user and the host, without the password. A password may contain unescaped `@` and `:`.
    private static func shown(_ authority: Substring.UTF8View) -> [UInt8] {
        guard let end = authority.lastIndex(of: UInt8(ascii: "@")),
            let colon = authority[..<end].firstIndex(of: UInt8(ascii: ":"))
        else { return Array(authority) }
        return Array(authority[...colon]) + mask + authority[end...]
    }

    private static func parameters(_ rest: Substring.UTF8View) -> [UInt8] {
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        let parts = rest[path.endIndex...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return Array(path) + parts.map(parameter).joined(separator: "&".utf8)
    }

    private static func parameter(_ part: Substring.UTF8View) -> [UInt8] {
        let name = part.prefix { $0 != UInt8(ascii: "=") }
        let word = (String(Substring(name)).removingPercentEncoding ?? "password").lowercased()
        let isSecret = ["pass", "pwd", "secret", "token"].contains { word.utf8.firstRange(of: $0.utf8) != nil }
        return isSecret && name.endIndex != part.endIndex ? Array(name) + "=".utf8 + mask : Array(part)
    }
}
