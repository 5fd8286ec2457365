/// A JSON value (RFC 8259) in the configuration file.
package struct ConfigurationValue: Sendable {
    package enum Content: Sendable {
        case text(String)
        /// A number as it is written, so that none is rounded.
        case number(String)
        case flag(Bool)
        case null
        case list([ConfigurationValue])
        case object([Member])
    }

    package struct Member: Sendable {
        package let name: String
        package let value: ConfigurationValue
    }

    package let content: Content
    /// The line on which the value begins, counted from 1.
    package let line: Int

    package init(content: Content, line: Int) {
        self.content = content
        self.line = line
    }
}

// Typed access. Each function throws `FeedError` `.malformed`, which names the line and the key.
extension ConfigurationValue {
    func text(_ key: String) throws(FeedError) -> String {
        guard case .text(let text) = content else { throw fault(key, "must be a text in quotes") }
        return text
    }

    func flag(_ key: String) throws(FeedError) -> Bool {
        guard case .flag(let flag) = content else { throw fault(key, "must be true or false, without quotes") }
        return flag
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws(FeedError) -> Int {
        guard case .number(let digits) = content, let number = Int(digits), String(number) == digits,
            range.contains(number)
        else { throw fault(key, Self.expectation(range)) }
        return number
    }

    func list(_ key: String, of what: String = "texts") throws(FeedError) -> [ConfigurationValue] {
        guard case .list(let values) = content else { throw fault(key, "must be a list of \(what) in brackets") }
        return values
    }

    func members(_ key: String) throws(FeedError) -> [Member] {
        guard case .object(let members) = content else { throw fault(key, "must be an object in braces") }
        return members
    }

    func fault(_ key: String, _ what: String, hint: String? = nil) -> FeedError {
        .malformed("line \(line): \(key): \(what)", hint: hint)
    }

    private static func expectation(_ range: ClosedRange<Int>) -> String {
        range.upperBound == .max
            ? "must be a whole number of at least \(range.lowerBound)"
            : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
    }
}
