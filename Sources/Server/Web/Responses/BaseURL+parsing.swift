package import FeedCore

extension BaseURL {
    /// Parses `--base-url`: a scheme, a host and an optional port. Anything else is an error: path prefixes are not
    /// supported, and other components would be lost or published.
    /// - Returns: The address in lowercase, without a trailing slash.
    /// - Throws: ``FeedError`` `.malformed` with a hint.
    package static func parse(_ text: String) throws(FeedError) -> String {
        guard let end = text.firstRange(of: "://"), ["http", "https"].contains(text[..<end.lowerBound].lowercased())
        else {
            throw wrong("must begin with http:// or https://")
        }
        let authority = String(text[end.upperBound...].prefix { !"/?#\\".contains($0) })
        let rest = text[end.upperBound...].dropFirst(authority.count)
        guard !authority.contains("@") else { throw wrong("must not contain a user name or a password") }
        guard !rest.contains("?") else { throw wrong("must not contain a query") }
        guard !rest.contains("#") else { throw wrong("must not contain a fragment") }
        guard rest.isEmpty || rest == "/" else { throw wrong("must not contain a path") }
        guard isValid(authority), hasPort(authority) else { throw wrong("has no valid host or port") }
        return text[..<end.upperBound].lowercased() + authority.lowercased()
    }

    /// Whether the port, if any, is within 1...65535.
    private static func hasPort(_ authority: String) -> Bool {
        let host = authority.first == "[" ? authority.drop { $0 != "]" } : authority[...]
        guard let colon = host.firstIndex(of: ":") else { return true }
        return (1...65_535).contains(Int(host[host.index(after: colon)...]) ?? 0)
    }

    private static func wrong(_ what: String) -> FeedError {
        .malformed(
            "The address of this server \(what)",
            hint: "Specify only the scheme, host and port, such as https://feed.example or http://10.0.0.1:8080.")
    }
}
