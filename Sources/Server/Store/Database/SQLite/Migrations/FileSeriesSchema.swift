import GRDB

extension Migrations {
    /// The series a numbered file name belongs to, so that its next number is one index seek away.
    static func fileSeriesSchema(_ db: GRDB.Database) throws { try db.execute(sql: fileSeries) }

    private static let fileSeries = """
        -- Set only if the server chose the name because the requested one was taken.
        ALTER TABLE file ADD COLUMN series TEXT;
        ALTER TABLE file ADD COLUMN number INTEGER;
        CREATE INDEX file_series ON file (series, number) WHERE series IS NOT NULL;
        """
}
