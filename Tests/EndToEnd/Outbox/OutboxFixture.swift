import FeedTestSupport
import Foundation
import Testing

/// A server, a proxy that loses requests or responses, and a client that is logged in through it.
struct OutboxFixture {
    let server: ServerProcess
    let proxy: LossyProxy
    let home: ClientHome

    /// - Parameter version: The version that the server pretends to have.
    static func run(version: String? = nil, _ test: (OutboxFixture) async throws -> Void) async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        try await LossyProxy.serving(server.port, version: version) { proxy in
            let home = try ClientHome()
            let login = try await home.run(
                "login", proxy.address, "--username", "ada", "--password-stdin", input: "secretsecret\n")
            try #require(login.code == 0, "\(login.error)")
            try await test(OutboxFixture(server: server, proxy: proxy, home: home))
        }
    }

    /// The entries in the outbox, as `--json` prints them.
    func entries() async throws -> [[String: Any]] { try await home.outbox() }

    /// The number of posts with a text.
    func count(_ text: String) async throws -> Int { try await server.count(text) }
}

extension ClientHome {
    /// The entries in the outbox, as `--json` prints them.
    func outbox() async throws -> [[String: Any]] {
        try await run("outbox", "list", "--json").objects()
    }

    /// The drafts, as `--json` prints them.
    func drafts() async throws -> [[String: Any]] { try await run("drafts", "--json").objects() }
}

extension ServerProcess {
    /// The number of public posts of `ada` with a text, as somebody else sees them.
    func count(_ text: String) async throws -> Int {
        let read = try await ClientHome().run("timeline", "@ada", "-n", "400", "--json", "--server", address)
        try #require(read.code == 0, "\(read.error)")
        return read.text.split(separator: "\n").count { $0.contains("<p>\(text)<") }
    }
}
