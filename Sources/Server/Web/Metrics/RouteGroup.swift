/// Groups of routes whose requests take about equally long. Pure.
enum RouteGroup: String, CaseIterable, Sendable {
    case timelines, statuses, api, login, files, classic, pages, other

    /// - Parameter route: The pattern of a route, such as `/api/v1/statuses/{id}`; `nil` if none matches.
    init(route: String?) {
        let parts = (route ?? "").utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
        switch parts.first {
        case "api": self = Self.api(parts.dropFirst(2).first, parts.last)
        case "oauth": self = .login
        case "files", "uploads", "media", "avatars", "headers", "emoji": self = .files
        case .some(let name) where name.hasSuffix(".aspx"): self = .classic
        case nil where route == nil, "health", "ready", "metrics", "nodeinfo", ".well-known", "NotFound": self = .other
        default: self = .pages
        }
    }

    private static func api(_ concept: Substring?, _ last: Substring?) -> RouteGroup {
        switch (concept, last) {
        case ("timelines", _), ("accounts", "statuses"), ("favourites", _), ("bookmarks", _): .timelines
        case ("statuses", _): .statuses
        // Requests that wait for changes would distort the times of the others.
        case ("changes", _): .other
        default: .api
        }
    }
}
