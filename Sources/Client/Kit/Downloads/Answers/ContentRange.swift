import FeedAPI

/// `bytes 0-99/1000` (RFC 9110 §14.4); an unknown total is of no use here.
struct ContentRange: Equatable {
    let span: Range<Int64>
    let total: Int64

    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            let total = Self.number(parts[1]), first <= last, last < total
        else { return nil }
        span = first..<last + 1
        self.total = total
    }

    /// The total of `bytes */1000`, which comes with 416.
    static func unsatisfied(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes", words[1].hasPrefix("*/") else { return nil }
        return number(words[1].dropFirst(2))
    }

    /// `nil` for anything but digits, and for more bytes than a file can have.
    static func number(_ text: some StringProtocol) -> Int64? {
        guard text.isDigits, let number = Int64(text), number <= Representation.largest else { return nil }
        return number
    }
}
