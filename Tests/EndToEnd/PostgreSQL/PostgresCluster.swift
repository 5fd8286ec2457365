import FeedTestSupport
import Foundation
import TestKit

/// A separate PostgreSQL server, which a test may stop and start. It runs with fsync.
final class PostgresCluster: Sendable {
    static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap(Int.init).max().map { "\(root)/\($0)/bin" }
    }()

    private let folder: TemporaryFolder
    private let programs: String
    private let template: TemporaryFolder

    /// On a busy machine, PostgreSQL may take longer to accept a connection than the programs wait by default.
    var address: String { "postgresql://postgres@/postgres?host=\(folder.path)&connect_timeout=\(Wait.seconds)" }

    init() async throws {
        programs = try Self.programs ?? { throw NotInstalled() }()
        (folder, template) = (try Self.openFolder(), try await Template.shared.folder(programs))
        try await Self.run("/bin/cp", "-a", template.path + "/data", data)
        try await start()
    }

    /// PostgreSQL does not run as root.
    private static func openFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o777)
        return folder
    }

    /// The files of a new server, as long as any server uses them: copying them takes less time than `initdb`.
    private actor Template {
        static let shared = Template()

        private weak var made: TemporaryFolder?
        private var making: Task<TemporaryFolder, any Error>?

        func folder(_ programs: String) async throws -> TemporaryFolder {
            if let made { return made }
            let task = making ?? Task { try await Self.make(programs) }
            making = task
            defer { making = nil }
            let folder = try await task.value
            made = folder
            return folder
        }

        private static func make(_ programs: String) async throws -> TemporaryFolder {
            let folder = try openFolder()
            try await run(
                programs + "/initdb", "-D", folder.path + "/data", "-U", "postgres", "-A", "trust", "-E", "UTF8",
                "--locale=C.UTF-8", "--no-sync")
            return folder
        }
    }

    private var data: String { folder.path + "/data" }

    func start() async throws {
        try await Self.run(
            programs + "/pg_ctl", "-D", data, "-w", "-t", "\(Wait.seconds)", "-l", folder.path + "/log", "-o",
            "-k \(folder.path) -c listen_addresses= -c max_connections=200", "start")
    }

    /// Kills all processes of the server, which recovers from its write-ahead log at the next start.
    func stopImmediately() async throws {
        try await Self.run(programs + "/pg_ctl", "-D", data, "-m", "immediate", "-w", "-t", "\(Wait.seconds)", "stop")
    }

    /// The rows of a query, one per line.
    /// - Parameter address: Another database of the server.
    func query(_ sql: String, on address: String? = nil) async throws -> [String] {
        let done = try await Tool.run(programs + "/psql", [address ?? self.address, "-At", "-c", sql])
        guard done.code == 0 else { throw Failed(text: done.error) }
        return done.text.split(separator: "\n").map(String.init)
    }

    private static func run(_ command: String...) async throws {
        // PostgreSQL refuses to run as root.
        let words = (getuid() == 0 ? ["runuser", "-u", "postgres", "--"] : []) + command
        let done = try await Tool.run("/usr/bin/env", words)
        guard done.code == 0 else { throw Failed(text: command[0] + ": " + done.error) }
    }

    deinit {
        let pid = (try? String(contentsOfFile: folder.path + "/data/postmaster.pid", encoding: .utf8))
            .flatMap { $0.split(separator: "\n").first }.flatMap { Int32($0) }
        if let pid { kill(pid, SIGQUIT) }
    }

    struct NotInstalled: Error, CustomStringConvertible {
        var description: String { "PostgreSQL is not installed: apt install postgresql" }
    }

    struct Failed: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}
