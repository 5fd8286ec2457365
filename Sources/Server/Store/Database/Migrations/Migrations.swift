import GRDB

/// The way from any older schema to the newest one. Forward only; a migration that was released never changes.
enum Migrations {
    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1", migrate: firstSchema)
        migrator.registerMigration("2", migrate: loginSchema)
        migrator.registerMigration("3", migrate: socialSchema)
        migrator.registerMigration("4", foreignKeyChecks: .immediate, migrate: countSchema)
        migrator.registerMigration("5", migrate: conversationSchema)
        migrator.registerMigration("6", foreignKeyChecks: .immediate, migrate: programSchema)
        migrator.registerMigration("7", migrate: fileSeriesSchema)
        migrator.registerMigration("8", foreignKeyChecks: .immediate, migrate: timelineSchema)
        migrator.registerMigration("9", migrate: replacedBlobSchema)
        return migrator
    }

    static func isDue(on pool: DatabasePool) throws -> Bool {
        try pool.read { try !migrator.hasCompletedMigrations($0) }
    }

    /// - Parameter last: Stop there, for tests of older folders.
    /// - Returns: Whether there was something to do.
    @discardableResult
    static func run(on pool: DatabasePool, upTo last: String? = nil) throws -> Bool {
        guard try isDue(on: pool) else { return false }
        if let last { try migrator.migrate(pool, upTo: last) } else { try migrator.migrate(pool) }
        return true
    }

    /// Whether the file holds migrations this program does not know.
    static func isFromTheFuture(_ db: Database) throws -> Bool { try migrator.hasBeenSuperseded(db) }
}
