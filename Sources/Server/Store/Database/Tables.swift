extension FeedDatabase {
    /// Every table that holds data of the feed; a table comes after those it refers to.
    package static let tables = [
        "meta", "sequence", "staged_import", "account", "follow", "follow_request", "block", "mute", "status",
        "status_edit", "status_tag", "mention", "favourite", "bookmark", "pin", "conversation_mute", "idempotency",
        "notification", "marker", "account_name", "application", "token", "refresh_token", "authorization_code", "file",
        "replaced_blob", "change",
    ]
}
