import FeedAPI
import FeedCore

extension JSONWriter {
    /// Writes a Tag entity.
    /// - Parameters:
    ///   - tag: The key of the hashtag.
    ///   - history: The days on which it was used; `nil` if it was not read.
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

extension JSONWriter {
    /// Writes a FeaturedTag entity.
    mutating func featured(_ tag: FeaturedTag, _ entities: EntityContext) {
        object {
            $0.field("id", id: tag.id)
            $0.field("name", tag.name)
            $0.key("url")
            $0.string(entities.base, "/tags/", Hashtag.key(tag.name).percentEncodedSegment)
            // A string in Mastodon, too.
            $0.field("statuses_count", String(tag.statusesCount))
            $0.field("last_status_at", day: tag.lastStatusAt)
        }
    }
}
