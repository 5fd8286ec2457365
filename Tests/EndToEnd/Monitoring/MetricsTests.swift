import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `/metrics` of the real server.
@Suite(.hangLimit)
struct MetricsTests {
    /// The values of all samples, by name and labels.
    private static func samples(_ text: String) -> [String: Double] {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            lines.compactMap { line in
                guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                    return nil
                }
                return (String(line[..<space]), value)
            }, uniquingKeysWith: { _, last in last })
    }

    private static func scrape(_ server: ServerProcess) async throws -> [String: Double] {
        let response = try await RawHTTP.send(port: server.port, "GET", "/metrics")
        try #require(response.status == 200, "\(response.text)")
        #expect(response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        return samples(response.text)
    }

    /// A response that ends early, because the file became shorter.
    @Test func abortedResponsesAreCounted() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let size = 32 << 20
        let stored = try await RawHTTP.send(
            port: server.port, "PUT", "/files/large.bin",
            headers: ["Authorization: Bearer " + (try await server.token("ada"))],
            body: Data(repeating: 7, count: size))
        #expect(stored.status == 201)
        let name = "feedserver_aborted_responses_total"
        #expect(try await Self.scrape(server)[name] ?? 0 == 0)
        let reader = try HeldConnections(
            1, port: server.port, sending: KeptConnection.request("GET", "/files/large.bin"), receiveBuffer: 4096)
        try await Wait.until("the response begins") { reader.haveBytes }
        try #require(BlobFile.shorten(in: server.data, size: size))
        try await Wait.until("it is counted") { try await Self.scrape(server)[name] == 1 }
        withExtendedLifetime(reader) {}
    }

    @Test func valuesFollowTheRequests() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let header = "Authorization: Bearer " + (try await server.token("ada"))
        let before = try await Self.scrape(server)
        for number in 0..<3 {
            let posted = try await RawHTTP.send(
                port: server.port, "POST", "/api/v1/statuses", headers: [header],
                body: Data("status=post+\(number)".utf8))
            #expect(posted.status == 200)
        }
        for _ in 0..<2 { _ = try await RawHTTP.send(port: server.port, "GET", "/api/v1/timelines/public") }
        _ = try await RawHTTP.send(port: server.port, "GET", "/no/such/page")
        let after = try await Self.scrape(server)
        func increase(_ name: String) -> Double { (after[name] ?? 0) - (before[name] ?? 0) }
        let requests = "feedserver_http_requests_total"
        #expect(increase(requests + #"{route="/api/v1/statuses",method="POST",status="2xx"}"#) == 3)
        #expect(increase(requests + #"{route="/api/v1/timelines/public",method="GET",status="2xx"}"#) == 2)
        #expect(increase(requests + #"{route="unmatched",method="GET",status="4xx"}"#) == 1)
        let duration = "feedserver_http_request_duration_seconds"
        #expect(increase(duration + #"_count{group="timelines"}"#) == 2)
        #expect(increase(duration + #"_bucket{group="timelines",le="+Inf"}"#) == 2)
        #expect(increase(#"feedserver_cache_requests_total{cache="pages",result="hit"}"#) == 1)
        #expect(increase(#"feedserver_cache_requests_total{cache="pages",result="miss"}"#) == 1)
        #expect(increase("feedserver_commit_jobs_sum") >= 3 && increase("feedserver_commit_sync_seconds_count") >= 1)
        #expect(increase("feedserver_commit_duration_seconds_sum") > 0)
        #expect((after["feedserver_http_connections"] ?? 0) >= 1)
        #expect((after["feedserver_memory_anonymous_bytes"] ?? 0) > 1_000_000)
        #expect((after["process_open_fds"] ?? 0) > 5 && (after["process_max_fds"] ?? 0) > 5)
        #expect(abs((after["process_start_time_seconds"] ?? 0) - Date().timeIntervalSince1970) < 3600)
        #expect(
            after.keys.contains { $0.hasPrefix("feedserver_build_info{version=") && $0.contains("engine=\"sqlite\"") })
        #expect(after["feedserver_password_queue"] == 0 && after["feedserver_commit_queue"] != nil)
        try await Wait.until("the follower has caught up") {
            let now = try await Self.scrape(server)
            return now["feedserver_change_log_lag"] == 0 && (now["feedserver_change_log_position"] ?? 0) >= 3
        }
    }

    @Test func failedLoginsAreCounted() async throws {
        let server = try await ServerProcess.start()
        let label = #"feedserver_failed_logins_total{reason="unknown name"}"#
        #expect(try await Self.scrape(server)[label] == 0)
        _ = try await RawHTTP.send(port: server.port, "GET", "/ViewStatus.aspx?userName=x&password=y")
        #expect(try await Self.scrape(server)[label] == 1)
    }

    @Test(arguments: [[], ["--trusted-proxy", "127.0.0.1", "--metrics-allow", "0.0.0.0/0"]])
    func metricsAreRefusedThroughProxies(arguments: [String]) async throws {
        let server = try await ServerProcess.start(arguments)
        for header in [
            "X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "X-Real-IP: 127.0.0.1", "Via: 1.1 x",
        ] {
            let refused = try await RawHTTP.send(port: server.port, "GET", "/metrics", headers: [header])
            #expect(refused.status == 403 && !refused.text.contains("feedserver_http"), "\(header)")
            #expect(try await RawHTTP.send(port: server.port, "GET", "/metrics").status == 200)
        }
    }

    /// Another address of the machine is not loopback.
    @Test func metricsAreRefusedToOtherAddresses() async throws {
        let listed = try await Tool.run("/bin/sh", ["-c", "hostname -I 2>/dev/null || true"])
        guard let other = listed.text.split(separator: " ").first(where: { $0.contains(".") && !$0.hasPrefix("127.") })
        else { return }
        let address = other.trimmingCharacters(in: .whitespacesAndNewlines)
        func status(_ arguments: String...) async throws -> String {
            let server = try await ServerProcess.start(["--host", "0.0.0.0"] + arguments)
            return try await Tool.run(
                "/usr/bin/curl",
                [
                    "-s", "--noproxy", "*", "-o", "/dev/null", "-w", "%{http_code}",
                    "http://\(address):\(server.port)/metrics",
                ]
            ).text
        }
        #expect(try await status() == "403")
        #expect(try await status("--metrics-allow", "192.0.2.0/24", "--metrics-allow", address + "/32") == "200")
    }

    @Test(.enabled(if: MastodonClient.prometheus.isInstalled, "run scripts/foreign-clients"))
    func prometheusUnderstandsTheFormat() async throws {
        let server = try await ServerProcess.start()
        for path in ["/", "/health", "/nothing", "/api/v1/timelines/public"] {
            _ = try await RawHTTP.send(port: server.port, "GET", path)
        }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Drivers/metrics.py")
        let done = try await MastodonClient.prometheus.drive(script, at: server.address)
        #expect(done.code == 0 && done.text.contains("ok "), "\(done.text) \(done.error)")
    }
}
