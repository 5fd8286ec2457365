import FeedTestSupport
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct NewPasswordTests {
    @Test func newPasswordEndsLoginsOnARunningServer() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        try await server.addAccount("bob")
        var tokens: [String] = []
        for name in ["ada", "ada", "bob"] { tokens.append(try await server.token(name)) }
        #expect(try await Self.statuses(tokens, server) == [200, 200, 200])
        let done = try await server.admin("account", "password", "ada", "--password-stdin", input: "freshfresh\n")
        #expect(done.code == 0 && done.text.isEmpty && done.error.contains("ended 2 logins"), "\(done.error)")
        // The server notices another process's change a moment later.
        try await Wait.until("both tokens are refused") {
            try await Self.statuses(tokens, server) == [401, 401, 200]
        }
        let again = try await server.admin("account", "password", "ada", "--password-stdin", input: "fresherfresher\n")
        #expect(again.error.contains("changed ada's password"))
    }

    private static func statuses(_ tokens: [String], _ server: ServerProcess) async throws -> [Int] {
        var found: [Int] = []
        for token in tokens {
            let response = try await RawHTTP.send(
                port: server.port, "GET", "/api/v1/accounts/verify_credentials",
                headers: ["Authorization: Bearer \(token)"])
            found.append(response.status)
        }
        return found
    }
}
