/// What differs between the engines. Everything else is one set of queries.
enum SQLDialect {
    /// A query of one column, for a bound list of ids (SQLite's form).
    static let list = "SELECT value FROM json_each(?)"
}
