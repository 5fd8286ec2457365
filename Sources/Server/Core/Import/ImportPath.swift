/// The path of a file that a line of an import names. It cannot lead out of the folder of the import file.
package struct ImportPath: Sendable, Equatable, CustomStringConvertible {
    /// The maximum lengths of a path and of a name in it, in bytes.
    private static let maximumBytes = 1024
    private static let maximumNameBytes = 255

    /// The names of the folders, and of the file.
    package let names: [String]

    package var description: String { names.joined(separator: "/") }

    /// - Parameter text: Names separated by `/`.
    /// - Throws: ``FeedError`` `.malformed` for anything but plain names: an absolute path, `.`, `..`, an empty name.
    package init(_ text: String) throws(FeedError) {
        guard text.utf8.count <= Self.maximumBytes else {
            throw .malformed("the path of a file is longer than \(Self.maximumBytes) bytes")
        }
        names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        guard names.allSatisfy(Self.isPlain) else {
            throw .malformed(
                "\"\(text.prefix(80))\" is not the path of a file below the folder of the import file")
        }
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= maximumNameBytes && !name.utf8.contains(0)
    }
}
