import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@testable import feedserver

/// A cluster, and servers that share it and a data folder.
final class SharedFeed: Sendable {
    let cluster: PostgresCluster
    let folder: TemporaryFolder
    private let running = Mutex<[ServerProcess]>([])
    /// A token of the account `ada`.
    let token: String
    private let options: [String]
    private let enforcesRateLimits: Bool

    var servers: [ServerProcess] { running.withLock { $0 } }

    init(
        servers: Int, accounts: [String] = ["ada"], administrators: [String] = [], enforcesRateLimits: Bool = false
    ) async throws {
        self.enforcesRateLimits = enforcesRateLimits
        let cluster = try await PostgresCluster()
        self.cluster = cluster
        let folder = try TemporaryFolder()
        self.folder = folder
        options = ["--data", folder.path + "/data", "--database", cluster.address]
        let database = try FeedDatabase(
            postgres: PostgresAddress(cluster.address), clock: .system, version: FeedserverCommand.version)
        try await database.addAndClose(accounts.map { ($0, .member) } + administrators.map { ($0, .admin) })
        let created = try await Tool.run(Programs.feedserver, ["token", "create", "ada"] + options)
        token = created.text.trimmingCharacters(in: .newlines)
        for _ in 0..<servers {
            let server = try await start()
            running.withLock { $0.append(server) }
        }
    }

    /// Runs an administration command on the database.
    func admin(_ arguments: String..., input: String = "") async throws -> Finished {
        try await Tool.run(Programs.feedserver, arguments + options, input: Data(input.utf8))
    }

    /// Stops all servers.
    func stop() async throws {
        let servers = running.withLock { running in
            defer { running = [] }
            return running
        }
        for server in servers { _ = try await server.stop() }
    }

    /// Starts another server.
    /// - Parameter port: 0 for any free port; the port of a server that has stopped for its successor.
    func start(port: Int = 0) async throws -> ServerProcess {
        try await ServerProcess.start(
            folder: folder, port: port, ["--database", cluster.address], enforcesRateLimits: enforcesRateLimits)
    }

    /// Starts a server on the port of one that has stopped, and in its place.
    func restart(_ index: Int) async throws {
        let fresh = try await start(port: servers[index].port)
        running.withLock { $0[index] = fresh }
    }

    /// Kills a server and starts another one in its place.
    func replace(_ index: Int) async throws {
        _ = try await servers[index].stop(SIGKILL)
        let fresh = try await start()
        running.withLock { $0[index] = fresh }
    }

    func post(_ text: String, to server: ServerProcess) async throws -> RawHTTP.Response {
        let body = Data("status=\(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")".utf8)
        return try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses",
            headers: [
                "Authorization: Bearer " + token, "Content-Type: application/x-www-form-urlencoded",
            ], body: body)
    }

    func home(_ server: ServerProcess) async throws -> RawHTTP.Response {
        try await RawHTTP.send(
            port: server.port, "GET", "/api/v1/timelines/home?limit=1",
            headers: ["Authorization: Bearer " + token])
    }
}
