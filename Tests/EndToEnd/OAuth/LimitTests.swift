import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Limits and open registration as configured by the operator.
@Suite(.hangLimit)
struct LimitTests {
    private static func register(_ server: ServerProcess) async throws -> RawHTTP.Response {
        let form = ["Content-Type: application/x-www-form-urlencoded"]
        func post(_ path: String, _ fields: [String: String], _ headers: [String] = []) async throws -> RawHTTP.Response
        {
            try await RawHTTP.send(
                port: server.port, "POST", path, headers: form + headers, body: Data(HTMLForm.encoded(fields).utf8))
        }
        func object(_ response: RawHTTP.Response) -> [String: Any] {
            (try? JSONSerialization.jsonObject(with: response.body)) as? [String: Any] ?? [:]
        }
        let app = object(try await post("/api/v1/apps", ["client_name": "x", "scopes": "write:accounts"]))
        let token = object(
            try await post(
                "/oauth/token",
                [
                    "grant_type": "client_credentials", "client_id": app["client_id"] as? String ?? "",
                    "client_secret": app["client_secret"] as? String ?? "", "scope": "write:accounts",
                ]))
        return try await post(
            "/api/v1/accounts",
            ["username": "grace", "email": "g@x", "password": "hunter2hunter2", "agreement": "true"],
            ["Authorization: Bearer \(token["access_token"] as? String ?? "")"])
    }

    @Test func requestsAreLimitedUnlessDisabled() async throws {
        let server = try await ServerProcess.start(["--rate-limit", "3"], enforcesRateLimits: true)
        func ask() async throws -> RawHTTP.Response {
            try await RawHTTP.send(port: server.port, "GET", "/api/v1/instance")
        }
        var responses = [try await ask()]
        // More than four requests succeed if the window ends in between.
        while responses.count < 20, responses.last?.status != 429 { responses.append(try await ask()) }
        let refused = try #require(responses.last)
        #expect(refused.headers["x-ratelimit-limit"] == "3" && refused.headers["x-ratelimit-remaining"] == "0")
        #expect(refused.headers["x-ratelimit-reset"]?.hasSuffix("Z") == true && refused.headers["retry-after"] != nil)
        #expect(responses[0].headers["x-ratelimit-remaining"] == "2")
        let together = responses.filter { $0.headers["x-ratelimit-reset"] == refused.headers["x-ratelimit-reset"] }
        #expect(together.map(\.status) == [200, 200, 200, 429])
        #expect(try await RawHTTP.send(port: server.port, "GET", "/").status == 200)

        let free = try await ServerProcess.start(["--rate-limit", "3"])
        for _ in 0..<5 {
            let response = try await RawHTTP.send(port: free.port, "GET", "/api/v1/instance")
            #expect(response.status == 200 && !response.headers.keys.contains { $0.hasPrefix("x-ratelimit") })
        }
    }

    @Test func registrationIsClosedByDefault() async throws {
        #expect(try await Self.register(try await ServerProcess.start()).status == 403)
        for (arguments, environment) in [
            (["--open-registration"], [:]), ([], ["FEEDSERVER_OPEN_REGISTRATION": "true"]),
        ] as [([String], [String: String])] {
            let server = try await ServerProcess.start(arguments, environment: environment)
            let made = try await Self.register(server)
            #expect(made.status == 200 && made.text.contains("\"scope\":\"write:accounts\""))
            #expect(try await server.admin("account", "show", "grace").code == 0)
            try await server.stop()
            #expect(!server.log.contains("hunter2hunter2"))
        }
    }

    @Test func invalidLimitIsAUsageError() async throws {
        for value in ["0", "-1", "x"] {
            let done = try await Tool.run(Programs.feedserver, ["serve", "--rate-limit", value])
            #expect(done.code == 64, "\(value)")
        }
    }
}
