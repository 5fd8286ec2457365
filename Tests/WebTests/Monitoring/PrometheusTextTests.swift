import CoreMetrics
import FeedCore
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The metrics backend and its text format.
@Suite(.hangLimit)
struct PrometheusTextTests {
    @Test func everyMetricHasALineOfEachKind() {
        let registry = MetricRegistry()
        Counter(
            label: MetricName.requests.rawValue, dimensions: [("route", "/a"), ("status", "2xx")], factory: registry
        )
        .increment(by: 3)
        Gauge(label: MetricName.logLag.rawValue, factory: registry).record(1.5)
        Recorder(label: MetricName.commitJobs.rawValue, factory: registry).record(3)
        let text = PrometheusText.text(registry.families())
        #expect(
            text == """
                # HELP feedserver_http_requests_total Requests by route, method and class of status.
                # TYPE feedserver_http_requests_total counter
                feedserver_http_requests_total{route="/a",status="2xx"} 3
                # HELP feedserver_commit_jobs Writes per transaction.
                # TYPE feedserver_commit_jobs histogram
                feedserver_commit_jobs_bucket{le="1"} 0
                feedserver_commit_jobs_bucket{le="2"} 0
                feedserver_commit_jobs_bucket{le="4"} 1
                feedserver_commit_jobs_bucket{le="8"} 1
                feedserver_commit_jobs_bucket{le="16"} 1
                feedserver_commit_jobs_bucket{le="32"} 1
                feedserver_commit_jobs_bucket{le="64"} 1
                feedserver_commit_jobs_bucket{le="128"} 1
                feedserver_commit_jobs_bucket{le="256"} 1
                feedserver_commit_jobs_bucket{le="+Inf"} 1
                feedserver_commit_jobs_sum 3
                feedserver_commit_jobs_count 1
                # HELP feedserver_change_log_lag Known changes to which the server has not reacted yet.
                # TYPE feedserver_change_log_lag gauge
                feedserver_change_log_lag 1.5

                """)
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\"b", "a\\\"b"), ("a\\b", "a\\\\b"), ("a\nb", "a\\nb"), ("\\\"\n", "\\\\\\\"\\n"),
    ])
    func labelsAreEscaped(value: String, text: String) {
        let family = MetricFamily(
            name: .failedLogins, samples: [MetricSample(labels: [.init(name: "reason", value: value)], value: 1)])
        #expect(PrometheusText.text([family]).hasSuffix("feedserver_failed_logins_total{reason=\"\(text)\"} 1\n"))
    }

    @Test(arguments: [
        (0.0, "0"), (-0.5, "-0.5"), (1e15, "1000000000000000"), (0.0005, "0.0005"), (1e300, "1e+300"),
        (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (2.5, "2.5"),
    ])
    func numbersAreReadable(value: Double, text: String) { #expect(PrometheusText.number(value) == text) }

    /// A value that equals a bound belongs to its bucket, and no value is lost.
    @Test func bucketsIncludeTheirBounds() {
        let cell = HistogramCell(bounds: [1, 2])
        for value in [-1, 0, 1, 1.5, 2, 2.5, .infinity] { cell.record(value) }
        #expect(cell.snapshot.counts == [3, 2, 2])
        let timer = HistogramCell(bounds: [0.001])
        timer.recordNanoseconds(1_000_000)
        timer.recordNanoseconds(1_000_001)
        timer.recordNanoseconds(.max)
        #expect(timer.snapshot.counts == [1, 2])
    }

    @Test func bucketsOfEveryHistogramAscend() {
        for name in MetricName.allCases {
            #expect(!name.help.isEmpty && !name.help.contains("\n"), "\(name)")
            guard case .histogram(let bounds) = name.kind else { continue }
            #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count, "\(name)")
        }
        for name in MetricName.allCases where name.kind == .counter { #expect(name.rawValue.hasSuffix("_total")) }
    }

    @Test func sameLabelsShareASeriesAndUnknownMetricsAreIgnored() {
        let registry = MetricRegistry()
        for _ in 0..<3 {
            Counter(label: MetricName.failedLogins.rawValue, dimensions: [("reason", "x")], factory: registry)
                .increment()
            Counter(label: "unknown", factory: registry).increment()
            // Another kind than the metric's.
            CoreMetrics.Timer(label: MetricName.failedLogins.rawValue, factory: registry).recordNanoseconds(1)
            Gauge(label: MetricName.failedLogins.rawValue, factory: registry).record(1)
            Meter(label: MetricName.connections.rawValue, factory: registry).increment()
        }
        Meter(label: MetricName.connections.rawValue, factory: registry).decrement()
        #expect(registry.value(of: .failedLogins) == 3 && registry.value(of: .connections) == 2)
        #expect(registry.families().map(\.name) == [.connections, .failedLogins])
    }

    @Test func concurrentIncrementsAreNotLost() async {
        let registry = MetricRegistry()
        let metrics = RequestMetrics(factory: registry)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        metrics.series(route: "/a", method: .get, status: 200).record(nanoseconds: 1000)
                    }
                }
            }
        }
        #expect(registry.value(of: .requests) == 8000)
        let durations = registry.families().first { $0.name == .requestDuration }?.samples.last
        #expect(durations?.suffix == "_count" && durations?.value == 8000)
    }

    @Test(arguments: [
        ("/api/v1/timelines/home", RouteGroup.timelines), ("/api/v1/timelines/tag/{tag}", .timelines),
        ("/api/v1/accounts/{id}/statuses", .timelines), ("/api/v1/accounts/{id}", .api),
        ("/api/v1/statuses", .statuses), ("/api/v1/statuses/{id}/context", .statuses), ("/api/v2/search", .api),
        ("/api/v1/changes", .other),
        ("/oauth/token", .login), ("/files/{name}", .files), ("/avatars/{name}", .files),
        ("/ViewStatus.aspx", .classic), ("/", .pages), ("/@{name}", .pages), ("/health", .other), ("/metrics", .other),
        ("/nodeinfo/2.0", .other),
    ])
    func routesHaveAGroup(route: String, group: RouteGroup) { #expect(RouteGroup(route: route) == group) }

    @Test func unmatchedRequestsHaveAGroup() { #expect(RouteGroup(route: nil) == .other) }
}
