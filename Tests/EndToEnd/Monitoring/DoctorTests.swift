import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedserver doctor` on real folders; `CoreTests` has a table of all outcomes.
@Suite(.hangLimit)
struct DoctorTests {
    private static func doctor(
        _ data: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> (code: Int32, lines: [String]) {
        // Whether the usual port is free on the machine that runs the tests is not known.
        let port = arguments.contains("--port") ? [] : ["--port", "0"]
        let done = try await Tool.run(
            Programs.feedserver, ["doctor", "--data", data] + port + arguments, environment: environment)
        let lines = done.text.split(separator: "\n").map(String.init)
        #expect(lines.allSatisfy { $0.contains(#/^(ok|warning|problem) +[a-zA-Z ]+: /#) }, "\(done.text) \(done.error)")
        return (done.code, lines)
    }

    private static func line(_ lines: [String], _ name: String) -> String {
        lines.first { $0.contains(" \(name): ") } ?? ""
    }

    @Test func healthyFolderHasNoProblem() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let running = try await Self.doctor(server.data)
        #expect(Self.line(running.lines, "server").contains("process \(server.processID)"))
        #expect(Self.line(running.lines, "database").hasPrefix("ok       database: SQLite 3."), "\(running.lines)")
        #expect(Self.line(running.lines, "folder").hasPrefix("ok"), "\(running.lines)")
        #expect(Self.line(running.lines, "clock").hasPrefix("ok"), "\(running.lines)")
        try await server.stop()
        let stopped = try await Self.doctor(server.data)
        #expect(!stopped.lines.contains { $0.contains(" server: ") })
        // The disk and the limits of the machine that runs the tests are not known.
        let problems = stopped.lines.filter { $0.hasPrefix("problem") }
        #expect(stopped.code == (problems.isEmpty ? 0 : 1))
        #expect(problems.allSatisfy { $0.contains("disk") || $0.contains("open files") }, "\(problems)")
    }

    @Test func problemsAreExplained() async throws {
        let folder = try TemporaryFolder()
        let missing = try await Self.doctor(folder.path + "/none")
        #expect(missing.code == 1 && Self.line(missing.lines, "folder").hasPrefix("problem"), "\(missing.lines)")
        let file = try folder.file("file", "")
        #expect(try await Self.line(Self.doctor(file).lines, "folder").contains("is not a folder"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])

        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        try await server.stop()
        chmod(server.data, 0o755)
        #expect(try await Self.line(Self.doctor(server.data).lines, "folder").hasPrefix("warning"))
        let path = server.data + "/feed.sqlite"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes.replaceSubrange(4096..<12_288, with: Data(repeating: 0x5A, count: 8192))
        try bytes.write(to: URL(fileURLWithPath: path))
        let damaged = try await Self.doctor(server.data)
        #expect(damaged.code == 1 && Self.line(damaged.lines, "database").contains("damaged"), "\(damaged.lines)")
        #expect(Self.line(damaged.lines, "database").contains("backup"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    /// As `serve` does. A backup can be restored once the folder is out of the way.
    @Test(.onSQLite) func lostDatabaseIsAProblem() async throws {
        let fixture = try await BackupFixture.start()
        try await fixture.server.store("a.bin", SampleBytes.make(1000, seed: 1))
        #expect(try await fixture.backUp().code == 0)
        try await fixture.server.process.stop()
        let data = fixture.server.process.data
        try FileManager.default.removeItem(atPath: data + "/feed.sqlite")
        let found = try await Self.doctor(data)
        let line = Self.line(found.lines, "database")
        #expect(
            found.code == 1
                && line.hasPrefix(
                    "problem  database: \(data) holds stored files but no feed.sqlite. Put feed.sqlite back"),
            "\(found.lines)")
        let served = try await Tool.run(Programs.feedserver, ["serve", "--data", data, "--port", "0"])
        #expect(served.code == 1 && served.error.contains("move the folder aside and restore"), "\(served.error)")
        let restore = ["restore", fixture.folder, "--data", data]
        let refused = try await Tool.run(Programs.feedserver, restore)
        #expect(refused.code == 1 && refused.error.contains("hint: Move it aside first"), "\(refused.error)")
        try FileManager.default.moveItem(atPath: data, toPath: data + ".old")
        #expect(try await Tool.run(Programs.feedserver, restore).code == 0)
        #expect(try await Self.line(Self.doctor(data).lines, "database").hasPrefix("ok"))
    }

    @Test(.enabled(if: geteuid() == 0)) func filesThatTheOwnerMayNotUseAreFound() async throws {
        let server = try await FileServer.start()
        let content = SampleBytes.make(1000, seed: 1)
        try await server.store("a.bin", content)
        try await server.process.stop()
        let data = server.process.data
        let prefix = Checksum.sha256(content).prefix(2)
        for (user, path) in [("12345", data), ("0", data + "/blobs/\(prefix)")] {
            #expect(try await Tool.run("chown", ["-R", user, path]).code == 0)
        }
        let found = try await Self.doctor(data)
        #expect(
            found.code == 1
                && Self.line(found.lines, "owner").hasPrefix(
                    "problem  owner: the folder belongs to 12345, who may not use blobs/\(prefix) in it. Run chown "),
            "\(found.lines)")
        let remedy = try #require(Self.line(found.lines, "owner").firstMatch(of: /Run (.+) as root/)).1
        #expect(try await Tool.run("sh", ["-c", String(remedy)]).code == 0)
        #expect(
            try await Self.line(Self.doctor(data).lines, "owner")
                == "ok       owner: 12345 may use everything in the folder")
    }

    /// The server writes to some of what belongs to others, and only reads the rest.
    @Test(.enabled(if: geteuid() == 0), .onSQLite) func readingWhatTheOwnerHasToWriteIsNotEnough() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        try await server.stop()
        let data = server.data
        for folder in ["blobs/7b", "emoji"] {
            try FileManager.default.createDirectory(atPath: data + "/" + folder, withIntermediateDirectories: true)
        }
        try Data("x".utf8).write(to: URL(fileURLWithPath: data + "/blobs/7b/content"))
        #expect(try await Tool.run("chown", ["-R", "12345", data]).code == 0)
        func own(_ path: String, _ user: uid_t, mode: mode_t) {
            #expect(chown(data + "/" + path, user, 0) == 0 && chmod(data + "/" + path, mode) == 0)
        }
        func owner() async throws -> String { Self.line(try await Self.doctor(data).lines, "owner") }
        for (path, mode) in [("blobs/7b", 0o755), ("blobs", 0o777), ("feed.sqlite", 0o644)] as [(String, mode_t)] {
            own(path, 0, mode: mode)
            #expect(try await owner().contains("12345, who may not use \(path) in it"), "\(path)")
            own(path, 12_345, mode: path == "feed.sqlite" ? 0o600 : 0o700)
        }
        // SQLite's other files belong to the owner that the database had when they were made.
        #expect(try await Tool.run("chown", ["-R", "12345", data]).code == 0)
        own("blobs/7b", 0, mode: 0o777)
        own("blobs/7b/content", 0, mode: 0o644)
        own("emoji", 0, mode: 0o755)
        let found = try await owner()
        #expect(found == "ok       owner: 12345 may use everything in the folder", "\(found)")
    }

    @Test func configurationIsChecked() async throws {
        let folder = try TemporaryFolder()
        let https = ["--base-url", "https://feed.example"]
        #expect(try await Self.line(Self.doctor(folder.path, https).lines, "proxy").contains("--trusted-proxy"))
        let trusted = try await Self.doctor(folder.path, https + ["--trusted-proxy", "127.0.0.1"])
        #expect(Self.line(trusted.lines, "proxy").hasPrefix("ok"))
        let certificate = try folder.file("cert.pem", "x")
        let lost = ["FEEDSERVER_TLS_CERT": certificate, "FEEDSERVER_TLS_KEY": folder.path + "/none"]
        let missing = try await Self.doctor(folder.path, environment: lost)
        #expect(missing.code == 1 && Self.line(missing.lines, "TLS").contains("does not exist"))
        let database = ["--database", "postgresql://nobody@127.0.0.1:1/none"]
        let without = try await Self.doctor(folder.path, database, environment: ["FEED_WITHOUT": "pq"])
        #expect(without.code == 1 && Self.line(without.lines, "libpq").contains("apt install libpq5"))
        let done = try await Tool.run(Programs.feedserver, ["doctor", "--data", folder.path, "--port", "70000"])
        #expect(done.code == 64)
        // As serve takes it.
        let file = try folder.file("feed.json", #"{"baseUrl": "https://feed.example"}"#)
        #expect(
            try await Self.line(Self.doctor(folder.path, ["--config", file]).lines, "proxy")
                .contains("--trusted-proxy"))
    }

    @Test func addressAndImageLibrariesAreChecked() async throws {
        let server = try await ServerProcess.start()
        let port = ["--port", "\(server.port)"]
        let own = try await Self.doctor(server.data, port)
        #expect(
            Self.line(own.lines, "address").contains("the server of this folder listens on \(server.address)"),
            "\(own.lines)")
        let folder = try TemporaryFolder()
        let taken = try await Self.doctor(folder.path, port)
        #expect(taken.code == 1 && Self.line(taken.lines, "address").contains("is in use"), "\(taken.lines)")
        try await server.stop()
        #expect(
            try await Self.line(Self.doctor(folder.path, port).lines, "address")
                == "ok       address: the server can listen on \(server.address)")
        let without = try await Self.doctor(folder.path, environment: ["FEED_WITHOUT": "images"])
        #expect(Self.line(without.lines, "images").contains("libwebp7"), "\(without.lines)")
    }

    @Test(.enabled(if: TestCertificates.isInstalled, "apt install openssl"))
    func certificateIsCheckedAsServeDoes() async throws {
        let certificates = try await TestCertificates()
        let (pair, other) = (try await certificates.issue(), try await certificates.issue("other"))
        let expired = try await certificates.issue("expired", days: -1)
        for file in [pair.key, other.key, expired.key] { chmod(file, 0o600) }
        let folder = certificates.folder.path
        func line(_ options: [String], _ environment: [String: String] = [:]) async throws -> String {
            Self.line(try await Self.doctor(folder, options, environment: environment).lines, "TLS")
        }
        #expect(try await line(pair.options).hasPrefix("ok"))
        let environment = ["FEEDSERVER_TLS_CERT": pair.certificate, "FEEDSERVER_TLS_KEY": pair.key]
        #expect(try await line([], environment).hasPrefix("ok"))
        #expect(try await line(pair.options + ["--base-url", "http://feed.example"]).hasPrefix("warning"))
        let mixed = ["--tls-cert", pair.certificate, "--tls-key", other.key]
        let refused = try await Self.doctor(folder, mixed)
        #expect(refused.code == 1 && Self.line(refused.lines, "TLS").contains("does not belong"), "\(refused.lines)")
        #expect(try await line(expired.options).hasPrefix("problem  TLS: the certificate expired at 20"))
        #expect(try await line(["--tls-cert", pair.key, "--tls-key", pair.key]).contains("contains no certificate"))
        chmod(pair.key, 0o644)
        #expect(try await line(pair.options).hasPrefix("warning"))
    }
}
