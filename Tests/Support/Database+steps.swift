package import GRDB
import GRDBSQLite

extension Database {
    /// SQLite virtual machine steps that `body` takes: what it costs, whatever else the machine is doing.
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

    /// The same for reading all rows of a query.
    package func steps(_ query: SQL) throws -> Int {
        try steps { _ = try SQLRequest<Row>(literal: query).fetchAll(self) }
    }
}

private final class StepCounter { var count = 0 }
