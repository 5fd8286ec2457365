/// The rules for attaching media to a status.
package enum AttachmentRule {
    /// Checks whether the attachments may belong to a status.
    /// - Parameters:
    ///   - ids: The requested ids, without repetitions.
    ///   - found: The attachments that exist, by id.
    ///   - account: The author.
    ///   - status: The status that is edited; `nil` for a new one.
    ///   - now: Milliseconds since 1970.
    /// - Throws: ``FeedError`` `.invalid`, with the wording of Mastodon.
    package static func check(
        _ ids: [Int64], found: [Int64: StoredMedia], by account: Int64, to status: Int64?, at now: Int64
    ) throws(FeedError) {
        for id in ids {
            guard let media = found[id], media.accountID == account, isFree(media, for: status, at: now) else {
                throw .invalid("Media \(id) not found or already attached to another post")
            }
            guard media.content != nil else {
                throw .invalid(
                    media.hasFailed(at: now)
                        ? "Media \(id) could not be processed"
                        : "Cannot attach files that have not finished processing. Try again in a moment!")
            }
        }
        try check(ids.compactMap { found[$0]?.content?.format.kind })
    }

    /// Checks the kinds of the files of a status: a video or recording must be the only one.
    /// - Throws: ``FeedError`` `.invalid`, with the wording of Mastodon.
    package static func check(_ kinds: [MediaKind]) throws(FeedError) {
        guard kinds.count < 2 || kinds.allSatisfy({ $0 == .image }) else {
            throw .invalid("Cannot attach a video to a post that already contains images")
        }
    }

    /// Checks what needs no stored files.
    /// - Throws: ``FeedError`` `.invalid` for too many files or too long a description.
    package static func check(_ draft: StatusDraft, _ limits: MediaLimits) throws(FeedError) {
        try check(count: draft.mediaIDs.count, limits)
        for change in draft.mediaChanges.values { try change.check(limits) }
    }

    /// - Throws: ``FeedError`` `.invalid` for too many files.
    package static func check(count: Int, _ limits: MediaLimits) throws(FeedError) {
        guard count <= limits.perStatus else { throw .invalid("Cannot attach more than \(limits.perStatus) files") }
    }

    private static func isFree(_ media: StoredMedia, for status: Int64?, at now: Int64) -> Bool {
        if let owner = media.statusID { return owner == status }
        return media.scheduledID == nil && media.expiresAt.map { $0 > now } ?? false
    }
}

/// Requested changes to a media attachment; `nil` leaves a property unchanged.
package struct MediaChanges: Sendable, Equatable {
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
