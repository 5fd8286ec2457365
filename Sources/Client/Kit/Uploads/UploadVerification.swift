import FeedAPI

/// Compares the sent data with the data that the server reports as stored. Pure.
enum UploadVerification {
    /// The stored file, from the response to an upload.
    /// - Parameter size: The number of bytes that were sent.
    /// - Throws: ``FeedClientError`` `.failed` if nothing was stored, `.integrity` if the sizes differ.
    static func verified(_ stored: Entity.Files, size: Int64) throws(FeedClientError) -> Entity.File {
        guard let file = stored.files.first else {
            throw FeedClientError(.failed, "The server did not store the file")
        }
        guard file.size == size else {
            throw FeedClientError(.integrity, "The server stored \(file.size) of \(size) bytes", hint: "Try again.")
        }
        return file
    }
}
