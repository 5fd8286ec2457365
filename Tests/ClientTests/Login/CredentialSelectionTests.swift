import ArgumentParser
import FeedClientKit
import TestKit
import Testing

@testable import feedclient

/// `--as @name[@server]`.
@Suite(.hangLimit)
struct CredentialSelectionTests {
    private static let logins = [
        ("https://feed.example", "ada"), ("http://127.0.0.1:8080", "Ada"), ("https://feed.example", "bob"),
        ("http://[::1]:8080", "cleo"), ("https://feed.example/path", "dan"),
    ].map { CredentialStore.Login(server: $0.0, username: $0.1, credential: .token("t")) }

    @Test(
        arguments: [
            ("@bob", 2), ("BOB", 2), ("@ada@feed.example", 0), ("@ada@127.0.0.1:8080", 1), ("@ada@127.0.0.1", 1),
            ("ada@http://127.0.0.1:8080/", 1), ("@ADA@Feed.Example", 0), ("@cleo@[::1]", 3), ("@cleo@[::1]:8080", 3),
            ("@dan@feed.example/path", 4),
        ])
    func loginIsFound(text: String, index: Int) throws {
        #expect(try CredentialSelection(text).login(among: Self.logins) == Self.logins[index])
    }

    @Test(
        arguments: [
            ("@nobody", .unauthorized), ("@bob@other.example", .unauthorized), ("@ada", .usage), ("", .usage),
            ("@", .usage), ("@ada@", .usage), ("https://feed.example", .usage), ("@@feed.example", .usage),
        ] as [(String, FeedClientError.Code)])
    func otherReferencesAreErrors(text: String, code: FeedClientError.Code) {
        let error = #expect(throws: FeedClientError.self) {
            _ = try CredentialSelection(text).login(among: Self.logins)
        }
        #expect(error?.code == code)
    }

    @Test func ambiguousNameListsTheServers() {
        let error = #expect(throws: FeedClientError.self) {
            _ = try CredentialSelection("@ada").login(among: Self.logins)
        }
        #expect(error?.hint == "Enter @ada@feed.example or @Ada@127.0.0.1:8080")
    }

    @Test(arguments: ["http://feed.example", "https://feed.example", "https://feed.example:8443"])
    func pinnedLoginIsTheSameOneAmongSimilarLogins(server: String) throws {
        let servers = ["https://feed.example:8443", "http://feed.example", "https://feed.example"]
        let logins = servers.flatMap { server in
            ["bob", "ada"].map { CredentialStore.Login(server: server, username: $0, credential: .token("t")) }
        }
        let login = CredentialStore.Login(server: server, username: "ada", credential: .token("t"))
        let options = try GlobalOptions.parse(["--server", server]).pinned(to: login)
        #expect(options.server == nil)
        let reference = try CredentialSelection(#require(options.account))
        #expect(try reference.login(among: logins) == login)
    }
}
