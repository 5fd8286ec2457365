/// The `Link` header (RFC 8288) as it is used for paging: addresses of the next and the previous page.
public struct LinkHeader: Equatable, Sendable {
    /// The page of older entries.
    public var next: String?
    /// The page of newer entries.
    public var previous: String?

    public init(next: String? = nil, previous: String? = nil) {
        self.next = next
        self.previous = previous
    }

    /// Reads a header value; parts that are no links are passed over.
    public init(_ value: String) {
        for part in value.split(separator: ",") {
            guard let open = part.firstIndex(of: "<"), let close = part.firstIndex(of: ">"), open < close else {
                continue
            }
            let address = String(part[part.index(after: open)..<close])
            if part.contains("rel=\"next\"") { next = address }
            if part.contains("rel=\"prev\"") { previous = address }
        }
    }

    /// The header value, `next` first (some clients look only at the start), or `nil` when there is no link.
    public var value: String? {
        let links = [next.map { "<\($0)>; rel=\"next\"" }, previous.map { "<\($0)>; rel=\"prev\"" }].compactMap(\.self)
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }
}
