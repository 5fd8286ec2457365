import GRDB

extension Migrations {
    /// Adds still images of avatars and headers.
    static func stillPictureSchema(_ db: GRDB.Database) throws { try db.execute(sql: stillPictures) }

    private static let stillPictures = """
        -- The picture itself unless it is animated. NULL until the server has found out whether it is.
        ALTER TABLE account ADD COLUMN avatar_static TEXT;
        ALTER TABLE account ADD COLUMN header_static TEXT;
        CREATE INDEX account_avatar_static ON account (avatar_static) WHERE avatar_static IS NOT NULL;
        CREATE INDEX account_header_static ON account (header_static) WHERE header_static IS NOT NULL;
        -- For AccountStore.withoutStill, which is why the conditions are the same.
        CREATE INDEX account_without_still ON account (id)
            WHERE (avatar IS NOT NULL AND avatar_static IS NULL) OR (header IS NOT NULL AND header_static IS NULL);
        """
}
