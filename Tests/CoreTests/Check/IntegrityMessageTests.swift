import FeedCore
import TestKit
import Testing

/// Messages of SQLite 3.40 and 3.46.
@Suite(.hangLimit)
struct IntegrityMessageTests {
    @Test(arguments: [
        "row 3001 missing from index status_account", "wrong # of entries in index status_account",
        "row 7 values differ from index status_account",
        "rowid not at end-of-record for row 12 of index status_account",
    ])
    func damagedIndexIsNamed(message: String) {
        #expect(IntegrityMessage(message) == .index("status_account"))
    }

    @Test(arguments: [
        "non-unique entry in index status_account", "Tree 7 page 12 cell 3: Rowid 5 out of order",
        "Page 9: never used", "NULL value in status.text", "row x missing from index a", "", "TEXT value in status.id",
    ])
    func otherDamageIsNotRepairable(message: String) { #expect(IntegrityMessage(message) == .other(message)) }
}
