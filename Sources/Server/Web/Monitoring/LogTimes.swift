import FeedAPI

/// Formats the times of log lines, many of which fall into the same second.
package struct LogTimes: Sendable {
    private var second: Int64 = -1
    /// The text up to the seconds, with the decimal point.
    private var prefix: [UInt8] = []

    package init() {}

    /// Appends a time like ``ISO8601/text(milliseconds:)``.
    /// - Parameter time: Milliseconds since 1970.
    mutating func append(_ time: Int64, to line: inout [UInt8]) {
        guard time >= 0 else { return line.append(contentsOf: ISO8601.text(milliseconds: time).utf8) }
        if time / 1000 != second {
            second = time / 1000
            prefix = Array(ISO8601.text(milliseconds: time).utf8.dropLast(4))
        }
        line.append(contentsOf: prefix)
        line.append(threeDigits: time % 1000)
        line.append(UInt8(ascii: "Z"))
    }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends a number of 0 to 999 with leading zeros.
    fileprivate mutating func append(threeDigits value: Int64) {
        append(UInt8(ascii: "0") + UInt8(clamping: value / 100))
        append(UInt8(ascii: "0") + UInt8(clamping: value / 10 % 10))
        append(UInt8(ascii: "0") + UInt8(clamping: value % 10))
    }

    /// Appends a number with three decimal places; for example, 1500 as `1.500`. A negative one becomes 0.
    mutating func append(thousandths value: Int64) {
        let value = Swift.max(0, value)
        append(contentsOf: String(value / 1000).utf8)
        append(UInt8(ascii: "."))
        append(threeDigits: value % 1000)
    }
}
