/// A property of a status other than its text, which an operator such as `from:name` asks for.
package struct SearchOperator: Sendable, Hashable {
    /// The operators in lowercase, those of times too.
    static let names: Set<String> = ["from", "has", "is", "language", "before", "after"]

    package enum Kind: Sendable, Hashable {
        case fromMe
        case from(AccountHandle)
        case has(Attachment)
        case `is`(Property)
        /// The language tag in lowercase.
        case language(String)
    }

    /// Something that a status has. The raw values are those of the operator `has:`.
    package enum Attachment: String, Sendable, CaseIterable { case media, image, video, audio, poll, link }

    /// A kind of status. The raw values are those of the operator `is:`.
    package enum Property: String, Sendable, CaseIterable { case reply, sensitive }

    package var kind: Kind
    /// Whether statuses with this property are excluded.
    package var isExcluded: Bool

    package init(_ kind: Kind, isExcluded: Bool = false) {
        self.kind = kind
        self.isExcluded = isExcluded
    }
}

extension SearchOperator.Kind {
    /// - Parameter name: The operator in lowercase.
    /// - Returns: `nil` for an unknown operator or value, and for the operators of times.
    init?(_ name: String, _ value: String) {
        let lowercased = value.lowercased()
        switch name {
        case "from":
            guard let handle = AccountHandle(value) else { return nil }
            self = lowercased == "me" ? .fromMe : .from(handle)
        case "has":
            guard let attachment = SearchOperator.Attachment(rawValue: lowercased) else { return nil }
            self = .has(attachment)
        case "is":
            guard let property = SearchOperator.Property(rawValue: lowercased) else { return nil }
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
