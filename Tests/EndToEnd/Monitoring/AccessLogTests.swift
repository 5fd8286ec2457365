import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The logs of the real server.
@Suite(.hangLimit)
struct AccessLogTests {
    private static let form = "Content-Type: application/x-www-form-urlencoded"

    /// The line of the access log with the id of a response, once it is written.
    private static func line(_ server: ServerProcess, of response: RawHTTP.Response) async throws -> String {
        let id = try #require(response.headers["x-request-id"])
        func found() -> Substring? {
            // The last line may not be complete yet.
            server.log.split(separator: "\n", omittingEmptySubsequences: false).dropLast().first { $0.contains(id) }
        }
        try await Wait.until("the request is logged") { found() != nil }
        return String(try #require(found()))
    }

    @Test func textLineHasAllFields() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let token = try await server.token("ada")
        let response = try await RawHTTP.send(
            port: server.port, "GET", "/api/v1/accounts/verify_credentials?access_token=secret",
            headers: ["Authorization: Bearer " + token, "User-Agent: Test \"App\"/1.0 status=500"])
        let line = try await Self.line(server, of: response)
        let id = try #require(response.headers["x-request-id"])
        let words = [
            " info request method=GET path=/api/v1/accounts/verify_credentials query=\"access_token=***\" status=200",
            " bytes=\(response.body.count) ", " from=127.0.0.1 user=ada id=\(id) ",
            #" agent="Test \"App\"/1.0 status=500""#,
        ]
        for part in words { #expect(line.contains(part), "\(line)") }
        #expect(line.contains(#/ ms=\d+\.\d{3} /#) && !line.contains("secret") && !line.contains(token))
    }

    @Test func jsonLineHasNumbers() async throws {
        let server = try await ServerProcess.start(["--access-log", "json"])
        let response = try await RawHTTP.send(
            port: server.port, "GET", "/health", headers: ["User-Agent: a\tb\u{9B}c\u{202E}"])
        let line = try await Self.line(server, of: response)
        let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let data = try #require(object["data"] as? [String: Any])
        #expect(data["status"] as? Int == 200 && data["bytes"] as? Int == 2 && data["ms"] is Double)
        #expect(
            data["from"] as? String == "127.0.0.1" && data["user"] is NSNull && data["path"] as? String == "/health")
        #expect(!line.contains("\u{9B}") && !line.contains("\u{202E}"))
        // The other lines follow --log-format.
        try await server.stop()
        #expect(server.log.contains(" notice stopping signal="))
    }

    @Test func accessLogCanBeOff() async throws {
        for arguments in [["--access-log", "off"], ["--log-level", "warning"]] {
            let server = try await ServerProcess.start(arguments)
            #expect(try await RawHTTP.send(port: server.port, "GET", "/health").headers["x-request-id"] != nil)
            try await server.stop()
            #expect(!server.log.contains("request"), "\(server.log)")
        }
        // An explicit access log ignores the log level.
        let server = try await ServerProcess.start(
            ["--log-level", "error"], environment: ["FEEDSERVER_ACCESS_LOG": "text"])
        _ = try await Self.line(server, of: try await RawHTTP.send(port: server.port, "GET", "/health"))
    }

    @Test func idOfATrustedProxyIsUsed() async throws {
        let server = try await ServerProcess.start(["--trusted-proxy", "127.0.0.1"])
        let headers = ["X-Forwarded-For: 203.0.113.7", "X-Request-Id: 5f1c-a"]
        let response = try await RawHTTP.send(port: server.port, "GET", "/health", headers: headers)
        #expect(response.headers["x-request-id"] == "5f1c-a")
        #expect(try await Self.line(server, of: response).contains(" from=203.0.113.7 "))
        let plain = try await ServerProcess.start()
        let ignored = try await RawHTTP.send(port: plain.port, "GET", "/health", headers: headers)
        #expect(ignored.headers["x-request-id"] != "5f1c-a")
    }

    /// A name that the attacker chooses can imitate neither a line nor a field.
    @Test func failedLoginsAreLoggedWithoutPasswords() async throws {
        let server = try await ServerProcess.start(enforcesRateLimits: true)
        try await server.addAccount("ada", password: "pa55word")
        let names = [
            "ada", "nobody", "x from=10.9.8.7", "a\nb warning login failed name=eve", String(repeating: "z", count: 90),
        ]
        for name in names {
            let response = try await RawHTTP.send(
                port: server.port, "POST", "/ViewStatus.aspx", headers: [Self.form],
                body: Data(HTMLForm.encoded(["userName": name, "password": "gue55ed"]).utf8))
            #expect(response.status == 401)
        }
        for _ in 0..<12 {
            _ = try await RawHTTP.send(port: server.port, "GET", "/ViewStatus.aspx?userName=ada&password=gue55ed")
        }
        func failures() -> [Substring] {
            server.log.split(separator: "\n").filter { $0.contains(" warning login failed ") }
        }
        try await Wait.until("all failures are logged") { failures().count >= 17 }
        #expect(failures().count == 17)
        #expect(failures()[0].hasSuffix(" warning login failed from=127.0.0.1 name=ada reason=\"wrong password\""))
        #expect(failures()[1].hasSuffix(" name=nobody reason=\"unknown name\""))
        #expect(failures()[2].contains(" name=\"x from=10.9.8.7\" "))
        #expect(failures()[3].contains(#" name="a\u{a}b warning login failed name=eve" "#))
        #expect(failures().last?.hasSuffix(" reason=\"too many failures\"") == true)
        #expect(!server.log.contains("gue55ed") && !server.log.contains("pa55word"))
    }

    /// Programs that ban the addresses of failed logins must leave this one alone.
    @Test(.onSQLite) func loginThatCannotBeCheckedHasAnotherLine() async throws {
        let server = try await ServerProcess.start(enforcesRateLimits: true)
        try await server.addAccount("ada", password: "pa55word")
        try DatabaseFile.execute("DROP TABLE login_failure", data: server.data)
        let response = try await RawHTTP.send(
            port: server.port, "POST", "/ViewStatus.aspx", headers: [Self.form],
            body: Data(HTMLForm.encoded(["userName": "ada", "password": "pa55word"]).utf8))
        #expect(response.status == 500)
        let line = " warning login not checked from=127.0.0.1 name=ada reason=unavailable\n"
        try await Wait.until("the attempt is logged") { server.log.contains(line) }
        #expect(!server.log.contains("login failed"))
    }

    @Test(arguments: [
        ["--access-log", "loud"], ["--metrics-allow", "10.0.0.0/99"], ["--metrics-allow", "feed.example"],
    ])
    func invalidOptionsAreRejected(arguments: [String]) async throws {
        let done = try await Tool.run(Programs.feedserver, ["serve", "--data", "/nonexistent"] + arguments)
        #expect(done.code == 64 && done.error.contains(arguments[0]), "\(done.error)")
        let name = "FEEDSERVER_" + arguments[0].dropFirst(2).uppercased().replacing("-", with: "_")
        let same = try await Tool.run(
            Programs.feedserver, ["serve", "--data", "/nonexistent"], environment: [name: arguments[1]])
        #expect(same.code == 64 && same.error.contains(name), "\(same.error)")
    }
}
