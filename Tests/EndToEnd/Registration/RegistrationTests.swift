import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Invitations and approvals on the command line, and sign-ups with curl, while the server is running.
@Suite(.hangLimit)
struct RegistrationTests {
    private static let curlIsInstalled = Tool.isInstalled("curl")
    private static let password = "a long password"

    /// A visitor whose browser is curl.
    private struct Visitor {
        let jar: String

        init(_ server: ServerProcess) throws { jar = try server.folder.file("jar-" + UUID().uuidString, "") }

        func open(_ address: String, _ fields: [String: String] = [:]) async throws -> (status: Int, page: String) {
            let data = fields.flatMap { ["--data-urlencode", $0.key + "=" + $0.value] }
            let done = try await Tool.run(
                "curl",
                ["-sS", "--max-time", "300", "-b", jar, "-c", jar, "-w", "\n%{http_code}"]
                    + ["-H", "Sec-Fetch-Site: same-origin"] + data + [address])
            let status = try #require(done.text.split(separator: "\n").last.flatMap { Int($0) }, "\(done.error)")
            return (status, done.text)
        }

        /// Opens the sign-up page and submits its form.
        func join(_ address: String, as name: String, _ more: [String: String] = [:]) async throws -> (
            status: Int, page: String
        ) {
            let form = HTMLForm.hidden(in: try await open(address).page)
            return try await open(
                address, form.merging(["username": name, "password": password]) { $1 }.merging(more) { $1 })
        }
    }

    /// The status of a login in the classic dialect.
    private static func logIn(_ name: String, _ server: ServerProcess) async throws -> Int {
        try await RawHTTP.send(
            port: server.port, "POST", "/ViewStatus.aspx", headers: ["Content-Type: application/x-www-form-urlencoded"],
            body: Data(HTMLForm.encoded(["userName": name, "password": password]).utf8)
        ).status
    }

    private static func profile(_ name: String, _ server: ServerProcess) async throws -> Int {
        try await RawHTTP.send(port: server.port, "GET", "/@" + name).status
    }

    @Test(.enabled(if: curlIsInstalled, "curl is not installed: apt-get install curl"))
    func invitationIsUsedOnce() async throws {
        let server = try await ServerProcess.start(["--registration", "invite"])
        try await server.addAccount("ada")
        let made = try await server.admin("invite", "create", "--as", "ada", "--base-url", server.address)
        let address = made.text.trimmingCharacters(in: .newlines)
        #expect(made.code == 0 && made.text == address + "\n" && address.hasPrefix(server.address + "/join/"))
        let code = try #require(address.split(separator: "/").last.map(String.init))
        let visitor = try Visitor(server)
        #expect(try await visitor.open(server.address + "/join").page.contains("requires an invitation"))
        #expect(try await visitor.open(address).page.contains("@ada"))
        let short = try await visitor.join(address, as: "eve", ["password": "short"])
        #expect(short.status == 422 && short.page.contains("value=\"eve\""), "\(short.page)")
        let done = try await visitor.join(address, as: "eve")
        #expect(done.status == 200 && done.page.contains("value=\"\(server.address)\""), "\(done.page)")
        #expect(try await Self.logIn("eve", server) == 200)
        #expect(try await Self.profile("eve", server) == 200)
        #expect(try await visitor.join(address, as: "fay").status == 404)
        let list = try await server.admin("invite", "list")
        #expect(list.text.hasPrefix("\(code)  used 1 of 1  expires ") && list.text.hasSuffix("by ada  ended\n"))
        let json = try await server.admin("invite", "list", "--json")
        #expect(json.text.contains("\"code\":\"\(code)\",\"uses\":1,\"max_uses\":1,"), "\(json.text)")
        #expect(try await server.admin("invite", "revoke", code).code == 0)
        #expect(try await server.admin("invite", "list").text == "")
        let again = try await server.admin("invite", "revoke", code)
        #expect(again.code == 1 && again.error.contains("no such invitation") && again.error.contains("hint:"))
        try await Wait.until("the registration is logged") {
            server.log.contains("path=/join/***") && server.log.contains("an account has signed up")
        }
        try await server.stop()
        #expect(!server.log.contains(code) && !server.log.contains(Self.password), "\(server.log)")
    }

