/// An OAuth scope of the Mastodon API that an endpoint can require.
package enum Scope: String, Sendable, CaseIterable {
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
    case writeFavourites = "write:favourites"
    case writeFollows = "write:follows"
    case writeMedia = "write:media"
    case writeMutes = "write:mutes"
    case writeNotifications = "write:notifications"
    case writeStatuses = "write:statuses"
}
