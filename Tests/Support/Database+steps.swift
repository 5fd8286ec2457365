package import FeedStore
import GRDB
import GRDBSQLite

/// The maximum cost of a page.
package enum PageCost {
    /// In SQLite virtual machine steps. The dearest pages take less than 22,500; the rest is for the plans and operation
    /// codes of other versions of SQLite. A page whose cost depends on the size of the feed takes many times as much.
    package static let bound = 23_000
}

extension FeedStore.Database {
    /// The number of SQLite virtual machine steps that `body` takes: a measure of its cost that does not depend on the
    /// load of the machine.
    package func steps(_ body: () throws -> Void) throws -> Int {
        guard let sqlite = (connection as? FeedStore.SQLiteConnection)?.db.sqliteConnection else { return 0 }
        let counter = StepCounter()
        sqlite3_progress_handler(
            sqlite, 1,
            { context in
                context.map { Unmanaged<StepCounter>.fromOpaque($0).takeUnretainedValue().count += 1 }
                return 0
            }, Unmanaged.passUnretained(counter).toOpaque())
        defer { sqlite3_progress_handler(sqlite, 0, nil, nil) }
        try body()
        return counter.count
    }

    /// The same for reading all rows of a query.
    package func steps(_ query: FeedStore.SQL) throws -> Int {
        try steps { _ = try fetchAll(query) }
    }
}

private final class StepCounter { var count = 0 }
