/// The OAuth scopes of a token, as defined by the Mastodon API.
package struct ScopeSet: Sendable, Equatable {
    /// The top-level scopes.
    package static let known = ["profile", "read", "write", "follow", "push", "admin:read", "admin:write", offline]
    /// The scopes that the metadata lists: apps request `push` of every server, but it permits nothing yet.
    package static let advertised = known.filter { $0 != "push" }
    /// The scopes that a token gets unless others are requested: all except `profile`,
    /// which they include, `offline_access` and the `admin` scopes.
    package static let all = ScopeSet(names: ["read", "write", "follow", "push"])
    /// Requests a refresh token (OpenID Connect Core 1.0 §11).
    private static let offline = "offline_access"
    /// The scopes granted by the deprecated scope `follow`.
    private static let follow = ["blocks", "follows", "mutes"].flatMap { ["read:" + $0, "write:" + $0] }

    package let names: [String]

    package init(names: [String]) { self.names = names }

    /// Parses a space-separated list of scopes (RFC 6749 §3.3).
    /// - Throws: ``FeedError`` `.malformed` if the list is empty or contains an unknown scope.
    package init(parsing text: String) throws(FeedError) {
        var names: [String] = []
        for part in text.utf8.split(separator: UInt8(ascii: " ")).prefix(100) {
            let name = String(Substring(part))
            if !names.contains(name) { names.append(name) }
        }
        let unknown = names.filter { !Self.isKnown($0) }
        guard !names.isEmpty, names.count <= 32, unknown.isEmpty else {
            throw Self.refusal(of: unknown, hint: "Known scopes: " + Self.known.joined(separator: " "))
        }
        self.names = names
    }

    /// The error of Mastodon for requested scopes.
    /// - Parameter names: Those that it is about, if any.
    package static func refusal(of names: [String], hint: String) -> FeedError {
        let list = names.isEmpty ? "" : ": " + names.joined(separator: " ")
        return .malformed("The requested scope is invalid, unknown, or malformed" + list, hint: hint)
    }

    /// Whether these scopes grant `scope`. `read` includes `read:statuses` and so on; `follow` grants parts of `read`
    /// and `write`. A token that may read accounts may read its own profile, too.
    package func allows(_ scope: Scope) -> Bool {
        allows(name: scope.rawValue) || scope == .profile && allows(.readAccounts)
    }

    /// Whether these scopes grant a scope given by name.
    package func allows(name scope: String) -> Bool {
        names.contains(scope) || names.contains { scope.hasPrefix($0 + ":") }
            || names.contains("follow") && Self.follow.contains(scope)
    }

    /// Whether a refresh token is issued along with the access token.
    package var includeOfflineAccess: Bool { names.contains(Self.offline) }

    /// The scopes as a space-separated list.
    package var formatted: String { names.joined(separator: " ") }

    private static func isKnown(_ name: String) -> Bool {
        let isPlain = name.utf8.count < 40 && name.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 || $0 == 58 }
        return known.contains(name) || isPlain && ["read:", "write:", "admin:"].contains { name.hasPrefix($0) }
    }
}

/// An OAuth scope of the Mastodon API that an endpoint can require.
package enum Scope: String, Sendable, CaseIterable {
    /// Only the account of the token itself, without anything it can see.
    case profile
    case read
    case readAccounts = "read:accounts"
    case readBlocks = "read:blocks"
    case readBookmarks = "read:bookmarks"
    case readFavourites = "read:favourites"
    case readFilters = "read:filters"
    case readFollows = "read:follows"
    case readLists = "read:lists"
    case readMutes = "read:mutes"
    case readNotifications = "read:notifications"
    case readSearch = "read:search"
    case readStatuses = "read:statuses"
    case writeAccounts = "write:accounts"
    case writeBlocks = "write:blocks"
    case writeBookmarks = "write:bookmarks"
    case writeConversations = "write:conversations"
    case writeFavourites = "write:favourites"
    case writeFilters = "write:filters"
    case writeFollows = "write:follows"
    case writeLists = "write:lists"
    case writeMedia = "write:media"
    case writeMutes = "write:mutes"
    case writeNotifications = "write:notifications"
    case writeReports = "write:reports"
    case writeStatuses = "write:statuses"
    case adminReadAccounts = "admin:read:accounts"
    case adminReadReports = "admin:read:reports"
    case adminWriteAccounts = "admin:write:accounts"
    case adminWriteReports = "admin:write:reports"
}
