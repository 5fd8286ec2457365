/// Usernames that visitors cannot choose, because they suggest an office or belong to a service. The operator can.
package enum ReservedUsername {
    /// Includes the mailbox names of RFC 2142.
    private static let reserved: Set<String> = [
        "abuse", "account", "accounts", "admin", "administrator", "admins", "all", "anonymous", "api", "auth",
        "billing", "contact", "everyone", "feed", "feedclient", "feedserver", "ftp", "guest", "help", "helpdesk",
        "here", "host", "hostmaster", "info", "instance", "legal", "mail", "mailerdaemon", "marketing", "me", "mod",
        "moderation", "moderator", "moderators", "mods", "news", "noc", "nobody", "noreply", "notifications", "null",
        "oauth", "official", "operator", "operators", "owner", "postmaster", "privacy", "root", "sales", "security",
        "server", "service", "staff", "status", "superuser", "support", "sysadmin", "sysop", "system", "team",
        "undefined", "usenet", "uucp", "webmaster", "www",
    ]
    private static let reservedSkeletons = Set(reserved.map(skeleton))

    /// Whether a name equals a reserved or a blocked one, or looks like it.
    /// - Parameter blocked: The names that the operator has blocked.
    package static func contains(_ name: String, blocked: Set<String>) -> Bool {
        let key = skeleton(name)
        return reservedSkeletons.contains(key) || blocked.contains { skeleton($0) == key }
    }

    /// A form in which names that look alike are equal: `Adm1n`, `_ADMIN_` and `adrnin` have that of `admin`. Usernames
    /// are ASCII, so the confusable characters of other scripts cannot occur (Unicode Technical Standard #39).
    static func skeleton(_ name: String) -> String {
        let merged = name.lowercased().replacing("rn", with: "m").replacing("vv", with: "w")
        return String(merged.compactMap(representative))
    }

    private static func representative(_ character: Character) -> Character? {
        switch character {
        case "_": nil
        case "0": "o"
        case "1", "i": "l"
        case "5": "s"
        default: character
        }
    }
}
