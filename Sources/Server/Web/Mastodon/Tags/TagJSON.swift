import FeedAPI
import FeedCore

extension JSONWriter {
    /// Writes a Tag entity.
    /// - Parameters:
    ///   - tag: The key of the hashtag.
    ///   - history: How often it was used; `nil` if it was not read.
    ///   - isFollowed: Whether the viewer follows it; `nil` without a viewer.
    mutating func tag(_ tag: String, _ history: TagHistory?, isFollowed: Bool?, _ entities: EntityContext) {
        object {
            // Hashtags have no number of their own.
            $0.field("id", tag)
            $0.field("name", history?.name ?? tag)
            $0.key("url")
            $0.string(entities.base, "/tags/", tag.percentEncodedSegment)
            $0.array("history") { json in
                for use in history?.uses ?? [] { json.tagUse(use) }
            }
            if let isFollowed { $0.field("following", isFollowed) }
        }
    }

    /// Writes the use of a hashtag on one day. As in Mastodon, the numbers are strings; the day is in seconds since 1970.
    private mutating func tagUse(_ use: TagUse) {
        object {
            $0.field("day", String(use.day * (TagUse.milliseconds / 1000)))
            $0.field("uses", String(use.uses))
            $0.field("accounts", String(use.accounts))
        }
    }
}
