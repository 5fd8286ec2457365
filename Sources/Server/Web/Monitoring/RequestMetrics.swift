package import CoreMetrics
import FeedCore
import HTTPTypes
import Synchronization

/// Counts requests by route, method and class of status, and measures their time by group of routes.
package final class RequestMetrics: Sendable {
    private struct Key: Hashable {
        let route: String?
        let method: HTTPRequest.Method?
        let statusClass: Int
    }

    /// The metrics of the requests with one route, method and class of status.
    struct Series: Sendable {
        fileprivate let count: Counter
        fileprivate let duration: CoreMetrics.Timer

        func record(nanoseconds: Int64) {
            count.increment()
            duration.recordNanoseconds(nanoseconds)
        }
    }

    /// Other methods share a label, because clients can invent any number of them.
    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    private let factory: any MetricsFactory
    private let seriesByKey = Mutex<[Key: Series]>([:])

    package init(factory: any MetricsFactory) { self.factory = factory }

    /// - Parameter route: The pattern of the route; `nil` if none matches. Never the path: paths are unlimited in number.
    func series(route: String?, method: HTTPRequest.Method, status: Int) -> Series {
        let key = Key(
            route: route, method: Self.methods.contains(method) ? method : nil,
            statusClass: min(max(status / 100, 1), 5))
        return seriesByKey.withLock { seriesByKey in
            if let series = seriesByKey[key] { return series }
            let series = make(key)
            seriesByKey[key] = series
            return series
        }
    }

    private func make(_ key: Key) -> Series {
        Series(
            count: Counter(
                label: MetricName.requests.rawValue,
                dimensions: [
                    ("route", key.route ?? "unmatched"), ("method", key.method?.rawValue ?? "other"),
                    ("status", "\(key.statusClass)xx"),
                ], factory: factory),
            duration: CoreMetrics.Timer(
                label: MetricName.requestDuration.rawValue,
                dimensions: [("group", RouteGroup(route: key.route).rawValue)], factory: factory))
    }
}

/// Groups of routes whose requests take about equally long.
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
        case nil where route == nil, "health", "ready", "metrics", "nodeinfo", ".well-known": self = .other
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
