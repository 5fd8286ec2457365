extension FeedDatabase {
    /// A table and its primary key, in whose order it is read.
    package struct Table: Sendable {
        package let name: String
        let key: [String]
    }

    /// All tables with data of the feed. Each table follows the tables that it references.
    package static let tables = [
        Table(name: "meta", key: ["key"]),
        Table(name: "sequence", key: ["one"]),
        Table(name: "staged_import", key: ["id"]),
        Table(name: "account", key: ["id"]),
        Table(name: "account_name", key: ["ending", "account_id"]),
        Table(name: "account_removal", key: ["account_id"]),
        Table(name: "sign_up", key: ["account_id"]),
        Table(name: "invitation", key: ["code"]),
        Table(name: "follow", key: ["follower_id", "followee_id"]),
        Table(name: "follow_request", key: ["follower_id", "followee_id"]),
        Table(name: "block", key: ["account_id", "target_id"]),
        Table(name: "mute", key: ["account_id", "target_id"]),
        Table(name: "endorsement", key: ["account_id", "target_id"]),
        Table(name: "account_note", key: ["account_id", "target_id"]),
        Table(name: "status", key: ["id"]),
        Table(name: "media", key: ["id"]),
        Table(name: "status_edit", key: ["status_id", "number"]),
        Table(name: "status_tag", key: ["status_id", "tag"]),
        Table(name: "mention", key: ["account_id", "status_id"]),
        Table(name: "favourite", key: ["account_id", "status_id"]),
        Table(name: "bookmark", key: ["account_id", "status_id"]),
        Table(name: "pin", key: ["account_id", "status_id"]),
        Table(name: "conversation_mute", key: ["account_id", "conversation_id"]),
        Table(name: "custom_filter", key: ["id"]),
        Table(name: "filter_keyword", key: ["id"]),
        Table(name: "filter_status", key: ["id"]),
        Table(name: "idempotency", key: ["account_id", "key"]),
        Table(name: "notification", key: ["id"]),
        Table(name: "marker", key: ["account_id", "timeline"]),
        Table(name: "report", key: ["id"]),
        Table(name: "application", key: ["id"]),
        Table(name: "token", key: ["id"]),
        Table(name: "refresh_token", key: ["hash"]),
        Table(name: "authorization_code", key: ["hash"]),
        Table(name: "login_failure", key: ["key"]),
        Table(name: "known_network", key: ["account_id", "network"]),
        Table(name: "file", key: ["name"]),
        Table(name: "replaced_blob", key: ["id"]),
        Table(name: "change", key: ["sequence"]),
    ]
}
