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

/// Sanitizes file names sent by clients.
package enum UploadedName {
    /// The last path segment without control characters, leading dots and surrounding whitespace; `file` if nothing
    /// remains.
    package static func safe(_ raw: String) -> String {
        var name = FileName.lastSegment(raw).unicodeScalars.filter { !isControl($0) }[...]
        while let first = name.first, first == "." || first.properties.isWhitespace { name.removeFirst() }
        while let last = name.last, last.properties.isWhitespace { name.removeLast() }
        return name.isEmpty ? "file" : String(String.UnicodeScalarView(name))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }
}

/// Alternative names for a file whose name is taken: `name-2.ext`, `name-3.ext` and so on.
package struct FileNameSeries: Sendable, Equatable {
    /// The largest number in a name; beyond it, names are random.
    package static let maximumNumber: Int64 = 999_999_999
    private static let maximumExtensionBytes = 32
    /// Room for a hyphen and the digits of ``maximumNumber``, or the same number of random characters.
    private static let suffixBytes = 10

    private let stem: Substring
    /// The extension, including the dot.
    private let fileExtension: Substring

    /// - Parameter name: A name returned by ``FileName/normalize(_:)``.
    package init(_ name: String) {
        var dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        // A longer suffix is part of the name.
        if name[dot...].utf8.count > Self.maximumExtensionBytes { dot = name.endIndex }
        fileExtension = name[dot...]
        // Truncates independently of the number, so that all names of a series share one key.
        var stem = name[..<dot]
        let room = FileName.maximumBytes - fileExtension.utf8.count - Self.suffixBytes
        while stem.utf8.count > room, !stem.isEmpty { stem.removeLast() }
        self.stem = stem
    }

    /// The key under which the last number of the series is stored.
    package var key: String { String(stem + fileExtension) }

    /// The name with the given number, at most 255 bytes long.
    package func name(_ number: Int64) -> String { name(suffix: String(number)) }

    /// The name with an unpredictable suffix.
    package func randomName(using random: inout some RandomNumberGenerator) -> String {
        let letters = Array("abcdefghjkmnpqrstvwxyz23456789")
        return name(suffix: String((1..<Self.suffixBytes).map { _ in letters.randomElement(using: &random) ?? "x" }))
    }

    private func name(suffix: String) -> String { stem + "-" + suffix + fileExtension }
}
