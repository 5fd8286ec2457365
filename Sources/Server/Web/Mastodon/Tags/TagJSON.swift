import FeedAPI
import FeedCore

extension JSONWriter {
    /// Writes a Tag entity.
    /// - Parameter more: Writes what depends on the viewer.
    mutating func tag(
        _ history: TagHistory, _ entities: EntityContext, _ more: (inout JSONWriter) -> Void = { _ in }
    ) {
        object {
            $0.field("name", history.tag)
            $0.key("url")
            $0.string(entities.base, "/tags/", history.tag.percentEncodedSegment)
            $0.array("history") { for use in history.uses { $0.use(use) } }
            more(&$0)
        }
    }

    /// Writes a day of a history. As in Mastodon, the numbers are strings.
    private mutating func use(_ use: TagUse) {
        object {
            $0.field("day", String(use.day * TagUse.milliseconds / 1000))
            $0.field("uses", String(use.uses))
            $0.field("accounts", String(use.accounts))
        }
    }

    /// Writes a FeaturedTag entity.
    mutating func featured(_ tag: FeaturedTag, _ entities: EntityContext) {
        object {
            $0.field("id", id: tag.id)
            $0.field("name", tag.name)
            $0.key("url")
            $0.string(entities.base, "/tags/", tag.name.lowercased().percentEncodedSegment)
            // A string in Mastodon, too.
            $0.field("statuses_count", String(tag.statusesCount))
            $0.field("last_status_at", day: tag.lastStatusAt)
        }
    }
}
