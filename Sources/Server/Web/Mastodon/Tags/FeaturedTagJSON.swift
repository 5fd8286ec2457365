import FeedAPI
import FeedCore

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
