/// Writes JSON directly into a byte array, for frequent responses.
///
/// ```swift
/// var json = JSONWriter()
/// json.object {
///     $0.field("id", "42")
///     $0.array("tags") { $0.string("bikes") }
/// }
/// ```
/// Fields are written in call order. The last byte determines whether a comma is needed, so the writer keeps no other
/// state. Closures keep objects and arrays balanced.
public struct JSONWriter: Sendable {
    /// The JSON written so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []
    /// The positions in ``bytes`` at which further fields can be inserted; `nil` if they are not recorded.
    public private(set) var gaps: [Int]?

    /// - Parameter capacity: The number of bytes to reserve.
    public init(capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

    /// - Parameters:
    ///   - capacity: The number of bytes to reserve.
    ///   - recordsGaps: Whether ``gap()`` has an effect.
    public init(capacity: Int = 1024, recordsGaps: Bool) {
        self.init(capacity: capacity)
        if recordsGaps { gaps = [] }
    }

    /// Records a position in an object, after a field, at which further fields can be inserted later.
    public mutating func gap() { gaps?.append(bytes.count) }

    /// Writes `{…}`; `body` writes the fields.
    public mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        separate()
        bytes.append(UInt8(ascii: "{"))
        try body(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes `[…]`; `body` writes the elements.
    public mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
        separate()
        bytes.append(UInt8(ascii: "["))
        try body(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes `"name":`; the caller writes the value next. `name` must not contain characters that need escaping.
    public mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes `"name":`, escaping `name` as necessary.
    public mutating func dynamicKey(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a string value, escaped according to RFC 8259 §7.
    public mutating func string(_ value: some StringProtocol) {
        separate()
        quoted { $0.escape(value) }
    }

    /// Writes the concatenation of several strings as one value, without joining them first.
    public mutating func string(_ pieces: String...) {
        separate()
        quoted { writer in for piece in pieces { writer.escape(piece) } }
    }

    /// Writes an integer.
    public mutating func int(_ value: Int) { int(Int64(value)) }

    /// Writes an integer.
    public mutating func int(_ value: Int64) {
        separate()
        bytes.append(digitsOf: value)
    }

    /// Writes an id as the Mastodon API represents it: a string of digits.
    public mutating func id(_ value: Int64) {
        separate()
        quoted { $0.bytes.append(digitsOf: value) }
    }

    /// Writes a time in ISO 8601 format with milliseconds, in UTC.
    /// - Parameter milliseconds: Since 1970, UTC.
    public mutating func time(_ milliseconds: Int64) {
        separate()
        quoted { ISO8601.append(milliseconds, to: &$0.bytes) }
    }

    /// Writes the date of a time in ISO 8601 format, in UTC.
    /// - Parameter milliseconds: Since 1970, UTC.
    public mutating func day(_ milliseconds: Int64) {
        separate()
        quoted { ISO8601.appendDay(milliseconds, to: &$0.bytes) }
    }

    /// Writes `base` + `path` + `name` + `query` as one string, followed by `/` and an id if there is one: the address of
    /// an entity, of which every status contains a dozen.
    /// - Parameters:
    ///   - base: Must not contain characters that need escaping, nor must `path` and `query`.
    public mutating func address(
        _ base: String, _ path: StaticString, _ name: String, query: String = "", id: Int64? = nil
    ) {
        separate()
        quoted {
            $0.bytes.append(contentsOf: base.utf8)
            $0.append(path)
            $0.escape(name)
            $0.bytes.append(contentsOf: query.utf8)
            guard let id else { return }
            $0.bytes.append(UInt8(ascii: "/"))
            $0.bytes.append(digitsOf: id)
        }
    }

    /// Writes a number with three decimal places; for example, 1500 as `1.500`.
    public mutating func decimal(thousandths value: Int64) {
        separate()
        let (whole, rest) = (value.magnitude / 1000, String(value.magnitude % 1000))
        let zeros = String(repeating: "0", count: 3 - rest.utf8.count)
        bytes.append(contentsOf: ((value < 0 ? "-" : "") + "\(whole)." + zeros + rest).utf8)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
    }

    /// Writes a value that is encoded already.
    /// - Parameters:
    ///   - gaps: Positions at which fields are inserted, as ``gap()`` records them.
    ///   - insert: Writes the fields of a gap, given its index.
    public mutating func encoded(
        _ value: [UInt8], gaps: [Int] = [], insert: (inout JSONWriter, _ gap: Int) -> Void = { _, _ in }
    ) {
        separate()
        var start = 0
        for (index, gap) in gaps.enumerated() {
            bytes += value[start..<gap]
            insert(&self, index)
            start = gap
        }
        bytes += value[start...]
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        append("null")
    }

    /// Writes stored HTML as a string and replaces each `"~/` by `"` + `base` + `/`.
    ///
    /// `"~/` marks a URL on this server; text entered by users cannot contain it, because quotes are escaped.
    public mutating func html(_ value: String, base: String) {
        separate()
        quoted { writer in
            var value = value
            value.withUTF8 { writer.escape($0, base: base) }
        }
    }
}

extension JSONWriter {
    private static let comma = UInt8(ascii: ",")

    /// Writes a comma unless the next value is the first in its container or follows a key.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): return
        default: bytes.append(Self.comma)
        }
    }

    private mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    private mutating func quoted(_ body: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: "\""))
        body(&self)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ value: some StringProtocol) {
        let fast: Void? = value.utf8.withContiguousStorageIfAvailable { escape($0, base: nil) }
        if fast == nil { Array(value.utf8).withUnsafeBufferPointer { escape($0, base: nil) } }
    }

    /// Copies runs of bytes that need no escaping and escapes the bytes between them.
    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>, base: String?) {
        var plain = 0
        for (index, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<index]))
            plain = index + 1
            escape(byte)
            if let base, byte == 0x22, Self.isMark(text, after: index) {
                escape(base)
                plain = index + 2
            }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain...]))
    }

    private static func isMark(_ text: UnsafeBufferPointer<UInt8>, after index: Int) -> Bool {
        index + 2 < text.count && text[index + 1] == UInt8(ascii: "~") && text[index + 2] == UInt8(ascii: "/")
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(0x5C)
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Self.hex[Int(byte >> 4)])
            bytes.append(Self.hex[Int(byte & 15)])
        }
    }

    private static let hex = Array("0123456789abcdef".utf8)
}

extension StringProtocol {
    /// Whether the text consists of one or more ASCII digits. (`Int` alone would also accept a sign.)
    package var isDigits: Bool { !isEmpty && utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
}

extension [UInt8] {
    /// Appends a number in decimal, without creating a string.
    /// - Parameter width: The minimum number of digits; zeros precede shorter numbers.
    mutating func append(digitsOf value: Int64, width: Int = 1) {
        if value < 0 { append(UInt8(ascii: "-")) }
        // The magnitude of any integer has at most 19 digits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var (start, rest) = (20, value.magnitude)
            while rest > 0 || (20 - start < width && start > 0) {
                start -= 1
                digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }
}
