/// An entity tag (RFC 9110 §8.8.3).
package struct EntityTag: Equatable, Sendable {
    package var isWeak: Bool
    /// The opaque tag without quotes.
    package var opaque: String

    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// The strong entity tag of a blob, derived from its hash.
    package init(hash: String) { self.init(String(hash.prefix(32))) }

    /// The tag as it appears in a header field.
    package var text: String { (isWeak ? "W/\"" : "\"") + opaque + "\"" }

    /// Strong comparison (RFC 9110 §8.8.3.2): the opaque tags are equal and neither tag is weak.
    package func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// Weak comparison (RFC 9110 §8.8.3.2): the opaque tags are equal.
    package func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

/// The value of an If-Match or If-None-Match header field.
package enum EntityTagList: Equatable, Sendable {
    case any
    case tags([EntityTag])

    /// Parses a list of entity tags, ignoring malformed elements. Commas inside quotes are part of the tag.
    package init(parsing value: String) {
        if value.trimmingBlanks == "*" {
            self = .any
            return
        }
        var tags: [EntityTag] = []
        var rest = Substring(value)
        while let open = rest.firstIndex(of: "\"") {
            let before = rest[..<open]
            let inside = rest[rest.index(after: open)...]
            guard let close = inside.firstIndex(of: "\"") else { break }
            let marker = (before.split(separator: ",", omittingEmptySubsequences: false).last ?? "").trimmingBlanks
            if marker.isEmpty || marker == "W/" {
                tags.append(EntityTag(String(inside[..<close]), isWeak: marker == "W/"))
            }
            rest = inside[inside.index(after: close)...]
        }
        self = .tags(tags)
    }

    /// Whether the list contains a matching tag; `*` matches any tag.
    package func contains(where matches: (EntityTag) -> Bool) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains(where: matches)
        }
    }
}

extension Character {
    var isBlank: Bool { self == " " || self == "\t" }
}

extension StringProtocol {
    /// The text without leading and trailing whitespace (OWS, RFC 9110 §5.6.3).
    var trimmingBlanks: String {
        var text = self[...]
        while text.first?.isBlank == true { text.removeFirst() }
        while text.last?.isBlank == true { text.removeLast() }
        return String(text)
    }
}
