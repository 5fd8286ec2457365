import Foundation

/// Parses the JSON of a configuration file into a tree that knows its lines.
struct ConfigurationParser {
    private static let maximumDepth = 8

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var depth = 0

    /// - Throws: ``FeedError`` `.malformed` with the number of the line.
    static func parse(_ bytes: [UInt8]) throws(FeedError) -> ConfigurationValue {
        var parser = ConfigurationParser(bytes: bytes)
        parser.skipBlanks()
        let value = try parser.value()
        parser.skipBlanks()
        guard parser.next == nil else { throw parser.unexpected("the end of the file") }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }
}

extension ConfigurationParser {
    private mutating func value() throws(FeedError) -> ConfigurationValue {
        let start = line
        return ConfigurationValue(content: try content(), line: start)
    }

    private mutating func content() throws(FeedError) -> ConfigurationValue.Content {
        switch next {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .list(try list())
        case UInt8(ascii: "\""): return .text(try string())
        case let byte? where "-0123456789".utf8.contains(byte): return .number(number())
        default:
            if skip(word: "true") { return .flag(true) }
            if skip(word: "false") { return .flag(false) }
            guard skip(word: "null") else { throw unexpected("a value") }
            return .null
        }
    }

    private mutating func object() throws(FeedError) -> [ConfigurationValue.Member] {
        var members: [ConfigurationValue.Member] = []
        try elements(until: UInt8(ascii: "}")) { (parser: inout Self) throws(FeedError) in
            guard parser.next == UInt8(ascii: "\"") else { throw parser.unexpected("a key in quotes") }
            let line = parser.line
            let name = try parser.string()
            guard !members.contains(where: { $0.name == name }) else {
                throw .malformed("line \(line): \(name): the key is given twice")
            }
            parser.skipBlanks()
            guard parser.skip(UInt8(ascii: ":")) else { throw parser.unexpected("\":\"") }
            parser.skipBlanks()
            members.append(.init(name: name, value: try parser.value()))
        }
        return members
    }

    private mutating func list() throws(FeedError) -> [ConfigurationValue] {
        var values: [ConfigurationValue] = []
        try elements(until: UInt8(ascii: "]")) { (parser: inout Self) throws(FeedError) in
            values.append(try parser.value())
        }
        return values
    }

    /// Parses the comma-separated elements between brackets.
    private mutating func elements(
        until close: UInt8, _ element: (inout Self) throws(FeedError) -> Void
    ) throws(FeedError) {
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw .malformed("line \(line): more than \(Self.maximumDepth) levels of brackets")
        }
        index += 1
        skipBlanks()
        if !skip(close) {
            repeat {
                skipBlanks()
                try element(&self)
                skipBlanks()
            } while skip(UInt8(ascii: ","))
            guard skip(close) else { throw unexpected("\",\" or \"\(Character(Unicode.Scalar(close)))\"") }
        }
        depth -= 1
    }

    /// Parses a string at its opening quote.
    private mutating func string() throws(FeedError) -> String {
        let start = index
        index += 1
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw unexpected("a closing quote") }
            // Skips an escaped quote, too.
            index += byte == UInt8(ascii: "\\") && index + 1 < bytes.count ? 2 : 1
        }
        guard skip(UInt8(ascii: "\"")) else { throw unexpected("a closing quote") }
        guard let text = try? JSONDecoder().decode(String.self, from: Data(bytes[start..<index])) else {
            throw .malformed("line \(line): the text in quotes is not valid JSON")
        }
        return text
    }

    /// The text of a number; the caller validates it.
    private mutating func number() -> String {
        let start = index
        while let byte = next, "+-.0123456789Ee".utf8.contains(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }
}

extension ConfigurationParser {
    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            if byte == 0x0A { line += 1 }
            index += 1
        }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func skip(word: String) -> Bool {
        guard bytes[index...].starts(with: word.utf8) else { return false }
        index += word.utf8.count
        return true
    }

    private func unexpected(_ expected: String) -> FeedError {
        .malformed("line \(line): expected \(expected), found \(nextDescription)")
    }

    private var nextDescription: String {
        switch next {
        case nil: "the end of the file"
        case 0x0A, 0x0D: "the end of the line"
        case let byte? where (0x20..<0x7F).contains(byte): "\"\(Character(Unicode.Scalar(byte)))\""
        case let byte?: "the byte 0x" + Hex.text([byte])
        }
    }
}

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
        guard case .text(let text) = content else { throw error(key, "must be a text in quotes") }
        return text
    }

    func flag(_ key: String) throws(FeedError) -> Bool {
        guard case .flag(let flag) = content else { throw error(key, "must be true or false, without quotes") }
        return flag
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws(FeedError) -> Int {
        guard case .number(let digits) = content, let number = Int(digits), String(number) == digits,
            range.contains(number)
        else { throw error(key, Self.expectation(range)) }
        return number
    }

    func list(_ key: String, of what: String = "texts") throws(FeedError) -> [ConfigurationValue] {
        guard case .list(let values) = content else { throw error(key, "must be a list of \(what) in brackets") }
        return values
    }

    func members(_ key: String) throws(FeedError) -> [Member] {
        guard case .object(let members) = content else { throw error(key, "must be an object in braces") }
        return members
    }

    func error(_ key: String, _ what: String, hint: String? = nil) -> FeedError {
        .malformed("line \(line): \(key): \(what)", hint: hint)
    }

    private static func expectation(_ range: ClosedRange<Int>) -> String {
        range.upperBound == .max
            ? "must be a whole number of at least \(range.lowerBound)"
            : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
    }
}
