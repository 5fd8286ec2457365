extension ImportRecord {
    /// A file that is attached to a status.
    package struct Media: Decodable, Sendable, Equatable {
        /// The path of the file, relative to the folder of the import file.
        package var file: String
        package var description: String?
        /// The point that stays visible when the image is cropped: x and y, from -1 to 1.
        package var focus: [Double]?

        package init(file: String) { self.file = file }

        /// The path, and the properties that the line states.
        /// - Throws: ``FeedError`` `.malformed` for an invalid path or focus, `.invalid` for a long description.
        package func draft(_ limits: MediaLimits) throws(FeedError) -> (ImportPath, MediaDraft) {
            var draft = MediaDraft()
            draft.description = description
            try draft.check(limits)
            if let focus {
                guard focus.count == 2, focus.allSatisfy({ (-1...1).contains($0) }) else {
                    throw .malformed("the focus of \"\(file.prefix(80))\" must be two numbers from -1 to 1")
                }
                draft.focus = MediaFocus(x: focus[0], y: focus[1])
            }
            return (try ImportPath(file), draft)
        }
    }
}
