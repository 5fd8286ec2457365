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
