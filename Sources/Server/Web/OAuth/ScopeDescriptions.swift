import FeedCore

/// Descriptions of scopes for users.
enum ScopeDescriptions {
    /// What the server does not offer yet is left out.
    static func lines(_ scopes: Scopes) -> [String] { scopes.names.filter { $0 != "push" }.map(line) }

    private static let known = [
        "profile": "See your profile and its settings, and nothing else",
        "read": "Read everything your account can see, including direct messages",
        "write": "Post, delete, follow and change your profile on your behalf",
        "follow": "See and change whom you follow, block and mute",
        "offline_access": "Stay logged in",
        "read:search": "Search on your behalf",
        "write:favourites": "Favourite posts on your behalf",
        "write:media": "Upload pictures on your behalf",
        "write:statuses": "Post and delete on your behalf",
        "write:accounts": "Change your profile",
        "write:reports": "Report accounts on your behalf",
        "admin:read": "See all accounts with their email addresses, and all reports, if you are an administrator",
        "admin:write": "Silence, suspend and remove accounts and resolve reports, if you are an administrator",
        "admin:read:accounts": "See all accounts with their email addresses, if you are an administrator",
        "admin:write:accounts": "Silence, suspend and remove accounts, if you are an administrator",
        "admin:read:reports": "See all reports, if you are an administrator",
        "admin:write:reports": "Resolve reports, if you are an administrator",
    ]

    private static func line(_ scope: String) -> String {
        if let text = known[scope] { return text }
        let parts = scope.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1).map(Substring.init)
        guard parts.count == 2 else { return scope }
        switch parts[0] {
        case "read": return "See your \(parts[1])"
        case "write": return "Change your \(parts[1])"
        default: return scope
        }
    }
}
