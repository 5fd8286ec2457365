/// The beginning of an HTML element.
struct HTMLTag: Equatable {
    /// In lowercase.
    var name: String
    /// Values with their entities decoded, keyed by lowercase name. If a name is repeated, the first value counts.
    var attributes: [String: String] = [:]

    /// Whether the attribute `class` contains a word.
    func hasClass(_ word: String) -> Bool {
        let words = attributes["class"]?.unicodeScalars.split { $0.properties.isWhitespace } ?? []
        return words.contains { String($0) == word }
    }

    /// Reads a tag from behind its opening bracket.
    struct Reader {
        /// An element of a status has only a few.
        private static let maximumAttributes = 30

        private(set) var rest: Substring.UnicodeScalarView

        init(_ rest: Substring.UnicodeScalarView) { self.rest = rest }

        /// - Returns: `nil` if the tag does not end.
        mutating func tag() -> HTMLTag? {
            var tag = HTMLTag(name: HTMLTokenizer.name(rest))
            rest = rest.drop { !Self.endsName($0) }
            while true {
                rest = rest.drop { $0.properties.isWhitespace || $0 == "/" }
                guard let next = rest.first else { return nil }
                guard next != ">" else { break }
                guard let (name, value) = attribute() else { return nil }
                if tag.attributes.count < Self.maximumAttributes, tag.attributes[name] == nil {
                    tag.attributes[name] = value
                }
            }
            rest = rest.dropFirst()
            return tag
        }

        /// - Returns: `nil` if the value does not end.
        private mutating func attribute() -> (name: String, value: String)? {
            // An equals sign at the beginning belongs to the name.
            let end = rest.dropFirst().firstIndex { Self.endsName($0) || $0 == "=" } ?? rest.endIndex
            let name = rest[..<end]
            rest = rest[end...]
            let value = rest.drop { $0.properties.isWhitespace }
            guard value.first == "=" else { return (String(name).lowercased(), "") }
            rest = value.dropFirst().drop { $0.properties.isWhitespace }
            guard let text = self.value() else { return nil }
            return (String(name).lowercased(), HTMLEntities.decoded(text))
        }

        private mutating func value() -> Substring.UnicodeScalarView? {
            guard let quote = rest.first, quote == "\"" || quote == "'" else {
                let value = rest.prefix { !$0.properties.isWhitespace && $0 != ">" }
                rest = rest[value.endIndex...]
                return value
            }
            let inside = rest.dropFirst()
            guard let end = inside.firstIndex(of: quote) else { return nil }
            rest = inside[end...].dropFirst()
            return inside[..<end]
        }

        private static func endsName(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || scalar == "/" || scalar == ">"
        }
    }
}
