/// The columns of an entity, in the order in which queries return them: the list for `SELECT` and what decodes the row
/// are the same cases. A case has the name of its column: `createdAt` stands for `created_at`.
protocol EntityColumn: CaseIterable, RawRepresentable<Int> {}

extension EntityColumn {
    /// The list for `SELECT`, which costs more to form than most queries: callers keep it.
    /// - Parameter alias: The name of the table in the query.
    static func list(of alias: String) -> String {
        allCases.map { "\(alias).\($0.name)" }.joined(separator: ", ")
    }

    /// The name of the column, in which an underscore precedes every word.
    var name: String {
        var (name, isCapital) = ("", true)
        for scalar in "\(self)".unicodeScalars {
            if scalar.properties.isUppercase, !isCapital { name += "_" }
            isCapital = scalar.properties.isUppercase
            name += scalar.properties.lowercaseMapping
        }
        return name
    }
}

/// The columns of one entity in a row, which may contain others.
struct EntityRow<Column: EntityColumn> {
    private let row: Row
    private let first: Int

    /// - Parameter first: The index of the entity's first column.
    init(_ row: Row, _ columns: Column.Type, from first: Int = 0) { (self.row, self.first) = (row, first) }

    /// The value of a column.
    /// - Throws: As ``Row/subscript(_:)``.
    subscript<Value: SQLReadable>(_ column: Column) -> Value {
        get throws { try row[first + column.rawValue] }
    }
}
