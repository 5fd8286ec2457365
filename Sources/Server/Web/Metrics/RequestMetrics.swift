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

    private struct Metrics: Sendable {
        let count: Counter
        let duration: CoreMetrics.Timer
    }

    /// Other methods share a label, because clients can invent any number of them.
    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    private let factory: any MetricsFactory
    private let known = Mutex<[Key: Metrics]>([:])

    package init(factory: any MetricsFactory) { self.factory = factory }

    /// - Parameter route: The pattern of the route; `nil` if none matches. Never the path: paths are unlimited in number.
    func record(route: String?, method: HTTPRequest.Method, status: Int, nanoseconds: Int64) {
        let key = Key(
            route: route == "NotFound" ? nil : route, method: Self.methods.contains(method) ? method : nil,
            statusClass: min(max(status / 100, 1), 5))
        let metrics = known.withLock { known in
            if let metrics = known[key] { return metrics }
            let metrics = make(key)
            known[key] = metrics
            return metrics
        }
        metrics.count.increment()
        metrics.duration.recordNanoseconds(nanoseconds)
    }

    private func make(_ key: Key) -> Metrics {
        Metrics(
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
