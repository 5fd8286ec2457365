import Foundation
package import GRDB

/// A connection of GRDB.
package struct SQLiteConnection: WriterConnection {
    package let db: GRDB.Database

    package var changesCount: Int { db.changesCount }
    var isInsideTransaction: Bool { db.isInsideTransaction }

    package func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row] {
        let statement = try isReused ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
        // GRDB needs to know of statements that change the schema; those are never reused.
        guard isReused else { return try fetch(statement, values) }
        return Row.rows(try SQLiteExecution(statement).run(values), columnCount: statement.columnCount)
    }

    private func fetch(_ statement: GRDB.Statement, _ values: [SQLValue]) throws -> [Row] {
        let arguments = StatementArguments(values.map(\.databaseValue))
        guard statement.columnCount > 0 else {
            try statement.execute(arguments: arguments)
            return []
        }
        let (cursor, columns) = (try GRDB.Row.fetchCursor(statement, arguments: arguments), 0..<statement.columnCount)
        var results: [SQLValue] = []
        while let row = try cursor.next() {
            for column in columns { results.append(SQLValue(row[column] as DatabaseValue)) }
        }
        return Row.rows(results, columnCount: statement.columnCount)
    }

    package func columns(of table: String) throws -> [String] {
        try db.columns(in: table).map(\.name).sorted()
    }

    package func hasTable(_ name: String) throws -> Bool { try db.tableExists(name) }

    /// Does nothing, because SQLite always continues after the largest key.
    package func restartIdentities() throws {}

    func inTransaction(isRepeatable: () -> Bool, _ body: () throws -> Void) throws {
        try db.inTransaction(.immediate) {
            try body()
            return .commit
        }
    }

    func inSavepoint(_ body: () throws -> Void) throws {
        try db.inSavepoint {
            try body()
            return .commit
        }
    }
}

extension SQLValue {
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .double(let number): self = .integer(Int64(exactly: number.rounded()) ?? 0)
        case .string(let text): self = .text(text)
        case .blob(let bytes): self = .bytes(bytes)
        }
    }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): value.databaseValue
        case .list(let ids): ("[" + ids.map(String.init).joined(separator: ",") + "]").databaseValue
        }
    }
}
