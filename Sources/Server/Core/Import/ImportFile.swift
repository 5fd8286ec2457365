/// A file that a staged record of an import names.
package struct ImportFile: Sendable, Equatable {
    /// The place where the file is shown.
    package enum Place: Sendable, Equatable {
        case avatar, header
        /// An attachment of the status with this id.
        case status(Int64)
    }

    package var path: ImportPath
    package var place: Place
    /// The owner.
    package var account: Int64
    /// The line that names the file, from 1.
    package var line: Int
    package var draft: MediaDraft

    package init(_ path: ImportPath, _ place: Place, of account: Int64, line: Int, draft: MediaDraft = MediaDraft()) {
        self.path = path
        self.place = place
        self.account = account
        self.line = line
        self.draft = draft
    }
}

/// A file of an import, ready to be stored.
package struct ImportedFile: Sendable {
    package var file: ImportFile
    package var processed: ProcessedMedia
    /// The published blobs to which a row will refer: of an avatar or a header, the picture, and its
    /// still image unless that is the same.
    package var blobs: [Blob]

    /// - Parameter file: With the thumbnail, if the file is attached to a status.
    package init(_ file: ImportFile, _ processed: ProcessedMedia, blobs: [Blob]) {
        self.file = file
        self.processed = processed
        self.blobs = blobs
    }
}

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
