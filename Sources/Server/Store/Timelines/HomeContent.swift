/// What an account's home timeline contains, which decides how it is read.
struct HomeContent: Sendable {
    let account: Int64
    /// The number of accounts and hashtags that the account follows.
    var follows = 0
    var hasTags = false
    /// Whether the members of some lists are left out.
    var hasExclusiveLists = false

    /// The home timeline of an account with neither lists nor followed hashtags.
    init(account: Int64) { self.account = account }

    /// Reads the content from the database.
    init(of account: Int64, in db: Database) throws {
        self.init(account: account)
        let statement = try db.cachedStatement(
            sql: """
                SELECT a.following_count, (SELECT count(*) FROM tag_follow t WHERE t.account_id = a.id),
                EXISTS (SELECT 1 FROM list l WHERE l.account_id = a.id AND l.exclusive = 1)
                FROM account a WHERE a.id = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [account]) else { return }
        let (accounts, tags) = (row[0] as Int, row[1] as Int)
        // A stored count may be wrong.
        let (sum, overflows) = accounts.addingReportingOverflow(tags)
        (follows, hasTags, hasExclusiveLists) = (overflows ? .max : sum, tags > 0, row[2])
    }
}
