import GRDB

extension Migrations {
    /// Stores the series of a numbered file name, so that finding its next number is one index seek.
    static func fileSeriesSchema(_ db: Database) throws { try db.execute(sql: fileSeries) }

    private static let fileSeries = """
        -- Set only if the server chose the name because the requested one was taken.
        ALTER TABLE file ADD COLUMN series TEXT;
        ALTER TABLE file ADD COLUMN number INTEGER;
        CREATE INDEX file_series ON file (series, number) WHERE series IS NOT NULL;
        """
}
