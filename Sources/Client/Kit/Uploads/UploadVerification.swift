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
        return try verified(file, size: size)
    }

    /// The stored file.
    /// - Throws: ``FeedClientError`` `.integrity` if it does not have the size in bytes that was sent.
    static func verified(_ file: Entity.File, size: Int64) throws(FeedClientError) -> Entity.File {
        guard file.size == size else {
            throw FeedClientError(.integrity, "The server stored \(file.size) of \(size) bytes", hint: "Try again.")
        }
        return file
    }
}
