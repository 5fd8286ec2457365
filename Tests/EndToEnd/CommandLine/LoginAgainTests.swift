import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A repeated login revokes the token that it replaces.
@Suite(.hangLimit)
struct LoginAgainTests {
    private static func tokens(_ server: ServerProcess) async throws -> Int {
        try await server.admin("token", "list", "ada").text.split(separator: "\n").count
    }

    @Test func earlierTokenIsRevoked() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        for _ in 0..<3 { #expect(try await home.login(server, "ada").code == 0) }
        #expect(try await Self.tokens(server) == 1)
        #expect(try await home.run("whoami").code == 0)
        let token = try await server.token("ada")
        for _ in 0..<2 {
            let done = try await home.run("login", server.address, "--token-stdin", input: token + "\n")
            #expect(done.code == 0, "\(done.error)")
        }
        #expect(try await Self.tokens(server) == 1)
        #expect(try await home.run("whoami").code == 0)
    }

    /// Also after a logout. If the server has lost the registration, the application is registered again.
    @Test func applicationIsRegisteredOnce() async throws {
        let server = try await ServerProcess.start()
        for name in ["ada", "bob"] { try await server.addAccount(name) }
        let home = try ClientHome()
        #expect(try await Self.registrations(home, server, "ada") == 1)
        #expect(try await Self.registrations(home, server, "bob") == 0)
        #expect(try await home.run("logout").code == 0)
        #expect(try await Self.registrations(home, server, "bob") == 0)
        let file = home.folder.path + "/config/feedclient/credentials.json"
        let stored = try String(contentsOfFile: file, encoding: .utf8)
        let changed = stored.replacing(#/"client_id" : "[^"]*"/#, with: #""client_id" : "unknown""#)
        #expect(changed != stored)
        try changed.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try await Self.registrations(home, server, "ada") == 1)
        #expect(try await Self.registrations(home, server, "ada") == 0)
        #expect(try await home.run("whoami").text.hasPrefix("@ada"))
    }

    /// Logs in.
    /// - Returns: The number of times the client registered itself.
    private static func registrations(
        _ home: ClientHome, _ server: ServerProcess, _ name: String
    ) async throws -> Int {
        let arguments = ["login", server.address, "--username", name, "--password-stdin", "--verbose"]
        let done = try await Tool.run(
            Programs.feedclient, arguments, input: Data("secretsecret\n".utf8), environment: home.environment,
            folder: home.folder.path)
        #expect(done.code == 0, "\(done.error)")
        return done.error.split(separator: "\n").count { $0.hasPrefix("> POST") && $0.hasSuffix("/api/v1/apps") }
    }

    @Test func noTokenIsCreatedIfItCannotBeStored() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        let file = try home.folder.file("config", "not a folder")
        let done = try await home.login(server, "ada")
        #expect(done.code == 8 && done.error.contains(file), "\(done.error)")
        #expect(try await Self.tokens(server) == 0)
    }

    /// The disk is full when the token has been issued: files may not grow, but an empty one can be created.
    @Test func tokenThatCannotBeStoredIsRevoked() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        #expect(try await home.login(server, "ada").code == 0)
        let script =
            #"echo secretsecret | (trap '' XFSZ; ulimit -f 0; exec "$0" "$@" 2>&1) | cat; exit ${PIPESTATUS[1]}"#
        let done = try await Tool.run(
            "bash",
            ["-c", script, Programs.feedclient, "login", server.address, "--username", "ada", "--password-stdin"],
            environment: home.environment, folder: home.folder.path)
        #expect(done.code == 8, "\(done.code) \(done.text) \(done.error)")
        #expect(try await Self.tokens(server) == 1)
        #expect(try await home.run("whoami").code == 0)
    }
}
