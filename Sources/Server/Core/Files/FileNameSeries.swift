/// The names a file gets when its own is taken: `name-2.ext`, `name-3.ext` …
package struct FileNameSeries: Sendable, Equatable {
    /// The largest number in a name; a series that has come this far goes on with random names.
    package static let maximumNumber: Int64 = 999_999_999
    private static let maximumExtensionBytes = 32
    /// Room for a hyphen and the digits of ``maximumNumber``, or as many random characters.
    private static let suffixBytes = 10

    private let stem: Substring
    /// With its dot.
    private let fileExtension: Substring

    /// - Parameter name: As ``FileName/normalise(_:)`` returns it.
    package init(_ name: String) {
        var dot = name.lastIndex(of: ".") ?? name.endIndex
        // A longer one is not an extension but part of the name.
        if name[dot...].utf8.count > Self.maximumExtensionBytes { dot = name.endIndex }
        fileExtension = name[dot...]
        // The same cut for every number, so that all names of a series share one key.
        var stem = name[..<dot]
        let room = FileName.maximumBytes - fileExtension.utf8.count - Self.suffixBytes
        while stem.utf8.count > room, !stem.isEmpty { stem.removeLast() }
        self.stem = stem
    }

    /// What a series is stored under.
    package var key: String { String(stem + fileExtension) }

    /// The name with a number, at most 255 bytes.
    package func name(_ number: Int64) -> String { name(suffix: String(number)) }

    /// A name that nobody can have foreseen.
    package func randomName(using random: inout some RandomNumberGenerator) -> String {
        let letters = Array("abcdefghjkmnpqrstvwxyz23456789")
        return name(suffix: String((1..<Self.suffixBytes).map { _ in letters.randomElement(using: &random) ?? "x" }))
    }

    private func name(suffix: String) -> String { stem + "-" + suffix + fileExtension }
}
