import FeedCore

/// Fills the tables of conversations and of the use of hashtags for existing statuses, on both engines. What has to be
/// sorted or grouped is left to the engine, which needs a bounded amount of memory for it.
enum DiscoveryFill {
    static let statements = [authors, mentioned, conversations, tagDays]

    private static let published = "s.import_id NOT IN (SELECT id FROM staged_import)"

    private static let authors = """
        INSERT INTO conversation_status (account_id, conversation_id, status_id)
        SELECT s.account_id, coalesce(s.conversation_id, s.id), s.id FROM status s
        WHERE s.visibility = 3 AND s.boost_of_id IS NULL AND \(published)
        """

    private static let mentioned = """
        INSERT INTO conversation_status (account_id, conversation_id, status_id)
        SELECT m.account_id, coalesce(s.conversation_id, s.id), s.id FROM mention m JOIN status s ON s.id = m.status_id
        WHERE m.visibility = 3 AND \(published)
        ON CONFLICT DO NOTHING
        """

    /// Existing conversations count as read.
    private static let conversations = """
        INSERT INTO conversation (account_id, conversation_id, id, last_status_id)
        SELECT account_id, conversation_id, min(status_id), max(status_id) FROM conversation_status
        GROUP BY account_id, conversation_id
        """

    private static let tagDays = """
        INSERT INTO tag_day (tag, day, uses, accounts)
        SELECT t.tag, (t.status_id >> 16) / \(TagUse.milliseconds), count(*), count(DISTINCT t.account_id)
        FROM status_tag t JOIN status s ON s.id = t.status_id
        WHERE t.visibility = 0 AND \(published)
        AND t.status_id >= (SELECT coalesce(max(id), 0) FROM status) - \(TagUse.firstID(of: TagHistory.days + 1))
        GROUP BY t.tag, (t.status_id >> 16) / \(TagUse.milliseconds)
        """
}
