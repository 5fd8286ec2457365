import FeedAPI

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

/// Splits a text into plain text, links, mentions and hashtags, in time linear in the length of the text. Works on
/// scalars, because a mark could hide a delimiter from a comparison by characters.
package struct TextParser {
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
        var parser = TextParser(text, host: host)
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
            let end = LinkEnd.find(in: rest[start..<runEnd])
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

/// Finds the end of a link in a text: a host, an optional port, and an optional path, query and fragment.
private enum LinkEnd {
    /// Punctuation at the end of a path that is not part of it; U+037E is the Greek question mark.
    private static let trailing = Set(".,;\u{37E}:!?'*|~".unicodeScalars)

    /// - Parameter run: The text after the scheme, up to something that no link contains.
    /// - Returns: `nil` if the text does not begin with a host, or if it contains a username, which would be mistaken
    ///   for the host.
    static func find(in run: Substring.UnicodeScalarView) -> String.Index? {
        guard let host = endOfHost(in: run) else { return nil }
        let port = endOfPort(after: host, in: run)
        let hostOnly = port > host ? port : trimmedHost(run[..<host])
        let rest = run[port...]
        switch rest.first {
        case "/", "?", "#":
            let end = trimmed(rest)
            return end > port ? end : hostOnly
        case "@": return nil
        case ":": return rest.prefix { !isPathStart($0) }.contains("@") ? nil : hostOnly
        default: return hostOnly
        }
    }

    private static func isPathStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "/" || scalar == "?" || scalar == "#"
    }

    private static func endOfHost(in run: Substring.UnicodeScalarView) -> String.Index? {
        if run.first == "[" {
            let end = run.dropFirst().firstIndex { !$0.properties.isASCIIHexDigit && $0 != ":" && $0 != "." }
            guard let end, run[end] == "]" else { return nil }
            return run.index(after: end)
        }
        guard let first = run.first, isAlphanumeric(first) else { return nil }
        return run.firstIndex { !isHostScalar($0) } ?? run.endIndex
    }

    private static func endOfPort(after host: String.Index, in run: Substring.UnicodeScalarView) -> String.Index {
        guard host < run.endIndex, run[host] == ":" else { return host }
        let digits = run[run.index(after: host)...].prefix { ("0"..."9").contains($0) }
        return digits.isEmpty ? host : digits.endIndex
    }

    private static func isHostScalar(_ scalar: Unicode.Scalar) -> Bool {
        isAlphanumeric(scalar) || scalar == "-" || scalar == "." || scalar == "_"
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber:
            true
        default: false
        }
    }

    /// The end of a host that nothing follows, without punctuation.
    private static func trimmedHost(_ host: Substring.UnicodeScalarView) -> String.Index {
        var host = host
        while let last = host.last, last == "-" || last == "." || last == "_" { host = host.dropLast() }
        return host.endIndex
    }

    /// The end of the path without trailing punctuation and without unbalanced closing brackets.
    private static func trimmed(_ path: Substring.UnicodeScalarView) -> String.Index {
        var path = path
        var open = path.count { $0 == "(" } - path.count { $0 == ")" }
        var openSquare = path.count { $0 == "[" } - path.count { $0 == "]" }
        while let last = path.last {
            if last == ")" {
                guard open < 0 else { break }
                open += 1
            } else if last == "]" {
                guard openSquare < 0 else { break }
                openSquare += 1
            } else if !trailing.contains(last) {
                break
            }
            path = path.dropLast()
        }
        return path.endIndex
    }
}
