import GRDB

extension Migrations {
    /// Recounts according to ``Visibility``: direct statuses are not counted, and replies are counted only if everyone
    /// may see them. Rows of an unfinished import are counted when the import is published.
    static func countSchema(_ db: GRDB.Database) throws { try db.execute(sql: recount) }

    private static let recount = """
        UPDATE account SET
            statuses_count = (
                SELECT count(*) FROM status s WHERE s.account_id = account.id AND s.visibility < 3
                AND s.import_id NOT IN (SELECT id FROM staged_import)),
            last_status_at = (
                SELECT max(s.created_at) FROM status s
                WHERE s.account_id = account.id AND s.visibility < 3 AND s.boost_of_id IS NULL
                AND s.import_id NOT IN (SELECT id FROM staged_import));

        UPDATE status SET replies_count = (
            SELECT count(*) FROM status s WHERE s.in_reply_to_id = status.id AND s.visibility <= 1
            AND s.import_id NOT IN (SELECT id FROM staged_import))
        WHERE replies_count > 0;
        """
}
