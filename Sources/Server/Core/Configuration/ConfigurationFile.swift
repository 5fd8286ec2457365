/// The content of the configuration file (`--config`), checked against the tables of settings.
package struct ConfigurationFile: Sendable {
    /// The maximum size of a file in bytes.
    package static let maximumBytes = 1 << 20

    package let path: String
    /// The settings that are also options, as the environment would write them, by the name of the option.
    package private(set) var options: [String: String] = [:]
    /// The lines of these settings, by the name of the option.
    private var lines: [String: Int] = [:]
    package private(set) var site = SiteSettings()
    /// The names of the keys that describe the site.
    private(set) var siteKeys: Set<SiteKey> = []
    /// The given limits by name.
    private(set) var limits: [String: Int] = [:]

    /// - Parameters:
    ///   - path: The path of the file, for messages.
    ///   - keys: The settings that are also options.
    /// - Throws: ``FeedError`` `.malformed`, which names the file, the line and the key.
    package init(_ bytes: [UInt8], path: String, keys: [SettingKey]) throws(FeedError) {
        self.path = path
        do throws(FeedError) {
            let root = try ConfigurationParser.parse(bytes)
            guard case .object(let members) = root.content else {
                throw .malformed("line \(root.line): expected \"{\"", hint: "The file must contain one JSON object.")
            }
            let keys = keys.filter(\.isInFile)
            for member in members { try read(member, keys) }
        } catch {
            throw .malformed("\(path): \(error.message)", hint: error.hint)
        }
    }

    /// Sets the given limits.
    package func apply(to limits: inout Limits) {
        for key in LimitKey.all {
            if let value = self.limits[key.name] { limits[keyPath: key.path] = value }
        }
    }

    /// An error about settings that do not fit together; `nil` if none of them comes from the file.
    /// - Parameters:
    ///   - message: Contains the names of the options, which are replaced by those in the file.
    ///   - settings: All settings with their sources.
    package func conflict(
        _ message: String, between keys: [SettingKey], in settings: [EffectiveSetting]
    ) -> FeedError? {
        func set(by sources: EffectiveSetting.Source...) -> [SettingKey] {
            keys.filter { key in settings.contains { $0.name == key.name && sources.contains($0.source) } }
        }
        guard let line = set(by: .file).compactMap({ lines[$0.option] }).max() else { return nil }
        let text = set(by: .file, .standard).reduce(message) { text, key in
            text.replacing("--" + key.option, with: key.name)
        }
        return .malformed("\(path): line \(line): \(text)")
    }

    private mutating func read(_ member: ConfigurationValue.Member, _ keys: [SettingKey]) throws(FeedError) {
        if let key = keys.first(where: { $0.name == member.name }) {
            options[key.option] = try key.text(member.value)
            lines[key.option] = member.value.line
        } else if let key = SiteKey(rawValue: member.name) {
            try key.read(member.value, into: &site)
            siteKeys.insert(key)
        } else if member.name == "limits" {
            for limit in try member.value.members("limits") { try read(limit: limit) }
        } else {
            let names = keys.map(\.name) + SiteKey.allCases.map(\.rawValue) + ["limits"]
            throw Self.unknown(member, member.name, names + Self.limitNames)
        }
    }

    private mutating func read(limit: ConfigurationValue.Member) throws(FeedError) {
        guard let key = LimitKey.all.first(where: { $0.name == limit.name }) else {
            throw Self.unknown(limit, "limits." + limit.name, Self.limitNames)
        }
        limits[key.name] = try limit.value.integer("limits." + key.name, in: key.range)
    }

    private static var limitNames: [String] { LimitKey.all.map { "limits." + $0.name } }

    private static func unknown(
        _ member: ConfigurationValue.Member, _ name: String, _ names: [String]
    ) -> FeedError {
        let nearest = NearestName.nearest(to: member.name, in: names)
        return member.value.error(
            name, "unknown key",
            hint: nearest.map { "Did you mean \($0)?" } ?? "feedserver serve --show-config lists all keys.")
    }
}

/// Finds the name that a mistyped one was probably meant to be.
enum NearestName {
    /// The longest name that is compared, which bounds the time.
    private static let maximumLength = 100
    /// The shortest beginning that tells which name is meant.
    private static let minimumPrefix = 3

    /// - Parameter names: Of a dotted name, only the last part is compared.
    /// - Returns: The name that differs in at most one letter, ignoring case and dashes; else the shortest one that
    ///   begins with `name`; else the one with the fewest differences; `nil` if none is similar.
    static func nearest(to name: String, in names: [String]) -> String? {
        let typed = letters(name[...])
        guard (1...maximumLength).contains(typed.count) else { return nil }
        let candidates = names.map { name in
            let known = letters(name.utf8.split(separator: UInt8(ascii: ".")).last.map(Substring.init) ?? name[...])
            return (name: name, letters: known, distance: distance(typed, known))
        }
        guard let nearest = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        if nearest.distance <= 1 { return nearest.name }
        let longer = candidates.filter { typed.count >= minimumPrefix && $0.letters.starts(with: typed) }
        if let shortest = longer.min(by: { $0.letters.count < $1.letters.count }) { return shortest.name }
        return nearest.distance <= (typed.count + 1) / 3 ? nearest.name : nil
    }

    private static func letters(_ name: Substring) -> [UInt8] {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    }

    /// The number of insertions, deletions and substitutions (Levenshtein).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (index, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let substituted = diagonal + (byte == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
