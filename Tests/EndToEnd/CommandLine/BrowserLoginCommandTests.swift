import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedclient login` with a browser, `password`, `logins`, and tokens that expire, against the real server.
@Suite(.hangLimit)
struct BrowserLoginCommandTests {
    private static let form = "Content-Type: application/x-www-form-urlencoded"

    private let server: ServerProcess
    private let home: ClientHome

    init() async throws {
        server = try await ServerProcess.start()
        try await server.addAccount("ada")
        home = try ClientHome()
    }

    /// Logs in on the page, as a person does in a browser.
    private func decide(_ decision: String = "allow", at url: String) async throws -> RawHTTP.Response {
        let path = try #require(url.firstRange(of: "/oauth/"))
        let page = try await RawHTTP.send(port: server.port, "GET", String(url[path.lowerBound...]))
        try #require(page.status == 200, "\(page.text)")
        let cookie = try #require(page.headers["set-cookie"]).prefix { $0 != ";" }
        var fields = HTMLForm.hidden(in: page.text)
        fields.merge(["username": "ada", "password": "secretsecret", "decision": decision]) { $1 }
        return try await RawHTTP.send(
            port: server.port, "POST", "/oauth/authorize",
            headers: [Self.form, "Sec-Fetch-Site: same-origin", "Cookie: \(cookie)"],
            body: Data(HTMLForm.encoded(fields).utf8))
    }

    /// Opens the page to which the server redirects, which the client itself serves.
    private static func follow(_ response: RawHTTP.Response) async throws -> RawHTTP.Response {
        let location = try #require(response.headers["location"])
        let parts = try #require(URLComponents(string: location))
        try #require(parts.host == "127.0.0.1")
        var page = try await RawHTTP.send(
            port: try #require(parts.port), "GET", parts.path + "?" + (parts.percentEncodedQuery ?? ""))
        // The browser may be faster than the client begins to wait.
        while page.status == 404 {
            page = try await RawHTTP.send(
                port: try #require(parts.port), "GET", parts.path + "?" + (parts.percentEncodedQuery ?? ""))
        }
        return page
    }

    /// Runs `login` on a terminal, and passes the address that the browser gets to `body`.
    private func login(_ body: (_ url: String) async throws -> Void) async throws -> Finished {
        let file = home.folder.path + "/opened-" + UUID().uuidString
        let session = TerminalSession(
            home: home, browser: "printf '%s' \"$1\" > '\(file).new' && mv '\(file).new' '\(file)'")
        async let done = session.run("login", server.address)
        try await Wait.until("the browser has opened") { FileManager.default.fileExists(atPath: file) }
        try await body(try String(contentsOfFile: file, encoding: .utf8))
        return try await done
    }

    @Test func browserLogsIn() async throws {
        for _ in 0..<2 {
            let done = try await login { url in
                let page = try await Self.follow(try await decide(at: url))
                #expect(page.status == 200 && page.text.contains("close this page"))
            }
            #expect(done.code == 0 && done.text == "logged in to \(server.address) as ada\n", "\(done.error)")
        }
        #expect(try await home.run("whoami").text.hasPrefix("@ada"))
        // The second login has replaced the first one.
        #expect(try await server.admin("token", "list", "ada").text.split(separator: "\n").count == 1)
        #expect(try await home.run("logout").code == 0)
        #expect(try await server.admin("token", "list", "ada").text.isEmpty)
    }

    @Test func declinedLoginFails() async throws {
        let done = try await login { url in _ = try await Self.follow(try await decide("deny", at: url)) }
        #expect(done.code == 4 && done.error.contains("The login was declined"), "\(done.error)")
        #expect(try await home.run("whoami").code == 4)
    }

    /// - Parameter code: The code that is entered, from the page's address.
    private func logInWithCode(_ code: (_ url: String) async throws -> String) async throws -> Finished {
        let (process, input) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: Programs.feedclient)
        process.arguments = ["login", server.address, "--no-browser"]
        process.environment = ProcessInfo.processInfo.environment.merging(home.environment) { $1 }
        let (output, log) = (try home.folder.file("output", ""), try home.folder.file("log", ""))
        process.standardInput = input.fileHandleForReading
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        let text = { try String(contentsOfFile: $0, encoding: .utf8) }
        try await Wait.until("the client asks for the code") { try text(log).contains("Code: ") }
        let url = try #require(try text(log).split(separator: "\n").first { $0.hasPrefix("http") })
        input.fileHandleForWriting.write(Data((try await code(String(url)) + "\n").utf8))
        try await Wait.until("the client has ended") { !process.isRunning }
        return Finished(
            code: process.terminationStatus, output: Data(try text(output).utf8), error: try text(log))
    }

    @Test func codeIsEntered() async throws {
        let done = try await logInWithCode { url in HTMLForm.title(of: try await decide(at: url).text) }
        #expect(done.code == 0 && done.text.hasSuffix(" as ada\n"), "\(done.error)")
        #expect(try await home.run("whoami").text.hasPrefix("@ada"))
        let wrong = try await logInWithCode { _ in "wrong-code" }
        #expect(wrong.code == 4 && wrong.error.contains("The code is wrong"), "\(wrong.error)")
        #expect(try await home.run("whoami").code == 0)
    }

    @Test func scriptIsToldHowToLogIn() async throws {
        let done = try await home.run("login", server.address)
        #expect(done.code == 1 && done.error.contains("--password-stdin"), "\(done.error)")
        #expect(try await home.run("login", server.address, "--no-browser").code == 1)
        for options in [["--username", "ada"], ["--token-stdin"], ["--classic"]] {
            #expect(try await home.run(["login", server.address, "--no-browser"] + options).code == 2, "\(options)")
        }
    }

    @Test func passwordIsChangedAndEndsOtherLogins() async throws {
        let other = try ClientHome()
        for home in [home, other] { #expect(try await home.login(server, "ada").code == 0) }
        let secrets = "secretsecret\nanother secret\n"
        let wrong = try await home.run("password", "--password-stdin", input: "wrong\nanother secret\n")
        #expect(wrong.code == 4 && wrong.error.contains("Check the current password"), "\(wrong.error)")
        #expect(try await home.run("password", "--password-stdin", input: "secretsecret\nshort\n").code == 1)
        #expect(try await home.run("password", "--password-stdin", input: "secretsecret\nsecretsecret\n").code == 1)
        let done = try await home.run("password", "--password-stdin", input: secrets)
        #expect(done.code == 0 && done.text.hasPrefix("changed the password of @ada on "), "\(done.error)")
        #expect(try await home.run("whoami").code == 0)
        #expect(try await other.run("whoami").code == 4)
        #expect(try await other.login(server, "ada").code == 4)
        #expect(try await other.login(server, "ada", password: "another secret").code == 0)
        #expect(try await ClientHome().run("password", "--server", server.address).code == 4)
    }

    @Test func loginsAreListedAndEnded() async throws {
        let other = try ClientHome()
        for home in [home, other] { #expect(try await home.login(server, "ada").code == 0) }
        let lines = try await home.run("logins").text.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasSuffix("  feedclient"), "\(lines)")
        #expect(lines[1].hasSuffix("  feedclient  (this login)"), "\(lines)")
        let logins = try await home.run("logins", "list", "--json").objects()
        #expect(
            logins.map { ($0["application"] as? [String: Any])?["name"] as? String } == ["feedclient", "feedclient"])
        // The newest one comes first.
        let newest = try #require(logins.first?["id"] as? String)
        let ended = try await home.run("logins", "end", newest, "1")
        #expect(ended.code == 6 && ended.text.hasPrefix("ended \(newest)  "), "\(ended.error)")
        #expect(!ended.text.contains("logged out"))
        #expect(try await other.run("whoami").code == 4)
        #expect(try await home.run("logins").text.split(separator: "\n").count == 1)
        #expect(try await home.run("logins", "end", "1").code == 3)
        let own = try #require(logins.last?["id"] as? String)
        #expect(try await home.run("logins", "end", own).text.contains("\nlogged out of \(server.address)\n"))
        #expect(try await home.run("accounts").text.isEmpty)
    }

    /// Stores a login of `ada` whose token can be renewed.
    /// - Parameters:
    ///   - expiresAt: Milliseconds since 1970.
    ///   - other: An access token to store instead of the issued one.
    /// - Returns: The issued access token.
    private func storeLogin(expiresAt: Int64, access other: String? = nil) async throws -> String {
        func post(_ path: String, _ fields: [String: String]) async throws -> [String: Any] {
            let response = try await RawHTTP.send(
                port: server.port, "POST", path, headers: [Self.form], body: Data(HTMLForm.encoded(fields).utf8))
            return try #require(JSONSerialization.jsonObject(with: response.body) as? [String: Any])
        }
        let scopes = "read write offline_access"
        let app = try await post("/api/v1/apps", ["client_name": "x", "scopes": scopes])
        let (id, secret) = (
            try #require(app["client_id"] as? String), try #require(app["client_secret"] as? String)
        )
        let issued = try await post(
            "/oauth/token",
            [
                "grant_type": "password", "client_id": id, "client_secret": secret, "scope": scopes,
                "username": "ada", "password": "secretsecret",
            ])
        let (access, refresh) = (
            try #require(issued["access_token"] as? String), try #require(issued["refresh_token"] as? String)
        )
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/config/feedclient", withIntermediateDirectories: true)
        _ = try home.folder.file(
            "config/feedclient/credentials.json",
            """
            {"logins":[{"server":"\(server.address)","username":"ada","isOwn":true,"credential":{"renewable":{"_0":
            {"access":"\(other ?? access)","refresh":"\(refresh)","expiresAt":\(expiresAt),
            "application":{"client_id":"\(id)","client_secret":"\(secret)","scopes":"\(scopes)"}}}}}]}
            """)
        return access
    }

    /// Commands that run at the same time use the refresh token only once; otherwise, the server would end the login.
    @Test func tokenThatExpiresIsRenewed() async throws {
        let access = try await storeLogin(expiresAt: 0)
        async let first = home.run("whoami")
        async let second = home.run("timeline")
        let done = [try await first, try await second]
        #expect(done.map(\.code) == [0, 0], "\(done.map(\.error))")
        #expect(try await home.run("whoami").text.hasPrefix("@ada"))
        let old = try await RawHTTP.send(
            port: server.port, "GET", "/api/v1/accounts/verify_credentials",
            headers: ["Authorization: Bearer \(access)"])
        #expect(old.status == 401)
    }

    /// The server need not say when a token expires: it is renewed when it is refused.
    @Test func refusedTokenIsRenewed() async throws {
        _ = try await storeLogin(expiresAt: 253_402_300_799_000, access: "gone")
        let posted = try await home.run("post", "hello", "-v")
        #expect(posted.code == 0 && posted.error.contains("> POST \(server.address)/oauth/token"), "\(posted.error)")
        #expect(try await server.count("hello") == 1)
        let again = try await home.run("whoami", "-v")
        #expect(again.text.hasPrefix("@ada") && !again.error.contains("/oauth/token"), "\(again.error)")
    }
}
