import GRDB

extension Migrations {
    /// Stores the series of numbered file names, so that the next free number takes one index seek.
    static func fileSeriesSchema(_ db: GRDB.Database) throws { try db.execute(sql: fileSeries) }

    private static let fileSeries = """
        -- Set only if the server chose the name because the requested one was taken.
        ALTER TABLE file ADD COLUMN series TEXT;
        ALTER TABLE file ADD COLUMN number INTEGER;
        CREATE INDEX file_series ON file (series, number) WHERE series IS NOT NULL;
        """
}