    @Test(.enabled(if: curlIsInstalled, "curl is not installed: apt-get install curl"))
    func signUpsAreApprovedAndRejected() async throws {
        let server = try await ServerProcess.start(["--registration", "approval"])
        try await server.addAccount("ada")
        let visitor = try Visitor(server)
        let page = server.address + "/join"
        for name in ["eve", "mallory"] {
            let asked = try await visitor.join(page, as: name, ["reason": "I like \u{1B}[31mfeeds"])
            #expect(asked.status == 200 && asked.page.contains("was received"), "\(asked.page)")
            #expect(try await Self.profile(name, server) == 404)
            #expect(try await Self.logIn(name, server) == 403)
        }
        let list = try await server.admin("account", "list").text
        #expect(list.components(separatedBy: "awaits approval").count == 3, "\(list)")
        let shown = try await server.admin("account", "show", "eve").text
        #expect(shown.contains("awaits approval") && shown.contains("I like") && !shown.contains("\u{1B}"), "\(shown)")
        #expect(
            try await server.admin("account", "list", "--json").text.contains("\"pending\":true,\"reason\":\"I like"))
        let suspended = try await server.admin("account", "suspend", "eve")
        #expect(suspended.code == 1 && suspended.error.contains("eve awaits approval"), "\(suspended.error)")

