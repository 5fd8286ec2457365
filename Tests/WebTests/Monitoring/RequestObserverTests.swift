import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import Synchronization
import TestKit
import Testing

@testable import FeedWeb

/// Request ids, the access log and the metrics of the server.
@Suite(.hangLimit)
struct RequestObserverTests {
    private final class Lines: Sendable {
        private let list = Mutex<[String]>([])

        var all: [String] { list.withLock { $0 } }
        func add(_ line: String) { list.withLock { $0.append(line) } }
    }

    /// Runs `body` with a server whose clients come through a trusted proxy if `isProxied`.
    private static func served(
        isProxied: Bool = false,
        _ body: @escaping @Sendable (TestServices, Person, Lines, MetricRegistry) async throws -> Void
    ) async throws {
        let test = try TestServices()
        let (lines, registry) = (Lines(), MetricRegistry())
        var services = test.services
        var settings = ReloadableSettings.Values()
        settings.proxies = TrustedProxies(isProxied ? [.unixSocket] : [])
        test.settings.replace(with: settings)
        services.monitoring.accessLog = AccessLog(format: .text, clock: test.store.clock.clock) {
            lines.add($0.text)
        }
        services.monitoring.metrics = MetricsExport(
            registry: registry, access: MetricsAccess([.unixSocket]), sample: {})
        try await body(test, Person(TestClient(services)), lines, registry)
    }

    private static func id(_ response: Person.Response) -> String { response.headers[.requestID] ?? "" }

    @Test func everyResponseHasItsOwnID() async throws {
        try await Self.served { _, person, lines, _ in
            var ids: Set<String> = []
            for path in ["/health", "/nothing", "/api/v1/statuses/1", "/api/v1/timelines/home", "/@nobody"] {
                let id = Self.id(try await person.send(.get, path))
                #expect(RequestID.isValid(id) && id.utf8.count == 13)
                #expect(lines.all.last?.contains(" path=\(path) ") == true)
                #expect(lines.all.last?.contains(" id=\(id) ") == true)
                ids.insert(id)
            }
            #expect(ids.count == 5 && lines.all.count == 5)
        }
    }

    @Test func queryIsLoggedWithoutSecrets() async throws {
        try await Self.served { _, person, lines, _ in
            _ = try await person.send(.get, "/api/v1/timelines/public?limit=2&access_token=S3")
            #expect(
                lines.all.last?.contains(" path=/api/v1/timelines/public query=\"limit=2&access_token=***\" ") == true)
        }
    }

    @Test func idOfAnUntrustedClientIsIgnored() async throws {
        try await Self.served { _, person, lines, _ in
            let response = try await person.send(.get, "/health", headers: [.requestID: "mine"])
            #expect(Self.id(response) != "mine" && !lines.all[0].contains("mine"))
        }
    }

    @Test(arguments: [
        ("7f3a-B_9.x", true), (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
        ("", false), ("a b", false), ("a\"b", false), ("a=b", false), ("é", false), ("a/b", false),
    ])
    func idOfATrustedProxyIsAcceptedIfWellFormed(id: String, isAccepted: Bool) async throws {
        #expect(RequestID.isValid(id) == isAccepted)
        try await Self.served(isProxied: true) { _, person, _, _ in
            let response = try await person.send(.get, "/health", headers: [.requestID: id])
            #expect((Self.id(response) == id) == isAccepted)
        }
    }

    @Test func accountOfTheTokenIsLogged() async throws {
        try await Self.served { test, person, lines, _ in
            let (_, token) = try await test.account("ada")
            _ = try await person.send(.get, "/health", headers: [.authorization: "Bearer " + token])
            _ = try await person.send(.get, "/health", headers: [.authorization: "Bearer wrong"])
            _ = try await person.send(.get, "/health?access_token=secret&password=secret")
            #expect(lines.all.map { $0.contains(" user=ada ") } == [true, false, false])
            #expect(lines.all.allSatisfy { !$0.contains(token) && !$0.contains("secret") && !$0.contains("wrong") })
        }
    }

    @Test func requestsAreCountedByPatternNotByPath() async throws {
        try await Self.served { _, person, _, registry in
            for id in 1...200 { _ = try await person.send(.get, "/api/v1/statuses/\(id)") }
            for id in 1...200 { _ = try await person.send(.get, "/nothing/\(id)") }
            for id in 1...50 {
                _ = try await person.send(try #require(HTTPRequest.Method("M\(id)")), "/api/v1/instance")
            }
            #expect(registry.value(of: .requests) == 450)
            let family = try #require(registry.families().first { $0.name == .requests })
            #expect(family.samples.count == 3, "\(family.samples)")
            let labels = family.samples.map { $0.labels.map(\.value) }
            #expect(labels.contains { $0.first?.hasPrefix("/api/v1/statuses/") == true && $0.last == "4xx" })
            #expect(labels.contains(["unmatched", "GET", "4xx"]))
            #expect(labels.contains { $0.contains("other") })
            #expect(!labels.joined().contains { $0.contains("200") || $0.hasPrefix("M") })
        }
    }

    @Test func metricsAreServedWithoutForwardingFields() async throws {
        try await Self.served { _, person, _, _ in
            _ = try await person.send(.get, "/health")
            let response = try await person.send(.get, "/metrics")
            #expect(response.status == 200)
            #expect(response.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(
                response.text.contains(
                    "feedserver_http_requests_total{route=\"/health\",method=\"GET\",status=\"2xx\"} 1\n"))
            for name in ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "x-forwarded-for"] {
                let field = try #require(HTTPField.Name(name))
                let refused = try await person.send(.get, "/metrics", headers: [field: "1.1 x"])
                #expect(refused.status == 403 && !refused.text.contains("feedserver_http"), "\(name)")
            }
        }
    }

    @Test func metricsAreRefusedToOthers() async throws {
        var services = try TestServices().services
        services.monitoring.metrics = MetricsExport(registry: MetricRegistry(), access: MetricsAccess(), sample: {})
        let client = TestClient(services)
        let response = try await Person(client).send(.get, "/metrics")
        #expect(response.status == 403 && response.text.contains("--metrics-allow"))
    }

    @Test func readinessHasAReason() async throws {
        var services = try TestServices().services
        #expect(try await Self.ready(services).status == 200)
        services.monitoring.readiness = Readiness(clock: WallClock { 0 }) {
            throw FeedError(.diskFull, "The disk is full", hint: "Free some space.")
        }
        let response = try await Self.ready(services)
        #expect(response.status == 503 && response.headers[.retryAfter] == "5")
        #expect(response.object["error"] as? String == "The disk is full")
        #expect(response.object["error_description"] as? String == "Free some space.")
        services.monitoring.readiness = Readiness(clock: WallClock { 0 }) { throw CancellationError() }
        #expect(try await Self.ready(services).object["error"] as? String == "The database is not available")
    }

    private static func ready(_ services: Services) async throws -> Person.Response {
        try await Person(TestClient(services)).send(.get, "/ready")
    }
}
