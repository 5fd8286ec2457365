import FeedCore

/// An avatar or a header that an account has set, and the queries of its addresses. They change with the picture, so that
/// everybody may keep what an address has given.
struct PictureVersions: Sendable, Equatable {
    let image: BlobHash
    /// `image` unless that is animated.
    let still: BlobHash

    /// - Returns: `nil` if no picture is set.
    init?(_ image: BlobHash?, still: BlobHash?) {
        guard let image else { return nil }
        self.image = image
        self.still = still ?? image
    }

    var query: String { "?v=" + Self.version(image) }

    /// The query of the still image: ``query`` unless the picture is animated.
    var stillQuery: String { still == image ? query : "?static=" + Self.version(still) }

    /// What an address gives, whose version may be missing or outdated.
    /// - Returns: The blob, and whether the address will never give another one.
    func requested(_ query: InputValues) -> (hash: BlobHash, isFinal: Bool) {
        if let version = query["static"] { return (still, version == Self.version(still)) }
        return (image, query["v"] == Self.version(image))
    }

    private static func version(_ hash: BlobHash) -> String { String(Substring(hash.description.utf8.prefix(8))) }
}

extension Account {
    var avatarVersions: PictureVersions? { PictureVersions(avatar, still: avatarStatic) }
    var headerVersions: PictureVersions? { PictureVersions(header, still: headerStatic) }

    /// The path and query of the avatar.
    var avatarPath: String { "/avatars/" + username + (avatarVersions?.query ?? "") }
}
