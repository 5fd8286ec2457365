import Foundation

/// The rules for names of stored files: one path segment in NFC, at most 255 bytes, without control characters or a
/// leading dot.
package enum FileName {
    package static let maximumBytes = 255

    /// Normalizes a name to NFC, the form in which names are stored.
    /// - Throws: ``FeedError`` `.malformed` if the name is not a valid path segment.
    package static func normalize(_ raw: String) throws(FeedError) -> String {
        let name = raw.precomposedStringWithCanonicalMapping
        guard !name.isEmpty, name.utf8.count <= maximumBytes, name.unicodeScalars.first != ".",
            name.unicodeScalars.allSatisfy(isPlain)
        else {
            throw .malformed(
                "Invalid file name",
                hint: "Use one path segment of at most 255 bytes, without control characters or a leading dot.")
        }
        return name
    }

    /// The last segment of a client-supplied name, which may be a full Unix or Windows path.
    package static func lastSegment(_ raw: String) -> String {
        // Split by scalars, because a combining mark after a slash forms a single character with it.
        raw.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map { String($0) } ?? ""
    }

    /// Refuses separators, control characters and bidirectional formatting characters, which can disguise a name.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x2F, 0x5C, 0x7F..<0xA0: false
        case 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE...0xFFFF: false
        default: true
        }
    }
}
