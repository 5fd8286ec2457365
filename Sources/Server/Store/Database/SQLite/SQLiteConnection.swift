package import Foundation
package import GRDB

/// A connection from GRDB's pool.
package struct SQLiteConnection: WriterConnection {
    package let db: GRDB.Database

    package var changesCount: Int { db.changesCount }
    var isInsideTransaction: Bool { db.isInsideTransaction }

    package func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row] {
        let statement = try isReused ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
        let arguments = StatementArguments(values.map(\.databaseValue))
        guard statement.columnCount > 0 else {
            try statement.execute(arguments: arguments)
            return []
        }
        return try GRDB.Row.fetchAll(statement, arguments: arguments).map { Row(source: $0) }
    }

    package func columns(of table: String) throws -> [String] {
        try db.columns(in: table).map(\.name).sorted()
    }

    /// Does nothing, because SQLite always continues after the largest key.
    package func restartIdentities() throws {}

    func inTransaction(isRepeatable: Bool, _ body: () throws -> Void) throws {
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

extension GRDB.Row: RowSource {
    package func isNull(_ column: Int) -> Bool { hasNull(atIndex: column) }
    package func integer(_ column: Int) -> Int64 { self[column] as Int64? ?? 0 }
    package func text(_ column: Int) -> String { self[column] as String? ?? "" }
    package func bytes(_ column: Int) -> Data { self[column] as Data? ?? Data() }

    package func value(_ column: Int) -> SQLValue {
        switch (self[column] as DatabaseValue).storage {
        case .null: .null
        case .int64(let value): .integer(value)
        case .double(let value): .integer(Int64(value))
        case .string(let value): .text(value)
        case .blob(let value): .bytes(value)
        }
    }
}