        let approved = try await server.admin("account", "approve", "EVE")
        #expect(approved.code == 0 && approved.error == "approved eve\n", "\(approved.error)")
        try await Wait.until("the account is visible") { try await Self.profile("eve", server) == 200 }
        #expect(try await Self.logIn("eve", server) == 200)
        let rejected = try await server.admin("account", "reject", "mallory")
        #expect(rejected.code == 0 && rejected.error == "rejected mallory\n", "\(rejected.error)")
        try await Wait.until("the login is gone") { try await Self.logIn("mallory", server) == 401 }
        #expect(try await visitor.join(page, as: "mallory").status == 200)
        for (command, name, words) in [
            ("approve", "eve", "does not await approval"), ("reject", "ada", "does not await approval"),
            ("approve", "nobody", "no such account: nobody"),
        ] {
            let done = try await server.admin("account", command, name)
            #expect(done.code == 1 && done.error.contains(words), "\(done.error)")
        }
        try await server.stop()
    }

    @Test(.enabled(if: curlIsInstalled, "curl is not installed: apt-get install curl"))
    func environmentSetsModeAndBlockedNames() async throws {
        let server = try await ServerProcess.start(
            environment: ["FEEDSERVER_REGISTRATION": "open", "FEEDSERVER_BLOCKED_NAMES": "Mallory, eve"])
        let visitor = try Visitor(server)
        for name in ["mallory", "EVE", "adm1n"] {
            let refused = try await visitor.join(server.address + "/join", as: name)
            #expect(refused.status == 422 && refused.page.contains("is reserved"), "\(name)")
        }
        // The operator may choose any name.
        for name in ["eve", "admin"] { try await server.addAccount(name) }
        #expect(try await visitor.join(server.address + "/join", as: "fay").status == 200)
        try await server.stop()
        let closed = try await ServerProcess.start(
            folder: server.folder, ["--registration", "closed"], environment: ["FEEDSERVER_OPEN_REGISTRATION": "true"])
        #expect(try await visitor.open(closed.address + "/join").page.contains("Sign-up is closed"))
        try await closed.stop()
    }

    static let usageErrors: [(arguments: [String], environment: [String: String], words: String)] = [
        (["serve", "--registration", "everyone"], [:], "--registration"),
        (
            ["serve", "--registration", "closed", "--open-registration"], [:],
            "--open-registration contradicts --registration closed."
        ),
        (
            ["serve"], ["FEEDSERVER_REGISTRATION": "invite", "FEEDSERVER_OPEN_REGISTRATION": "true"],
            "--open-registration contradicts --registration invite."
        ),
        (["serve"], ["FEEDSERVER_REGISTRATION": "x"], "FEEDSERVER_REGISTRATION has an invalid value: \"x\"."),
        (["serve"], ["FEEDSERVER_BLOCKED_NAMES": "eve,a-b"], "FEEDSERVER_BLOCKED_NAMES: a-b is not a username."),
        (["invite", "create", "--uses", "0"], [:], "--uses must be 1 to 10000."),
        (["invite", "create", "--uses", "10001"], [:], "--uses must be 1 to 10000."),
        (["invite", "create", "--expires", "7"], [:], "--expires"),
        (["invite", "create", "--expires", "0d"], [:], "--expires"),
        (["invite", "create", "--expires", "9223372036854775807w"], [:], "--expires"),
        (["invite", "create", "--base-url", "ftp://x"], [:], "--base-url: The address of this server must begin"),
    ]

    @Test func invalidOptionsAreUsageErrors() async throws {
        for row in Self.usageErrors {
            let done = try await Tool.run(
                Programs.feedserver, row.arguments + ["--data", "/nonexistent/feed"], environment: row.environment)
            #expect(done.code == 64 && done.error.contains(row.words), "\(row.arguments): \(done.error)")
        }
    }

    @Test func runningServerKnowsTheBaseURL() async throws {
        let server = try await ServerProcess.start(["--registration", "invite", "--base-url", "https://feed.example/"])
        try await server.addAccount("ada")
        // On a busy machine, the server may answer later than the command waits.
        try await Wait.until("the address of an invitation is printed") {
            try await server.admin("invite", "create").text.hasPrefix("https://feed.example/join/")
        }
        try await Wait.until("the address for a new password is printed") {
            try await server.admin("account", "reset", "ada").text.hasPrefix("https://feed.example/reset/")
        }
        let other = try await server.admin("account", "reset", "ada", "--base-url", "https://other.example")
        #expect(other.text.hasPrefix("https://other.example/reset/"), "\(other.text)")
        try await server.stop()
        let stopped = try await server.admin("account", "reset", "ada")
        #expect(stopped.text.hasPrefix("/reset/") && stopped.error.hasPrefix("note: "), "\(stopped.error)")
    }

    @Test func invitationPrintsItsPathWithoutABaseURL() async throws {
        let server = try await ServerProcess.start()
        let made = try await server.admin("invite", "create", "--uses", "5", "--expires", "52w")
        #expect(made.text.wholeMatch(of: /\/join\/[a-z2-9]{20}\n/) != nil, "\(made.text)")
        let notes = made.error.split(separator: "\n")
        #expect(notes.count == 2 && notes.first?.hasPrefix("note: this is only a path; --base-url") == true, "\(notes)")
        #expect(notes.last?.hasPrefix("note: people can sign up with it if the server has --reg") == true, "\(notes)")
        let open = try await Tool.run(
            Programs.feedserver, ["invite", "create", "--data", server.data],
            environment: ["FEEDSERVER_REGISTRATION": "invite"])
        #expect(open.code == 0 && !open.error.contains("people can sign up"), "\(open.error)")
        #expect(try await server.admin("invite", "revoke", String(open.text.dropFirst(6).dropLast())).code == 0)
        #expect(try await server.admin("invite", "list").text.contains("used 0 of 5"))
        let unknown = try await server.admin("invite", "create", "--as", "nobody")
        #expect(unknown.code == 1 && unknown.text.isEmpty && unknown.error.contains("no such account: nobody"))
        try await server.stop()
    }
}
