import TestKit
import Testing

@testable import FeedStore

/// The names of columns in messages about damaged values, and the lists of columns of entities.
@Suite(.hangLimit)
struct ResultColumnTests {
    @Test(arguments: [
        (0, "SELECT last FROM sequence", "sequence.last"),
        (1, "SELECT a.id, b.name FROM one a CROSS JOIN two b ON b.id = a.id", "two.name"),
        (1, "SELECT id, (SELECT max(x) FROM other), size FROM file", "file.(SELECT max(x) FROM other)"),
        (2, "SELECT id, (SELECT max(x) FROM other), size FROM file", "file.size"),
        (0, "WITH c(id) AS MATERIALIZED (SELECT z FROM y) SELECT s.id FROM c\nJOIN status AS s ON 1 = 1", "status.id"),
        (0, "SELECT d.id FROM (SELECT id FROM x) d", "d.id"),
        (0, "SELECT DISTINCT account_id AS who FROM poll_vote", "poll_vote.account_id"),
        (1, "DELETE FROM token WHERE id IN (SELECT 1) RETURNING id, account_id", "token.account_id"),
        (0, "UPDATE sequence SET last = 1 RETURNING last", "sequence.last"),
        (1, "SELECT ', FROM x', name FROM y", "y.name"),
        (7, "SELECT id FROM y", "y.column 7"),
        (0, "PRAGMA quick_check", "column 0"),
    ])
    func columnsAreNamedAfterTheStatement(index: Int, statement: String, name: String) {
        #expect("\(ResultColumn(index, of: statement))" == name)
    }

    private enum Example: Int, EntityColumn { case id, noteHTML, inReplyToAccountID }

    @Test func casesAreNamedAfterColumns() {
        #expect(Example.list(of: "s") == "s.id, s.note_html, s.in_reply_to_account_id")
    }
}
