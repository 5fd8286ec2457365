import Foundation

/// The rule for names of stored files: one path segment, NFC, at most 255 bytes,
/// no control character, no leading dot.
package enum FileName {
    package static let maximumBytes = 255

    /// Brings a name into the one form it is stored under.
    /// - Throws: ``FeedError`` `.malformed` for anything that is no single, plain path segment.
    package static func normalise(_ raw: String) throws(FeedError) -> String {
        let name = raw.precomposedStringWithCanonicalMapping
        guard !name.isEmpty, name.utf8.count <= maximumBytes, name.unicodeScalars.first != ".",
            name.unicodeScalars.allSatisfy(isPlain)
        else {
            throw .malformed(
                "This is no valid file name",
                hint: "Use one path segment of at most 255 bytes, without control characters or a leading dot.")
        }
        return name
    }

    /// The last path segment of a name some program sent, which may hold a whole path of any system.
    package static func lastSegment(_ raw: String) -> String {
        // By scalars: a combining mark after a slash must not hide it.
        raw.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map { String($0) } ?? ""
    }

    /// Separators, controls and the marks that turn text around would let a name look like another one.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x2F, 0x5C, 0x7F..<0xA0: false
        case 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE...0xFFFF: false
        default: true
        }
    }
}
