import GRDB

/// Migrates any older schema to the newest one, forward only. A released migration never changes.
enum SQLiteMigrations {
    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1", migrate: firstSchema)
        migrator.registerMigration("2", migrate: loginSchema)
        migrator.registerMigration("3", migrate: socialSchema)
        migrator.registerMigration("4", foreignKeyChecks: .immediate, migrate: countSchema)
        migrator.registerMigration("5", migrate: conversationSchema)
        migrator.registerMigration("6", foreignKeyChecks: .immediate, migrate: applicationSchema)
        migrator.registerMigration("7", migrate: fileSeriesSchema)
        migrator.registerMigration("8", foreignKeyChecks: .immediate, migrate: timelineSchema)
        migrator.registerMigration("9", migrate: replacedBlobSchema)
        migrator.registerMigration("10", foreignKeyChecks: .immediate, migrate: portableSchema)
        migrator.registerMigration("11", migrate: loginFailureSchema)
        migrator.registerMigration("12", migrate: moderationSchema)
        migrator.registerMigration("13", migrate: registrationSchema)
        migrator.registerMigration("14", migrate: knownNetworkSchema)
        migrator.registerMigration("15", migrate: relatedStatusSchema)
        migrator.registerMigration("16", foreignKeyChecks: .immediate, migrate: mediaSchema)
        migrator.registerMigration("17", foreignKeyChecks: .immediate, migrate: pollSchema)
        migrator.registerMigration("18", foreignKeyChecks: .immediate, migrate: discoverySchema)
        migrator.registerMigration("19", migrate: listSchema)
        migrator.registerMigration("20", foreignKeyChecks: .immediate, migrate: notificationGroupSchema)
        migrator.registerMigration("21", foreignKeyChecks: .immediate, migrate: scheduledStatusSchema)
        migrator.registerMigration("22", foreignKeyChecks: .immediate, migrate: filterSchema)
        migrator.registerMigration("23", migrate: deletionSchema)
        migrator.registerMigration("24", migrate: stillPictureSchema)
        migrator.registerMigration("25", migrate: followLanguageSchema)
        migrator.registerMigration("26", migrate: keyRenewalSchema)
        migrator.registerMigration("27", foreignKeyChecks: .immediate, migrate: searchSchema)
        migrator.registerMigration("28", migrate: pagePreferenceSchema)
        migrator.registerMigration("29", migrate: passwordResetSchema)
        migrator.registerMigration("30", migrate: pageLanguageSchema)
        migrator.registerMigration("31", foreignKeyChecks: .immediate, migrate: searchNumberSchema)
        migrator.registerMigration("32", foreignKeyChecks: .immediate, migrate: changeLogSchema)
        return migrator
    }

    /// The number of the newest migration.
    static var newest: Int { migrator.migrations.compactMap(Int.init).max() ?? 0 }

    /// Uses the connection that writes, because no reader is open yet.
    static func isDue(on pool: DatabasePool) throws -> Bool { try pool.writeWithoutTransaction(isDue) }

    static func isDue(_ db: GRDB.Database) throws -> Bool { try !migrator.hasCompletedMigrations(db) }

    /// - Parameter last: The last migration to apply, to test older folders.
    /// - Returns: Whether any migration was applied.
    @discardableResult
    static func run(on pool: DatabasePool, upTo last: String? = nil) throws -> Bool {
        guard try isDue(on: pool) else { return false }
        if let last { try migrator.migrate(pool, upTo: last) } else { try migrator.migrate(pool) }
        return true
    }

    /// Whether a newer version has migrated the file.
    static func hasBeenSuperseded(_ db: GRDB.Database) throws -> Bool { try migrator.hasBeenSuperseded(db) }
}

extension SQLiteMigrations {
    /// Replaces indexes by ones whose expressions both engines support.
    static func portableSchema(_ db: GRDB.Database) throws {
        try db.execute(
            sql: """
                DROP INDEX token_program;
                CREATE INDEX token_application_use ON token (coalesce(used_at, created_at)) WHERE account_id IS NULL;
                DROP INDEX notification_once;
                CREATE UNIQUE INDEX notification_once
                    ON notification (account_id, from_id, kind, coalesce(status_id, 0));
                """)
    }
}

extension SQLiteMigrations {
    /// Makes the change log cheaper to append to. The newest row always remains, so that SQLite never assigns a sequence
    /// number again even without AUTOINCREMENT, which updates a table of its own.
    static func changeLogSchema(_ db: GRDB.Database) throws { try db.execute(sql: changeLog) }

    private static let changeLog = """
        ALTER TABLE change RENAME TO old_change;
        CREATE TABLE change (
            sequence INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            subject INTEGER,
            account INTEGER,
            -- The second status that the change concerns.
            related INTEGER,
            at INTEGER NOT NULL,
            tags TEXT NOT NULL DEFAULT '',
            -- The visibility of a deleted status or boost.
            visibility INTEGER,
            -- "id id": the accounts that a deleted status mentioned, unless everyone could see it.
            mentions TEXT NOT NULL DEFAULT ''
        ) STRICT;
        INSERT INTO change (sequence, kind, subject, account, related, at, tags, visibility, mentions)
            SELECT sequence, kind, subject, account, related, at, tags, visibility, mentions FROM old_change
            ORDER BY sequence;
        DROP TABLE old_change;
        """
}
