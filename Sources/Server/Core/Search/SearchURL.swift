/// The account or status whose page a search names by its URL.
package enum SearchURL: Equatable, Sendable {
    case account(named: String)
    /// - Parameter author: The name in the address; `nil` for the short form, which does not contain it.
    case status(Int64, author: String?)

    /// Whether a search consists of an address.
    package static func isAddress(_ text: String) -> Bool { rest(of: text) != nil }

    /// Parses `http://HOST/@NAME`, `…/@NAME/ID` and `…/statuses/ID`, in which a final slash, a query and a fragment are
    /// ignored.
    /// - Parameter host: The host of this server, with the port if it is part of its address.
    /// - Returns: `nil` for anything else, such as an address of another server.
    package init?(_ text: String, host: String) {
        guard let rest = Self.rest(of: text) else { return nil }
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        if parts.count > 2, parts.last?.isEmpty == true { parts.removeLast() }
        guard parts.count == 2 || parts.count == 3, parts[0].lowercased() == host.lowercased() else { return nil }
        let id = parts.count == 3 ? Self.id(parts[2]) : nil
        switch (parts[1].utf8.first == UInt8(ascii: "@"), id) {
        case (true, nil) where parts.count == 2: self = .account(named: String(parts[1].unicodeScalars.dropFirst()))
        case (true, let id?): self = .status(id, author: String(parts[1].unicodeScalars.dropFirst()))
        case (false, let id?) where parts[1] == "statuses": self = .status(id, author: nil)
        default: return nil
        }
    }

    /// The rest of an address after the scheme.
    private static func rest(of text: String) -> Substring.UTF8View? {
        for scheme in ["https://", "http://"]
        where Substring(text.utf8.prefix(scheme.utf8.count)).lowercased() == scheme {
            return text.utf8.dropFirst(scheme.utf8.count)
        }
        return nil
    }

    private static func id(_ text: String) -> Int64? {
        !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
    }
}
