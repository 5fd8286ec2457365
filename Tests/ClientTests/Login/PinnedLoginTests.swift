import ArgumentParser
import FeedClientKit
import Testing

@testable import feedclient

/// The login that a reader keeps.
@Suite struct PinnedLoginTests {
    @Test(arguments: ["http://feed.example", "https://feed.example", "https://feed.example:8443"])
    func pinnedLoginIsTheSameOneAmongSimilarLogins(server: String) throws {
        let servers = ["https://feed.example:8443", "http://feed.example", "https://feed.example"]
        let logins = servers.flatMap { server in
            ["bob", "ada"].map { CredentialStore.Login(server: server, username: $0, credential: .token("t")) }
        }
        let login = CredentialStore.Login(server: server, username: "ada", credential: .token("t"))
        let options = try GlobalOptions.parse(["--server", server]).pinned(to: login)
        #expect(options.server == nil)
        let reference = try LoginReference(#require(options.account))
        #expect(try reference.login(among: logins) == login)
    }
}
