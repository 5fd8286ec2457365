import FeedTestSupport
import Foundation
import Testing

/// A login leaves no token behind that nobody has.
@Suite(.generousTimeLimit)
struct LoginAgainTests {
    private static func tokens(_ server: ServerProcess) async throws -> Int {
        try await server.admin("token", "list", "ada").text.split(separator: "\n").count
    }

    @Test func theEarlierTokenIsRevoked() async throws {
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

    @Test func aTokenIsMadeOnlyWhereItCanBeKept() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        let file = try home.folder.file("config", "not a folder")
        let done = try await home.login(server, "ada")
        #expect(done.code == 8 && done.error.contains(file), "\(done.error)")
        #expect(try await Self.tokens(server) == 0)
    }
}
