extension SearchQuery.Fact.Kind {
    fileprivate init?(_ name: String, _ value: String) {
        let lowercased = value.lowercased()
        switch name {
        case "from":
            guard let handle = AccountHandle(value) else { return nil }
            self = lowercased == "me" ? .fromMe : .from(handle)
        case "has":
            guard let attachment = SearchQuery.Attachment(rawValue: lowercased) else { return nil }
            self = .has(attachment)
        case "is":
            guard let property = SearchQuery.Property(rawValue: lowercased) else { return nil }
            self = .is(property)
        case "language":
            guard Self.isLanguage(lowercased) else { return nil }
            self = .language(lowercased)
        default: return nil
        }
    }

    /// Whether a text looks like a language tag (BCP 47).
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count <= 4, let first = parts.first, first.count == 2 || first.count == 3 else { return false }
        return first.allSatisfy(isLetter)
            && parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
