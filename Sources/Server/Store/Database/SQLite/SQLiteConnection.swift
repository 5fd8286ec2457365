import Foundation
package import GRDB
import GRDBSQLite

/// A connection of GRDB.
package struct SQLiteConnection: WriterConnection {
    package let db: GRDB.Database

    package var changesCount: Int { db.changesCount }
    var isInsideTransaction: Bool { db.isInsideTransaction }

    package func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row] {
        let statement = try isReused ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
        // GRDB needs to know of statements that change the schema; those are never reused.
        guard isReused else { return try fetch(statement, values, of: sql) }
        return Row.rows(try SQLiteExecution(statement).run(values), columnCount: statement.columnCount, of: sql)
    }

    private func fetch(_ statement: GRDB.Statement, _ values: [SQLValue], of sql: String) throws -> [Row] {
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
        return Row.rows(results, columnCount: statement.columnCount, of: sql)
    }

    package var fullText: any SearchIndex { SQLiteSearchIndex() }

    package func columns(of table: String) throws -> [String] {
        try db.columns(in: table).map(\.name).sorted()
    }

    package func hasTable(_ name: String) throws -> Bool { try db.tableExists(name) }

    /// Does nothing, because SQLite always continues after the largest key.
    package func restartIdentities() throws {}

    func inTransaction(isRepeatable: () -> Bool, _ body: () throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        do {
            try body()
            try execute("COMMIT")
        } catch {
            // After some errors, SQLite has ended the transaction itself.
            if isInsideTransaction { try? db.rollback() }
            throw error
        }
    }

    func inSavepoint(mayFailLater: Bool, _ body: () throws -> Void) throws {
        try execute("SAVEPOINT job")
        do {
            try body()
            try execute("RELEASE job")
        } catch {
            if isInsideTransaction {
                try? execute("ROLLBACK TO job")
                try? execute("RELEASE job")
            }
            throw error
        }
    }

    /// Begins or ends a transaction or savepoint. GRDB, which has to know of it, would prepare the statement each time.
    private func execute(_ statement: String) throws { try db.cachedStatement(sql: statement).execute() }
}

extension SQLValue {
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .double(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .blob(let bytes): self = .bytes(bytes)
        }
    }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): value.databaseValue
        case .list(let ids): ("[" + ids.map(String.init).joined(separator: ",") + "]").databaseValue
        }
    }
}

/// One execution of a prepared query or change by the functions of SQLite. GRDB prepares statements and manages
/// transactions, but its rows and arguments cost several allocations per value, and a page has more than a thousand.
private struct SQLiteExecution {
    /// Tells SQLite to copy the bytes.
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// The number of rows for which memory is reserved when there is a second one.
    private static let rows = 24

    private let statement: GRDB.Statement
    private let handle: SQLiteStatement
    private let columns: CInt

    init(_ statement: GRDB.Statement) {
        self.statement = statement
        handle = statement.sqliteStatement
        columns = sqlite3_column_count(handle)
    }

    /// - Returns: The values of all rows.
    /// - Throws: `DatabaseError`.
    func run(_ values: [SQLValue]) throws -> [SQLValue] {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        guard sqlite3_bind_parameter_count(handle) == values.count else { throw error(SQLITE_MISUSE) }
        for (index, value) in values.enumerated() { try check(bind(value, CInt(index + 1))) }
        var results: [SQLValue] = []
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW:
                // Most queries have one row, or as many as a page.
                if results.count == columns { results.reserveCapacity(Self.rows * Int(columns)) }
                for column in 0..<columns { results.append(value(column)) }
            case SQLITE_DONE: return results
            case let code: throw error(code)
            }
        }
    }

    private func bind(_ value: SQLValue, _ index: CInt) -> CInt {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .text(let text): bind(text, index)
        case .bytes(let bytes): bind(bytes, index)
        case .list(let ids): bind("[" + ids.map(String.init).joined(separator: ",") + "]", index)
        }
    }

    private func bind(_ text: String, _ index: CInt) -> CInt {
        // Not the length of the C string, which ends at the first U+0000.
        sqlite3_bind_text(handle, index, text, CInt(clamping: text.utf8.count), Self.transient)
    }

    private func bind(_ bytes: Data, _ index: CInt) -> CInt {
        guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
        return bytes.withUnsafeBytes {
            sqlite3_bind_blob(handle, index, $0.baseAddress, CInt(clamping: $0.count), Self.transient)
        }
    }

    private func value(_ column: CInt) -> SQLValue {
        // One access to the column instead of one for each property.
        let value = sqlite3_column_value(handle, column)
        return switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
        case SQLITE_TEXT: .text(String(decoding: Self.bytes(value), as: UTF8.self))
        case SQLITE_BLOB: .bytes(Data(Self.bytes(value)))
        case SQLITE_FLOAT: .real(sqlite3_value_double(value))
        default: .null
        }
    }

    /// The bytes of a blob, or of a text in UTF-8, the encoding of our databases, without the copy that adds a final zero.
    private static func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    private func check(_ code: CInt) throws { if code != SQLITE_OK { throw error(code) } }

    private func error(_ code: CInt) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: code == SQLITE_MISUSE ? nil : String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))),
            sql: statement.sql)
    }
}
