/// Writes XML 1.0 in UTF-8. What it writes is well-formed, whatever the texts contain: characters that XML has no way
/// to express, or that only control a terminal, are left out.
struct XMLWriter {
    typealias Attributes = KeyValuePairs<StaticString, String?>

    private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8)

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Writes an element without content. Attributes without a value are left out.
    mutating func empty(_ name: StaticString, _ attributes: Attributes) {
        open(name, attributes)
        append("/>\n")
    }

    /// Writes an element with a text; nothing for `nil`.
    mutating func text(_ name: StaticString, _ text: String?, _ attributes: Attributes = [:]) {
        guard let text else { return }
        open(name, attributes)
        append(">")
        escape(text)
        close(name)
    }

    /// Writes an element with other elements.
    mutating func element(
        _ name: StaticString, _ attributes: Attributes = [:], _ body: (inout XMLWriter) -> Void
    ) {
        open(name, attributes)
        append(">\n")
        body(&self)
        close(name)
    }

    private mutating func open(_ name: StaticString, _ attributes: Attributes) {
        append("<")
        append(name)
        for (name, value) in attributes {
            guard let value else { continue }
            append(" ")
            append(name)
            append("=\"")
            escape(value)
            append("\"")
        }
    }

    private mutating func close(_ name: StaticString) {
        append("</")
        append(name)
        append(">\n")
    }

    private mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    /// Copies runs of bytes that need no change. `>` is escaped because of `]]>`.
    private mutating func escape(_ text: String) {
        var text = text
        text.withUTF8 { text in
            var (plain, index) = (0, 0)
            while index < text.count {
                guard let (length, entity) = Self.replacement(text, at: index) else {
                    index += 1
                    continue
                }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<index]))
                append(entity)
                index += length
                plain = index
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain...]))
        }
    }

    /// The number of bytes to replace at an index, and by what; `nil` for an ordinary byte. Line breaks and tabs are
    /// references, which are the same in attributes.
    private static func replacement(
        _ text: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (length: Int, entity: StaticString)? {
        switch text[index] {
        case UInt8(ascii: "&"): (1, "&amp;")
        case UInt8(ascii: "<"): (1, "&lt;")
        case UInt8(ascii: ">"): (1, "&gt;")
        case UInt8(ascii: "\""): (1, "&quot;")
        case 0x09: (1, "&#9;")
        case 0x0A: (1, "&#10;")
        case 0x00..<0x20, 0x7F: (1, "")
        // U+0080…U+009F
        case 0xC2 where index + 1 < text.count && text[index + 1] < 0xA0: (2, "")
        // U+FFFE and U+FFFF
        case 0xEF where index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE: (3, "")
        default: nil
        }
    }
}
