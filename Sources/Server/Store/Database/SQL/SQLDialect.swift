/// SQL that differs between the engines.
enum SQLDialect {
    /// The query that returns a bound list of ids in one column, in the dialect of SQLite.
    static let list = "SELECT value FROM json_each(?)"
}
