/// Writes JSON straight into bytes, for the answers that are asked for often.
///
/// ```swift
/// var json = JSONWriter()
/// json.object {
///     $0.field("id", "42")
///     $0.array("tags") { $0.string("bikes") }
/// }
/// ```
/// Keys come out in the order of the calls. A comma is placed by looking at the last byte,
/// so there is no state beside the bytes. The caller balances objects and arrays by closures.
public struct JSONWriter: Sendable {
    /// What has been written so far, UTF-8.
    public private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: Bytes to reserve.
    public init(capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

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

    /// Writes `"name":`; the value must follow. `name` must need no escaping.
    public mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes `"name":` for any name, escaped.
    public mutating func dynamicKey(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a string value, escaped as RFC 8259 §7 asks.
    public mutating func string(_ value: some StringProtocol) {
        separate()
        quoted { $0.escape(value) }
    }

    /// Writes a string made of several pieces, without joining them first.
    public mutating func string(_ pieces: String...) {
        separate()
        quoted { writer in for piece in pieces { writer.escape(piece) } }
    }

    /// Writes an integer.
    public mutating func int(_ value: some BinaryInteger) {
        separate()
        bytes.append(contentsOf: value.description.utf8)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes HTML as a string; each `"~/` in it (our mark for an address on this server, which escaped
    /// text from people cannot contain) becomes `"` + `base` + `/`.
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

    /// A comma is due unless a value is the first of its container or follows its key.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): return
        default: bytes.append(Self.comma)
        }
    }

    private mutating func quoted(_ body: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: "\""))
        body(&self)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ value: some StringProtocol) {
        let fast: Void? = value.utf8.withContiguousStorageIfAvailable { escape($0, base: nil) }
        if fast == nil { Array(value.utf8).withUnsafeBufferPointer { escape($0, base: nil) } }
    }

    /// Copies runs of plain bytes at once and escapes what stands between them.
    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>, base: String?) {
        var plain = 0
        for (index, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            bytes.append(contentsOf: text[plain..<index])
            plain = index + 1
            escape(byte)
            if let base, byte == 0x22, Self.isMark(text, after: index) {
                escape(base)
                plain = index + 2
            }
        }
        bytes.append(contentsOf: text[plain...])
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
