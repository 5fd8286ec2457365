import FeedCore
import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FeedWeb

/// The fields of all responses, also of those to requests whose head violates the rules of HTTP, over a socket.
@Suite(.hangLimit)
struct RefusedHeadTests {
    private final class Lines: Sendable {
        private let list = Mutex<[String]>([])

        var all: [String] { list.withLock { $0 } }
        func add(_ line: String) { list.withLock { $0.append(line) } }
    }

    private struct Row {
        let bytes: String
        let status: Int
        /// The beginning of the log line, after its time.
        let logged: String
    }

    private static let rows = [
        Row(bytes: "GET /a?b HTTP/1.1\r\n\r\n", status: 400, logged: "method=GET path=/a query=b "),
        Row(bytes: "HEAD /a HTTP/1.1\r\n\r\n", status: 400, logged: "method=HEAD path=/a "),
        Row(
            bytes: "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775808\r\n\r\n", status: 413,
            logged: "method=POST path=/a "),
        Row(
            bytes: "GET /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", status: 501,
            logged: "method=GET path=/a "),
        Row(bytes: "GET /a HTTP/1.1\r\nno colon\r\n\r\n", status: 400, logged: "method=\"-\" path=\"-\" "),
    ]

    private static func names(_ response: RawHTTP.Response) -> [String] {
        let head = String(decoding: response.raw.dropLast(response.body.count), as: UTF8.self)
        return head.components(separatedBy: "\r\n").dropFirst().filter { !$0.isEmpty }
            .map { $0.prefix { $0 != ":" }.lowercased() }
    }

    private static func expectCommonFields(_ response: RawHTTP.Response) {
        let names = names(response)
        #expect(Set(names).count == names.count, "\(names)")
        #expect(
            Set(["date", "server", "x-content-type-options", "referrer-policy", "x-request-id"]).isSubset(of: names))
    }

    @Test(arguments: rows.indices) func refusedHeadIsAnsweredAndRecorded(index: Int) async throws {
        let row = Self.rows[index]
        let (test, lines, registry) = (try TestServices(), Lines(), MetricRegistry())
        var services = test.services
        services.monitoring.accessLog = AccessLog(format: .text, clock: test.store.clock.clock) { lines.add($0.text) }
        services.monitoring.metrics = MetricsExport(registry: registry, access: MetricsAccess(), sample: {})
        try await LiveServer.run(ConnectionLimits(), test, services) { server in
            let response = try RawHTTP.parse(try await RawHTTP.exchange(port: server.port, Data(row.bytes.utf8)))
            #expect(response.status == row.status && response.headers["connection"] == "close")
            #expect(response.text.hasPrefix("{\"error\":") != row.bytes.hasPrefix("HEAD"))
            #expect(response.body.isEmpty == row.bytes.hasPrefix("HEAD"))
            Self.expectCommonFields(response)
            let id = response.headers["x-request-id"] ?? ""
            #expect(lines.all.count == 1)
            #expect(lines.all.first?.contains(" request \(row.logged)status=\(row.status) ") == true, "\(lines.all)")
            #expect(lines.all.first?.contains(" id=\(id) ") == true)
            #expect(registry.value(of: .requests) == 1)
        }
    }

    @Test func noFieldOccursTwice() async throws {
        try await LiveServer.run(ConnectionLimits()) { server in
            for path in ["/", "/api/v2/instance", "/api/v1/timelines/home", "/assets/style.css", "/files/nothing"] {
                Self.expectCommonFields(try await server.send(path))
            }
        }
    }
}
