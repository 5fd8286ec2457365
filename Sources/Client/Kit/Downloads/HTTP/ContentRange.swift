import FeedAPI

/// A `Content-Range` such as `bytes 0-99/1000` (RFC 9110 §14.4).
struct ContentRange: Equatable {
    let range: Range<Int64>
    /// The size of the whole file, in bytes; `nil` if the server does not state it (`*`).
    let completeLength: Int64?

    init?(_ text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let bounds = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2, bounds.count == 2, let first = Self.number(Substring(bounds[0])),
            let last = Self.number(Substring(bounds[1])), first <= last
        else { return nil }
        let isUnknown = parts[1].elementsEqual("*".utf8)
        let length = Self.number(Substring(parts[1]))
        guard isUnknown || length.map({ last < $0 }) == true else { return nil }
        range = first..<last + 1
        completeLength = length
    }

    /// The complete length in `bytes */1000`, which accompanies a 416.
    static func unsatisfiedLength(_ text: String) -> Int64? {
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
        guard words.count == 2, words[0].lowercased() == "bytes", words[1].hasPrefix("*/") else { return nil }
        return number(words[1].dropFirst(2))
    }

    /// Parses a number of bytes; `nil` unless it consists of digits and is a valid file size.
    static func number(_ text: some StringProtocol) -> Int64? {
        guard text.isDigits, let number = Int64(text), number <= Representation.maximumSize else { return nil }
        return number
    }
}
