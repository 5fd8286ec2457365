import FeedAPI

/// Splits a text into plain text, links, mentions and hashtags, in time linear in the length of the text. Works on
/// scalars, because a mark could hide a delimiter from a comparison by characters.
package struct StatusTextParser {
    /// The maximum length of a link in bytes. Longer URLs are treated as plain text, because browsers do not open them
    /// and a link counts as only a few characters.
    private static let maximumLinkBytes = 2048
    private static let linkEnds = Set("<>\"“”„«»`、。，！？；：（）《》「」『』【】".unicodeScalars)

    private let text: String
    private let host: String?
    private var position: String.UnicodeScalarIndex
    private var plainStart: String.UnicodeScalarIndex
    private var previous: Unicode.Scalar?
    private var segments: [TextSegment] = []
    /// The end of the scalars that a link may contain, as found by the last search from an earlier position.
    private var linkRunEnd: String.Index?

    /// Splits a text into segments.
    /// - Parameter host: The host of this server, with the port if it is part of its address; `nil` if unknown.
    package static func parse(_ text: String, host: String? = nil) -> [TextSegment] {
        var parser = StatusTextParser(text, host: host)
        return parser.run()
    }

    private init(_ text: String, host: String?) {
        self.text = text
        self.host = host
        position = text.unicodeScalars.startIndex
        plainStart = position
    }

    private mutating func run() -> [TextSegment] {
        let scalars = text.unicodeScalars
        while position < scalars.endIndex {
            let scalar = scalars[position]
            if let (segment, end) = special(at: scalar) {
                flushPlain()
                segments.append(segment)
                previous = scalars[scalars.index(before: end)]
                position = end
                plainStart = end
            } else {
                previous = scalar
                position = scalars.index(after: position)
            }
        }
        flushPlain()
        return segments
    }

    private mutating func flushPlain() {
        if plainStart < position { segments.append(.plain(text[plainStart..<position])) }
    }

    private mutating func special(at scalar: Unicode.Scalar) -> (TextSegment, String.Index)? {
        switch scalar {
        case "@": mention()
        case "#", "＃": hashtag()
        case "h", "H": link()
        default: nil
        }
    }

    /// Parses a handle, unless it is part of an address such as `me@example.org`, or of an account of another server.
    private func mention() -> (TextSegment, String.Index)? {
        guard !follows(wordOr: "/@.") else { return nil }
        let scalars = text.unicodeScalars
        guard let (handle, end) = AccountHandle.prefix(of: scalars[position...]), Username.isValid(handle.name),
            end == scalars.endIndex || scalars[end] != "@"
        else { return nil }
        if handle.domain != nil {
            guard let host, handle.isLocal(to: host) else { return nil }
        }
        return (.mention(text[scalars.index(after: position)..<end]), end)
    }

    /// Parses `#tag` in any script.
    private func hashtag() -> (TextSegment, String.Index)? {
        if let previous, Hashtag.isPrecluded(after: previous) { return nil }
        let scalars = text.unicodeScalars
        let start = scalars.index(after: position)
        guard let end = Hashtag.end(of: scalars[start...]), text[start..<end].utf8.count <= Hashtag.maximumBytes else {
            return nil
        }
        return (.hashtag(text[start..<end]), end)
    }

    private mutating func link() -> (TextSegment, String.Index)? {
        guard !follows(wordOr: "@") else { return nil }
        let rest = text.unicodeScalars[position...]
        let scheme = ["https://", "http://"].first { Substring(rest.prefix($0.utf8.count)).lowercased() == $0 }
        guard let scheme else { return nil }
        let start = rest.index(position, offsetBy: scheme.utf8.count)
        let runEnd = endOfLinkRun(from: start)
        guard text[position..<runEnd].utf8.count <= Self.maximumLinkBytes,
            let end = URLScanner.find(in: rest[start..<runEnd])
        else { return nil }
        return (.link(text[position..<end]), end)
    }

    /// Searches each part of the text only once: a long run may contain thousands of addresses, all of them too long.
    private mutating func endOfLinkRun(from start: String.Index) -> String.Index {
        if let linkRunEnd, start < linkRunEnd { return linkRunEnd }
        let scalars = text.unicodeScalars
        var end = scalars[start...].firstIndex(where: Self.endsLink) ?? scalars.endIndex
        // What a joiner extends is not divided, such as an emoji of several people.
        if start < end, end < scalars.endIndex, scalars[end] == "\u{200D}" || scalars[end].properties.isGraphemeExtend {
            end = text[start..<end].index(before: end)
        }
        linkRunEnd = end
        return end
    }

    private func follows(wordOr others: String) -> Bool {
        guard let previous else { return false }
        return Self.isWord(previous) || others.unicodeScalars.contains(previous)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) : false
    }

    private static func endsLink(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isWhitespace || linkEnds.contains(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .control, .format: return true
        default: return false
        }
    }
}

/// A segment of a status text.
package enum TextSegment: Equatable, Sendable {
    case plain(Substring)
    /// An `http` or `https` URL.
    case link(Substring)
    /// `@name` or `@name@domain` with the domain of this server; the value is the handle as written, without the first
    /// `@`.
    case mention(Substring)
    /// `#tag` or `＃tag`; the value is the tag without the sign, as written.
    case hashtag(Substring)
}
