/// Properties of a media attachment that its owner sets; `nil` leaves a property unchanged.
package struct MediaDraft: Sendable, Equatable {
    /// Plain text; an empty text removes the description.
    package var description: String?
    package var focus: MediaFocus?
    package var thumbnail: StoredMedia.Thumbnail?

    package init() {}

    /// - Throws: ``FeedError`` `.invalid` if the description is too long.
    package func check(_ limits: MediaLimits) throws(FeedError) {
        guard let description else { return }
        // A single character can have any number of bytes.
        guard description.count <= limits.descriptionCharacters,
            description.utf8.count <= 8 * limits.descriptionCharacters
        else {
            throw .invalid("Description is longer than \(limits.descriptionCharacters) characters")
        }
    }

    /// The description without white space around it, as Mastodon stores it.
    package var trimmedDescription: String? {
        guard let description, let last = description.lastIndex(where: { !$0.isWhitespace }) else {
            return description == nil ? nil : ""
        }
        return String(description[...last].drop(while: \.isWhitespace))
    }

    /// Copies the properties that are set.
    package func apply(to media: inout StoredMedia) {
        if let text = trimmedDescription { media.description = text.isEmpty ? nil : text }
        media.focus = focus ?? media.focus
        media.thumbnail = thumbnail ?? media.thumbnail
    }
}
