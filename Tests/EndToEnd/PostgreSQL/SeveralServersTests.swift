import FeedTestSupport
import Foundation
import Synchronization
import Testing

/// Several servers on one PostgreSQL database. Without PostgreSQL, these tests are skipped, or fail if foreign programs
/// are required.
@Suite(
    .generousTimeLimit, .serialized,
    .enabled(
        if: PostgresCluster.programs != nil || ProcessInfo.processInfo.environment["FEED_REQUIRE_CLIENTS"] == "1",
        "PostgreSQL is not installed: apt install postgresql"))
struct SeveralServersTests {
    /// A cluster, and servers that share it and a data folder.
    private final class Feed: Sendable {
        let cluster: PostgresCluster
        let folder: TemporaryFolder
        private let running = Mutex<[ServerProcess]>([])
        let token: String

        var servers: [ServerProcess] { running.withLock { $0 } }

        init(servers: Int) async throws {
            let cluster = try await PostgresCluster()
            self.cluster = cluster
            let folder = try TemporaryFolder()
            self.folder = folder
            let options = ["--data", folder.path + "/data", "--database", cluster.address]
            let added = try await Tool.run(
                Programs.feedserver, ["account", "add", "ada", "--password-stdin"] + options,
                input: Data("secret\n".utf8))
            try #require(added.code == 0, "\(added.error)")
            let created = try await Tool.run(Programs.feedserver, ["token", "create", "ada"] + options)
            token = created.text.trimmingCharacters(in: .newlines)
            for _ in 0..<servers {
                let server = try await start()
                running.withLock { $0.append(server) }
            }
        }

        private func start() async throws -> ServerProcess {
            try await ServerProcess.start(folder: folder, ["--database", cluster.address])
        }

        /// Kills a server and starts another one in its place.
        func replace(_ index: Int) async throws {
            _ = try await servers[index].stop(SIGKILL)
            let fresh = try await start()
            running.withLock { $0[index] = fresh }
        }

        func post(_ text: String, to server: ServerProcess) async throws -> RawHTTP.Answer {
            let body = Data("status=\(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")".utf8)
            return try await RawHTTP.send(
                port: server.port, "POST", "/api/v1/statuses",
                headers: [
                    "Authorization: Bearer " + token, "Content-Type: application/x-www-form-urlencoded",
                ], body: body)
        }

        func home(_ server: ServerProcess) async throws -> RawHTTP.Answer {
            try await RawHTTP.send(
                port: server.port, "GET", "/api/v1/timelines/home?limit=1",
                headers: ["Authorization: Bearer " + token])
        }
    }

    /// The acknowledged actions of a test's clients.
    private final class Progress: Sendable {
        let acknowledged = Mutex<Set<String>>([])
        let isStopping = Atomic(false)
    }

    @Test func aPostOnOneServerIsSeenOnTheOther() async throws {
        let feed = try await Feed(servers: 2)
        for number in 0..<40 {
            let (writer, reader) = (feed.servers[number % 2], feed.servers[1 - number % 2])
            #expect(try await feed.post("post number \(number)", to: writer).status == 200)
            #expect(try await feed.home(reader).text.contains("post number \(number)"), "\(number)")
        }
        let servers = feed.servers
        try await Wait.until("anonymous pages are current") {
            try await RawHTTP.send(port: servers[0].port, "GET", "/api/v1/timelines/public?limit=1").text
                .contains("post number 39")
        }
        for server in servers { #expect(try await server.stop() == 0) }
    }

    @Test func aNewPasswordEndsLoginsOnEveryServer() async throws {
        let feed = try await Feed(servers: 2)
        for server in feed.servers { #expect(try await feed.home(server).status == 200) }
        let done = try await Tool.run(
            Programs.feedserver,
            [
                "account", "password", "ada", "--password-stdin", "--data", feed.folder.path + "/data", "--database",
                feed.cluster.address,
            ], input: Data("another secret\n".utf8))
        #expect(done.code == 0, "\(done.error)")
        for server in feed.servers { #expect(try await feed.home(server).status == 401) }
    }

    /// Posts continuously while servers are killed and the database stops: each acknowledged post is stored exactly
    /// once.
    @Test func crashesLoseNothingThatWasAcknowledged() async throws {
        let feed = try await Feed(servers: 2)
        let progress = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<16 {
                group.addTask {
                    var number = 0
                    while !progress.isStopping.load(ordering: .relaxed) {
                        number += 1
                        let text = "client \(client) post \(number)"
                        let server = feed.servers[(client + number) % 2]
                        let answer = try? await feed.post(text, to: server)
                        if answer?.status == 200 { progress.acknowledged.withLock { _ = $0.insert(text) } }
                        if answer?.status != 200 { try await Task.sleep(for: .milliseconds(20)) }
                    }
                }
            }
            for round in 0..<Soak.rounds(6, soaking: 30) {
                try await Task.sleep(for: .milliseconds(Int.random(in: 100...800)))
                if round % 2 == 0 {
                    try await feed.replace(Int.random(in: 0...1))
                } else {
                    try await feed.cluster.stopImmediately()
                    try await feed.cluster.start()
                }
                for server in feed.servers {
                    try await Wait.until("the server works again") {
                        (try? await feed.post("round \(round)", to: server))?.status == 200
                    }
                }
            }
            progress.isStopping.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        let stored = try await feed.cluster.query("SELECT text FROM status WHERE text LIKE 'client %'")
        let missing = progress.acknowledged.withLock { $0 }.subtracting(stored)
        #expect(missing.isEmpty, "lost: \(missing)")
        #expect(Set(stored).count == stored.count, "some posts are stored twice")
        #expect(progress.acknowledged.withLock { $0.count } > 50)
    }
}
