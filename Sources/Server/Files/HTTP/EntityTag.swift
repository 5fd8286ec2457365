/// An entity tag (RFC 9110 §8.8.3).
package struct EntityTag: Equatable, Sendable {
    package var isWeak: Bool
    /// Without the quotes.
    package var opaque: String

    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// The tag of a blob: its hash, hence strong.
    package init(hash: String) { self.init(String(hash.prefix(32))) }

    /// As it stands in a header.
    package var text: String { (isWeak ? "W/\"" : "\"") + opaque + "\"" }

    /// Strong comparison: equal, and neither is weak.
    package func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// Weak comparison: equal but for weakness.
    package func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

/// The value of If-Match or If-None-Match.
package enum EntityTagList: Equatable, Sendable {
    case any
    case tags([EntityTag])

    /// Reads a list; what is no entity tag is passed over, a comma inside quotes is data.
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
    /// Without blanks (OWS, RFC 9110 §5.6.3) at either end.
    var trimmingBlanks: String {
        var text = self[...]
        while text.first?.isBlank == true { text.removeFirst() }
        while text.last?.isBlank == true { text.removeLast() }
        return String(text)
    }
}
