package import FeedCore

extension BaseURL {
    /// Parses `--base-url`: a scheme, a host and an optional port. Anything else is an error: path prefixes are not
    /// supported, and other components would be lost or published.
    /// - Returns: The address in lowercase, without a trailing slash.
    /// - Throws: ``FeedError`` `.malformed` with a hint.
    package static func parse(_ text: String) throws(FeedError) -> String {
        let bytes = text.utf8
        guard let end = bytes.firstRange(of: "://".utf8),
            ["http", "https"].contains(text[..<end.lowerBound].lowercased())
        else {
            throw wrong("must begin with http:// or https://")
        }
        let authority = String(Substring(bytes[end.upperBound...].prefix { !"/?#\\".utf8.contains($0) }))
        let rest = bytes[end.upperBound...].dropFirst(authority.utf8.count)
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw wrong("must not contain a user name or a password")
        }
        guard !rest.contains(UInt8(ascii: "?")) else { throw wrong("must not contain a query") }
        guard !rest.contains(UInt8(ascii: "#")) else { throw wrong("must not contain a fragment") }
        guard rest.isEmpty || rest.elementsEqual("/".utf8) else { throw wrong("must not contain a path") }
        guard isValid(authority), hasPort(authority) else { throw wrong("has no valid host or port") }
        return text[..<end.upperBound].lowercased() + authority.lowercased()
    }

    /// Whether the port, if any, is within 1...65535.
    private static func hasPort(_ authority: String) -> Bool {
        let bytes = authority.utf8
        let host = bytes.first == UInt8(ascii: "[") ? bytes.drop { $0 != UInt8(ascii: "]") } : bytes[...]
        guard let colon = host.firstIndex(of: UInt8(ascii: ":")) else { return true }
        return (1...65_535).contains(Int(Substring(host[host.index(after: colon)...])) ?? 0)
    }

    private static func wrong(_ what: String) -> FeedError {
        .malformed(
            "The address of this server \(what)",
            hint: "Specify only the scheme, host and port, such as https://feed.example or http://10.0.0.1:8080.")
    }
}
