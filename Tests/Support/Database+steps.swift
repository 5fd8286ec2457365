package import GRDB
import GRDBSQLite

extension Database {
    /// The SQLite virtual machine steps of `body`: its cost, independent of the machine's load.
    package func steps(_ body: () throws -> Void) throws -> Int {
        let counter = StepCounter()
        sqlite3_progress_handler(
            sqliteConnection, 1,
            { context in
                context.map { Unmanaged<StepCounter>.fromOpaque($0).takeUnretainedValue().count += 1 }
                return 0
            }, Unmanaged.passUnretained(counter).toOpaque())
        defer { sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
        try body()
        return counter.count
    }

    /// The steps of reading all rows of a query.
    package func steps(_ query: SQL) throws -> Int {
        try steps { _ = try SQLRequest<Row>(literal: query).fetchAll(self) }
    }
}

private final class StepCounter { var count = 0 }
