extension PostgresSchema {
    /// Adds lists, followed hashtags, and the hashtags of statuses in the change log.
    static let lists = """
        CREATE TABLE list (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            title TEXT COLLATE "C" NOT NULL,
            replies_policy TEXT COLLATE "C" NOT NULL,
            exclusive BIGINT NOT NULL DEFAULT 0
        );
        CREATE INDEX list_account ON list (account_id, id);
        CREATE TABLE list_member (
            list_id BIGINT NOT NULL REFERENCES list ON DELETE CASCADE,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            owner_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            PRIMARY KEY (list_id, account_id)
        );
        CREATE INDEX list_member_owner ON list_member (owner_id, account_id, list_id);
        CREATE INDEX list_member_account ON list_member (account_id);
        CREATE TABLE tag_follow (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            tag TEXT COLLATE "C" NOT NULL,
            id BIGINT NOT NULL,
            PRIMARY KEY (account_id, tag)
        );
        CREATE INDEX tag_follow_id ON tag_follow (account_id, id);
        ALTER TABLE change ADD COLUMN tags TEXT COLLATE "C" NOT NULL DEFAULT '';
        """
}
