import FeedAPI
package import FeedCore

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
    package init(hash: BlobHash) { self.init(String(hash.description.prefix(32))) }

    /// The tag as it appears in a header field.
    package var headerValue: String { (isWeak ? "W/\"" : "\"") + opaque + "\"" }

    /// Strong comparison (RFC 9110 §8.8.3.2): the opaque tags are equal and neither tag is weak.
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// Weak comparison (RFC 9110 §8.8.3.2): the opaque tags are equal.
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

/// The value of an If-Match or If-None-Match header field.
package enum EntityTagList: Equatable, Sendable {
    case any
    case tags([EntityTag])

    /// The maximum number of tags in a request.
    package static let maximumCount = 64

    /// Whether the lines of a field contain more than ``maximumCount`` tags.
    package static func isTooLong(_ lines: [String]) -> Bool {
        lines.reduce(0) { $0 + $1.utf8.count { $0 == UInt8(ascii: "\"") } } > 2 * maximumCount
    }

    /// Parses a list of entity tags, ignoring malformed elements. Commas inside quotes are part of the tag.
    package init(parsing value: String) {
        if Substring(value).trimmingBlanks == "*" {
            self = .any
            return
        }
        var tags: [EntityTag] = []
        let quote = UInt8(ascii: "\"")
        var rest = Substring(value).utf8
        while let open = rest.firstIndex(of: quote) {
            let before = rest[..<open]
            let inside = rest[rest.index(after: open)...]
            guard let close = inside.firstIndex(of: quote) else { break }
            let elements = before.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            let marker = elements.last.map { Substring($0).trimmingBlanks } ?? ""
            if marker.isEmpty || marker == "W/" {
                tags.append(EntityTag(String(Substring(inside[..<close])), isWeak: marker == "W/"))
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

extension Substring {
    /// The text without leading and trailing whitespace (OWS, RFC 9110 §5.6.3).
    var trimmingBlanks: Substring {
        let start = utf8.firstIndex { !$0.isBlank } ?? endIndex
        let end = utf8.lastIndex { !$0.isBlank }.map(utf8.index(after:)) ?? start
        return self[start..<end]
    }
}
