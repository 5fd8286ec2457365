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
