extension PostgresSchema {
    /// The statements that create the tables. The collation "C" compares text byte by byte, as SQLite does.
    static let tables = """
        CREATE TABLE schema_version (version BIGINT NOT NULL);
        -- The last committed batch of each server; see PostgresWriter.
        CREATE TABLE writer (id TEXT COLLATE "C" PRIMARY KEY, batch BIGINT NOT NULL);
        CREATE TABLE meta (key TEXT COLLATE "C" NOT NULL PRIMARY KEY, value TEXT COLLATE "C" NOT NULL);
        CREATE TABLE sequence (one BIGINT PRIMARY KEY CHECK (one = 1), last BIGINT NOT NULL);
        CREATE TABLE staged_import (id BIGINT PRIMARY KEY, started_at BIGINT NOT NULL);
        CREATE TABLE account (
            id BIGINT PRIMARY KEY,
            username TEXT COLLATE "C" NOT NULL,
            username_key TEXT COLLATE "C" NOT NULL UNIQUE,
            display_name TEXT COLLATE "C" NOT NULL DEFAULT '',
            city TEXT COLLATE "C" NOT NULL DEFAULT '',
            email TEXT COLLATE "C" NOT NULL DEFAULT '',
            note TEXT COLLATE "C" NOT NULL DEFAULT '',
            note_html TEXT COLLATE "C" NOT NULL DEFAULT '',
            role TEXT COLLATE "C" NOT NULL DEFAULT 'member' CHECK (role IN ('admin', 'member')),
            password TEXT COLLATE "C",
            avatar TEXT COLLATE "C",
            created_at BIGINT NOT NULL,
            last_status_at BIGINT,
            suspended_at BIGINT,
            statuses_count BIGINT NOT NULL DEFAULT 0,
            followers_count BIGINT NOT NULL DEFAULT 0,
            following_count BIGINT NOT NULL DEFAULT 0,
            import_id BIGINT NOT NULL DEFAULT 0,
            locked BIGINT NOT NULL DEFAULT 0,
            bot BIGINT NOT NULL DEFAULT 0,
            discoverable BIGINT NOT NULL DEFAULT 1,
            fields TEXT COLLATE "C" NOT NULL DEFAULT '[]',
            header TEXT COLLATE "C",
            default_visibility BIGINT NOT NULL DEFAULT 0,
            default_sensitive BIGINT NOT NULL DEFAULT 0,
            default_language TEXT COLLATE "C"
        );
        CREATE TABLE follow (
            follower_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            followee_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            created_at BIGINT NOT NULL,
            import_id BIGINT NOT NULL DEFAULT 0,
            shows_reblogs BIGINT NOT NULL DEFAULT 1,
            notifies BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (follower_id, followee_id)
        );
        CREATE INDEX follow_followee ON follow (followee_id, follower_id);
        CREATE TABLE status (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            created_at BIGINT NOT NULL,
            edited_at BIGINT,
            visibility BIGINT NOT NULL CHECK (visibility BETWEEN 0 AND 3),
            language TEXT COLLATE "C",
            source TEXT COLLATE "C" NOT NULL DEFAULT '',
            text TEXT COLLATE "C" NOT NULL,
            content TEXT COLLATE "C" NOT NULL,
            spoiler_text TEXT COLLATE "C" NOT NULL DEFAULT '',
            sensitive BIGINT NOT NULL DEFAULT 0,
            in_reply_to_id BIGINT REFERENCES status ON DELETE SET NULL,
            in_reply_to_account_id BIGINT,
            boost_of_id BIGINT REFERENCES status ON DELETE CASCADE,
            replies_count BIGINT NOT NULL DEFAULT 0,
            reblogs_count BIGINT NOT NULL DEFAULT 0,
            favourites_count BIGINT NOT NULL DEFAULT 0,
            mentions TEXT COLLATE "C" NOT NULL DEFAULT '',
            tags TEXT COLLATE "C" NOT NULL DEFAULT '',
            import_id BIGINT NOT NULL DEFAULT 0,
            import_key BYTEA,
            conversation_id BIGINT,
            source_website TEXT COLLATE "C"
        );
        CREATE INDEX status_public ON status (id) WHERE visibility = 0 AND boost_of_id IS NULL;
        CREATE INDEX status_account ON status (account_id, id);
        CREATE INDEX status_reply ON status (in_reply_to_id, id) WHERE in_reply_to_id IS NOT NULL;
        CREATE UNIQUE INDEX status_import_key ON status (import_key) WHERE import_key IS NOT NULL;
        CREATE TABLE idempotency (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            key TEXT COLLATE "C" NOT NULL,
            status_id BIGINT NOT NULL REFERENCES status ON DELETE CASCADE,
            created_at BIGINT NOT NULL,
            PRIMARY KEY (account_id, key)
        );
        CREATE INDEX idempotency_status ON idempotency (status_id);
        CREATE TABLE mention (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id BIGINT NOT NULL REFERENCES status ON DELETE CASCADE,
            author_id BIGINT NOT NULL DEFAULT 0,
            visibility BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (account_id, status_id)
        );
        CREATE INDEX mention_status ON mention (status_id);
        CREATE TABLE application (
            id BIGINT PRIMARY KEY,
            client_id TEXT COLLATE "C" NOT NULL UNIQUE,
            secret_hash BYTEA NOT NULL,
            name TEXT COLLATE "C" NOT NULL,
            website TEXT COLLATE "C",
            redirect_uris TEXT COLLATE "C" NOT NULL,
            scopes TEXT COLLATE "C" NOT NULL,
            created_at BIGINT NOT NULL,
            granted BIGINT NOT NULL DEFAULT 0
        );
        CREATE TABLE token (
            id BIGINT PRIMARY KEY,
            hash BYTEA NOT NULL UNIQUE,
            account_id BIGINT REFERENCES account ON DELETE CASCADE,
            application_id BIGINT REFERENCES application ON DELETE CASCADE,
            scopes TEXT COLLATE "C" NOT NULL,
            application TEXT COLLATE "C" NOT NULL DEFAULT '',
            created_at BIGINT NOT NULL,
            code_hash BYTEA,
            used_at BIGINT
        );
        CREATE INDEX token_account ON token (account_id);
        CREATE TABLE file (
            name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            account_id BIGINT REFERENCES account ON DELETE SET NULL,
            blob TEXT COLLATE "C" NOT NULL,
            size BIGINT NOT NULL,
            type TEXT COLLATE "C" NOT NULL,
            modified_at BIGINT NOT NULL,
            series TEXT COLLATE "C",
            number BIGINT
        );
        CREATE INDEX file_account ON file (account_id, name);
        CREATE INDEX file_blob ON file (blob);
        CREATE TABLE change (
            sequence BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            kind TEXT COLLATE "C" NOT NULL,
            subject BIGINT,
            account BIGINT,
            at BIGINT NOT NULL
        );
        CREATE INDEX change_at ON change (at);
        CREATE TABLE authorization_code (
            hash BYTEA NOT NULL PRIMARY KEY,
            application_id BIGINT NOT NULL REFERENCES application ON DELETE CASCADE,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            redirect_uri TEXT COLLATE "C" NOT NULL,
            scopes TEXT COLLATE "C" NOT NULL,
            challenge TEXT COLLATE "C",
            created_at BIGINT NOT NULL,
            used BIGINT NOT NULL DEFAULT 0
        );
        CREATE INDEX authorization_code_created ON authorization_code (created_at);
        CREATE INDEX authorization_code_account ON authorization_code (account_id);
        CREATE INDEX authorization_code_application ON authorization_code (application_id);
        CREATE INDEX token_code ON token (code_hash) WHERE code_hash IS NOT NULL;
        CREATE INDEX token_application ON token (application_id);
        CREATE TABLE refresh_token (
            hash BYTEA NOT NULL PRIMARY KEY,
            token_id BIGINT NOT NULL REFERENCES token ON DELETE CASCADE,
            used BIGINT NOT NULL DEFAULT 0,
            created_at BIGINT NOT NULL
        );
        CREATE INDEX refresh_token_token ON refresh_token (token_id, created_at);
        CREATE INDEX account_email ON account (lower(email)) WHERE email <> '';
        CREATE INDEX account_suspended ON account (id) WHERE suspended_at IS NOT NULL;
        CREATE TABLE follow_request (
            follower_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            followee_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            id BIGINT NOT NULL,
            shows_reblogs BIGINT NOT NULL DEFAULT 1,
            notifies BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (follower_id, followee_id)
        );
        CREATE INDEX follow_request_followee ON follow_request (followee_id, id);
        CREATE TABLE block (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            id BIGINT NOT NULL,
            PRIMARY KEY (account_id, target_id)
        );
        CREATE INDEX block_target ON block (target_id, account_id);
        CREATE TABLE mute (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            target_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            id BIGINT NOT NULL,
            hides_notifications BIGINT NOT NULL DEFAULT 1,
            expires_at BIGINT,
            PRIMARY KEY (account_id, target_id)
        );
        CREATE INDEX mute_target ON mute (target_id);
        CREATE INDEX mute_expires ON mute (expires_at) WHERE expires_at IS NOT NULL;
        CREATE TABLE favourite (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id BIGINT NOT NULL REFERENCES status ON DELETE CASCADE,
            id BIGINT NOT NULL,
            PRIMARY KEY (account_id, status_id)
        );
        CREATE INDEX favourite_account ON favourite (account_id, id, status_id);
        CREATE INDEX favourite_status ON favourite (status_id, account_id);
        CREATE TABLE bookmark (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id BIGINT NOT NULL REFERENCES status ON DELETE CASCADE,
            id BIGINT NOT NULL,
            PRIMARY KEY (account_id, status_id)
        );
        CREATE INDEX bookmark_account ON bookmark (account_id, id, status_id);
        CREATE INDEX bookmark_status ON bookmark (status_id);
        CREATE TABLE pin (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id BIGINT NOT NULL REFERENCES status ON DELETE CASCADE,
            id BIGINT NOT NULL,
            PRIMARY KEY (account_id, status_id)
        );
        CREATE INDEX pin_status ON pin (status_id);
        CREATE TABLE status_edit (
            status_id BIGINT NOT NULL REFERENCES status ON DELETE CASCADE,
            created_at BIGINT NOT NULL,
            number BIGINT NOT NULL,
            text TEXT COLLATE "C" NOT NULL,
            content TEXT COLLATE "C" NOT NULL,
            spoiler_text TEXT COLLATE "C" NOT NULL,
            sensitive BIGINT NOT NULL,
            PRIMARY KEY (status_id, number)
        );
        CREATE TABLE notification (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            kind TEXT COLLATE "C" NOT NULL,
            from_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            status_id BIGINT REFERENCES status ON DELETE CASCADE
        );
        CREATE INDEX notification_account ON notification (account_id, id);
        CREATE UNIQUE INDEX notification_once ON notification (account_id, from_id, kind, coalesce(status_id, 0));
        CREATE INDEX notification_kind ON notification (account_id, kind, id);
        CREATE INDEX notification_from ON notification (from_id, account_id, id);
        CREATE INDEX notification_status ON notification (status_id) WHERE status_id IS NOT NULL;
        CREATE TABLE marker (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            timeline TEXT COLLATE "C" NOT NULL,
            last_read_id BIGINT NOT NULL,
            version BIGINT NOT NULL DEFAULT 0,
            updated_at BIGINT NOT NULL,
            PRIMARY KEY (account_id, timeline)
        );
        CREATE INDEX status_boost ON status (boost_of_id, id) WHERE boost_of_id IS NOT NULL;
        CREATE UNIQUE INDEX status_boosted_once ON status (account_id, boost_of_id) WHERE boost_of_id IS NOT NULL;
        CREATE INDEX status_conversation ON status (conversation_id) WHERE conversation_id IS NOT NULL;
        CREATE TABLE conversation_mute (
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            conversation_id BIGINT NOT NULL,
            status_id BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (account_id, conversation_id)
        );
        CREATE INDEX conversation_mute_conversation ON conversation_mute (conversation_id);
        CREATE INDEX application_unused ON application (created_at) WHERE granted = 0;
        CREATE INDEX token_application_use ON token (coalesce(used_at, created_at)) WHERE account_id IS NULL;
        CREATE INDEX file_series ON file (series, number) WHERE series IS NOT NULL;
        CREATE INDEX status_account_open ON status (account_id, id) WHERE visibility <= 1;
        CREATE INDEX status_account_followers ON status (account_id, id) WHERE visibility = 2;
        CREATE INDEX status_unlisted ON status (id) WHERE visibility = 1 AND boost_of_id IS NULL;
        CREATE INDEX mention_hidden ON mention (account_id, status_id) WHERE visibility >= 2;
        CREATE INDEX mention_hidden_author ON mention (account_id, author_id, status_id) WHERE visibility >= 2;
        CREATE TABLE status_tag (
            status_id BIGINT NOT NULL REFERENCES status ON DELETE CASCADE,
            tag TEXT COLLATE "C" NOT NULL,
            account_id BIGINT NOT NULL,
            visibility BIGINT NOT NULL,
            PRIMARY KEY (status_id, tag)
        );
        CREATE INDEX status_tag_public ON status_tag (tag, status_id) WHERE visibility = 0;
        CREATE INDEX status_tag_account ON status_tag (account_id, tag, status_id);
        CREATE INDEX follow_notifies ON follow (followee_id, follower_id) WHERE notifies = 1;
        CREATE TABLE account_name (
            ending TEXT COLLATE "C" NOT NULL,
            account_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
            PRIMARY KEY (ending, account_id)
        );
        CREATE INDEX account_name_account ON account_name (account_id);
        CREATE TABLE replaced_blob (
            id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            blob TEXT COLLATE "C" NOT NULL,
            account_id BIGINT,
            size BIGINT NOT NULL
        );
        CREATE INDEX replaced_blob_account ON replaced_blob (account_id);
        CREATE INDEX idempotency_created ON idempotency (created_at);
        CREATE INDEX account_avatar ON account (avatar) WHERE avatar IS NOT NULL;
        """
}
