/// A setting of `feedserver serve` that an option, an environment variable and the configuration file can set.
package struct SettingKey: Sendable {
    /// - Throws: ``FeedError`` with a message that completes "NAME: …".
    package typealias Check = @Sendable (String) throws(FeedError) -> Void

    /// The type of a setting, and its representation in the configuration file.
    package enum Kind: Sendable {
        /// `true` or `false`.
        case flag
        /// A number.
        case integer(ClosedRange<Int>)
        /// One of several words.
        case choice([String])
        /// A number of bytes, or a text such as `512MiB`.
        case size(Check)
        /// A text.
        case text(Check)
        /// A text or a list of texts, which the environment separates by commas.
        case list(Check)
    }

    /// The name of the option without leading dashes.
    package let option: String
    package let kind: Kind
    /// The default, as the environment would write it.
    package let standard: String?
    /// Whether a change takes effect without a restart.
    package let reloads: Bool
    /// Whether the configuration file can set it.
    package let isInFile: Bool

    package init(
        _ option: String, _ kind: Kind = .text(notEmpty), default standard: String? = nil, reloads: Bool = false,
        isInFile: Bool = true
    ) {
        self.option = option
        self.kind = kind
        self.standard = standard
        self.reloads = reloads
        self.isInFile = isInFile
    }

    /// The name in the configuration file: `baseUrl` for `--base-url`.
    package var name: String {
        let words = option.utf8.split(separator: UInt8(ascii: "-")).map(Substring.init)
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The environment variable: `FEEDSERVER_BASE_URL` for `--base-url`.
    package var variable: String { Self.variable(option) }

    fileprivate static let variablePrefix = "FEEDSERVER_"

    package static func variable(_ option: String) -> String {
        variablePrefix + option.uppercased().replacing("-", with: "_")
    }

    package static let notEmpty: Check = { text throws(FeedError) in
        guard !text.isEmpty else { throw .malformed("must not be empty") }
    }
}

extension SettingKey {
    /// A value of the configuration file as the environment would write it.
    /// - Throws: ``FeedError`` `.malformed` with the line, the name and the fault.
    func text(_ value: ConfigurationValue) throws(FeedError) -> String {
        switch kind {
        case .flag: return try value.flag(name) ? "true" : "false"
        case .integer(let range): return String(try value.integer(name, in: range))
        case .choice(let words):
            guard case .text(let word) = value.content, words.contains(word) else {
                throw value.error(name, "must be one of " + words.map { "\"\($0)\"" }.joined(separator: ", "))
            }
            return word
        case .size(let check):
            if case .number = value.content { return String(try value.integer(name, in: 1...Int.max)) }
            guard case .text = value.content else {
                throw value.error(name, "must be a size such as \"512MiB\", or a number of bytes")
            }
            return try checked(value, check)
        case .text(let check): return try checked(value, check)
        case .list(let check):
            guard case .list(let values) = value.content else { return try checked(value, check) }
            var texts: [String] = []
            for value in values { texts.append(try checked(value, check)) }
            return texts.joined(separator: ",")
        }
    }

    private func checked(_ value: ConfigurationValue, _ check: Check) throws(FeedError) -> String {
        let text = try value.text(name)
        do {
            try check(text)
        } catch {
            throw value.error(name, error.plainMessage, hint: error.hint)
        }
        return text
    }
}

/// An environment variable that is named like a setting, but sets none.
package struct UnknownVariable: Sendable, Equatable {
    package let name: String
    /// The variable that was probably meant.
    package let suggestion: String?

    static let rule = "Variables are named like options: --base-url is FEEDSERVER_BASE_URL."

    /// The advice, in words for people.
    package var hint: String { suggestion.map { "Did you mean \($0)?" } ?? Self.rule }

    /// The unknown variables, sorted by name. Empty ones count as unset.
    package static func all(in variables: [String: String], keys: [SettingKey]) -> [UnknownVariable] {
        let known = Set(keys.map(\.variable))
        return variables.filter { name, value in
            name.hasPrefix(SettingKey.variablePrefix) && !value.isEmpty && !known.contains(name)
        }.keys.sorted().map { name in
            let typed = String(name.dropFirst(SettingKey.variablePrefix.count))
            let option = NearestName.nearest(to: typed, in: keys.map(\.option))
            return UnknownVariable(name: name, suggestion: option.map(SettingKey.variable))
        }
    }
}
