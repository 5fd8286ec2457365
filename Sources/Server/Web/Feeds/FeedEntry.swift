import FeedCore

/// A status in a feed.
struct FeedEntry: Sendable, Equatable {
    /// A status that another one replies to.
    struct Parent: Sendable, Equatable {
        var id: String
        var url: String
    }

    var id: String
    var url: String
    var title: String
    /// The content warning, which readers show instead of the content until it is opened.
    var warning: String?
    /// Complete, safe HTML with absolute addresses.
    var html: String
    var published: Int64
    var updated: Int64
    var author: FeedPage.Author
    var language: String?
    var tags: [String] = []
    var attachments: [FeedAttachment] = []
    var isSensitive = false
    var parent: Parent?
    /// The address of the feed of the replies without the extension of its format.
    var replies: String

    /// The time of the last edit; `nil` for an entry that was never edited.
    var edited: Int64? { updated > published ? updated : nil }
}

/// A file of an entry.
struct FeedAttachment: Sendable, Equatable {
    var url: String
    var type: String
    var kind: MediaKind
    /// The size in bytes.
    var size: Int64
    /// The alternative text.
    var text: String?
    var meta = MediaMeta()
}
