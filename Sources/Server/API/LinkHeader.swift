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
    public init(_ value: String) {
        for part in value.utf8.split(separator: UInt8(ascii: ",")) {
            guard let open = part.firstIndex(of: UInt8(ascii: "<")), let close = part.firstIndex(of: UInt8(ascii: ">")),
                open < close
            else { continue }
            let address = String(Substring(part[part.index(after: open)..<close]))
            if part.contains("rel=\"next\"".utf8) { next = address }
            if part.contains("rel=\"prev\"".utf8) { previous = address }
        }
    }

    /// The header value, or `nil` if there are no links. `next` comes first, because some clients read only one link.
    public var value: String? {
        let links = [next.map { "<\($0)>; rel=\"next\"" }, previous.map { "<\($0)>; rel=\"prev\"" }].compactMap(\.self)
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }
}
