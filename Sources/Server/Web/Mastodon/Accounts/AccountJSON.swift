import FeedAPI
import FeedCore

extension JSONWriter {
    /// Writes an Account entity.
    mutating func account(_ account: Account, _ entities: EntityContext, _ more: (inout JSONWriter) -> Void = { _ in })
    {
        let base = entities.base
        object {
            $0.field("id", id: account.id)
            $0.field("username", account.username)
            $0.field("acct", account.username)
            $0.field("display_name", account.displayName)
            $0.field("locked", account.isLocked)
            $0.field("bot", account.isBot)
            $0.field("discoverable", account.isDiscoverable)
            $0.field("group", false)
            $0.field("indexable", account.privacy.contains(.indexable))
            $0.field("hide_collections", account.privacy.contains(.hidesCollections))
            $0.field("noindex", account.privacy.contains(.noindex))
            $0.field("created_at", time: account.createdAt)
            $0.key("note")
            $0.html(account.noteHTML, base: base)
            $0.key("url")
            $0.address(base, "/@", account.username)
            $0.key("uri")
            $0.address(base, "/@", account.username)
            $0.avatar(of: account, base: base)
            let header = account.headerVersions
            $0.key("header")
            $0.address(base, "/headers/", account.username, query: header?.query ?? "")
            $0.key("header_static")
            $0.address(base, "/headers/", account.username, query: header?.stillQuery ?? "")
            $0.field("followers_count", account.followersCount)
            $0.field("following_count", account.followingCount)
            $0.field("statuses_count", account.statusesCount)
            $0.field("last_status_at", day: account.lastStatusAt)
            $0.emojis(in: account.textsWithEmoji, entities)
            $0.array("roles") { if account.role == .admin { $0.shownRole(account) } }
            $0.array("fields") { for field in account.fields { $0.field(field, value: field.html, base: base) } }
            if account.silencedAt != nil { $0.field("limited", true) }
            more(&$0)
        }
    }

    /// Writes the addresses of an avatar.
    mutating func avatar(of account: Account, base: String) {
        let avatar = account.avatarVersions
        key("avatar")
        address(base, "/avatars/", account.username, query: avatar?.query ?? "")
        key("avatar_static")
        address(base, "/avatars/", account.username, query: avatar?.stillQuery ?? "")
    }

    /// Writes a CredentialAccount entity: an account as its owner sees it.
    /// - Parameter requests: The number of pending follow requests.
    mutating func credentialAccount(_ account: Account, _ entities: EntityContext, requests: Int) {
        self.account(account, entities) {
            $0.object("source") {
                $0.field("privacy", account.defaultVisibility.apiName)
                $0.field("sensitive", account.defaultSensitive)
                $0.field("language", account.defaultLanguage)
                $0.field("note", account.note)
                $0.array("fields") { for field in account.fields { $0.field(field, value: field.value, base: nil) } }
                $0.field("follow_requests_count", requests)
                $0.field("discoverable", account.isDiscoverable)
                $0.field("indexable", account.privacy.contains(.indexable))
                $0.field("hide_collections", account.privacy.contains(.hidesCollections))
                // Links have no cards that could name their author.
                $0.empty("attribution_domains")
            }
            $0.key("role")
            $0.role(account)
        }
    }

    /// Writes a Role entity.
    mutating func role(_ account: Account) {
        object {
            $0.field("id", account.role.apiID)
            $0.field("name", account.role == .admin ? "Admin" : "")
            $0.field("permissions", account.role == .admin ? "1" : "0")
            $0.field("color", "")
            $0.field("highlighted", account.role == .admin)
        }
    }

    /// Writes a role as others see it, without its permissions.
    private mutating func shownRole(_ account: Account) {
        object {
            $0.field("id", account.role.apiID)
            $0.field("name", "Admin")
            $0.field("color", "")
        }
    }

    /// Writes a profile field.
    /// - Parameter base: This server's address, when `value` is HTML.
    private mutating func field(_ field: Account.Field, value: String, base: String?) {
        object {
            $0.field("name", field.name)
            $0.key("value")
            if let base { $0.html(value, base: base) } else { $0.string(value) }
            $0.field("verified_at", nil)
        }
    }
}

extension Account.Role {
    /// The id of the role in the Mastodon API.
    var apiID: String { self == .admin ? "3" : "-99" }
}
