/// A `Link` header field (RFC 8288) used for pagination: the URLs of the next and the previous page.
public struct LinkHeader: Equatable, Sendable {
    /// The URL of the page with older entries.
    public var next: String?
    /// The URL of the page with newer entries.
    public var previous: String?

    public init(next: String? = nil, previous: String? = nil) {
        self.next = next
        self.previous = previous
    }

    /// Parses a header value, ignoring malformed links.
    public init(_ value: String) { add(value) }

    /// Adds the links of a header value, unless there is such a link already. Malformed links are ignored.
    package mutating func add(_ value: String) {
        var parser = LinkParser(value)
        while let link = parser.next() {
            if link.relations.contains("next"), next == nil { next = link.target }
            if link.relations.contains("prev") || link.relations.contains("previous"), previous == nil {
                previous = link.target
            }
        }
    }

    /// The header value, or `nil` if there are no links. `next` comes first, because some clients read only one link.
    public var value: String? {
        let links = [next.map { "<\($0)>; rel=\"next\"" }, previous.map { "<\($0)>; rel=\"prev\"" }].compactMap(\.self)
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }
}

/// Reads the links of a header value (RFC 8288 §3): relations are tokens or quoted, in any letter case, and several may be
/// in one `rel`; commas and semicolons may be in targets and quoted strings.
private struct LinkParser {
    private var rest: Substring.UTF8View

    init(_ value: String) { rest = value[...].utf8 }

    mutating func next() -> (target: String, relations: [String])? {
        guard skip(to: "<") else { return nil }
        let target = rest.dropFirst().prefix { $0 != UInt8(ascii: ">") }
        rest = rest[target.endIndex...].dropFirst()
        return (String(Substring(target)), relations())
    }

    /// The relations of a link to this resource, in lowercase, from its parameters. Only the first `rel` counts.
    private mutating func relations() -> [String] {
        var (relations, isAnchored) = ([String]?.none, false)
        while skip(to: ";,"), rest.popFirst() == UInt8(ascii: ";") {
            let (name, value) = parameter()
            if name == "rel", relations == nil {
                relations = value.utf8.split { $0 == 0x20 || $0 == 0x09 }.map { String(Substring($0)) }
            }
            isAnchored = isAnchored || name == "anchor"
        }
        return isAnchored ? [] : relations ?? []
    }

    private mutating func parameter() -> (name: String, value: String) {
        skipSpaces()
        let name = token()
        skipSpaces()
        guard rest.first == UInt8(ascii: "=") else { return (name, "") }
        rest = rest.dropFirst()
        skipSpaces()
        guard rest.first == UInt8(ascii: "\"") else { return (name, token()) }
        rest = rest.dropFirst()
        return (name, quoted())
    }

    private mutating func token() -> String {
        let token = rest.prefix { !" \t=;,".utf8.contains($0) }
        rest = rest[token.endIndex...]
        return String(Substring(token)).lowercased()
    }

    private mutating func quoted() -> String {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            if let escaped = rest.popFirst() { bytes.append(escaped) }
        }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

    /// - Returns: Whether one of these marks follows.
    private mutating func skip(to marks: String) -> Bool {
        rest = rest.drop { !marks.utf8.contains($0) }
        return !rest.isEmpty
    }
}
