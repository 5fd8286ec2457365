import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The effects of a download on its destination folder, whatever the server and the network do.
@Suite(.hangLimit)
struct DestinationTests {
    private static let plan = FaultPlan(FaultRow.file)

    /// A folder with an older file at the destination.
    private static func occupied() throws -> DownloadFixture {
        let fixture = try DownloadFixture()
        try Data("older".utf8).write(to: URL(fileURLWithPath: fixture.output))
        return fixture
    }

    @Test func existingFileIsKept() async throws {
        try await FaultServer.serving(Self.plan) { server in
            let fixture = try Self.occupied()
            let done = try await fixture.download(server.url)
            #expect(done.code == 1 && done.error.contains("--restart"), "\(done.code) \(done.error)")
            #expect(FileManager.default.contents(atPath: fixture.output) == Data("older".utf8))
            #expect(server.served == 0)
        }
    }

    @Test func restartReplacesAnExistingFile() async throws {
        try await FaultServer.serving(Self.plan) { server in
            let fixture = try Self.occupied()
            let done = try await fixture.download(server.url, ["--restart"])
            try fixture.check(done, .right, versions: [Self.plan.file])
        }
    }

    @Test func fileCreatedDuringTheDownloadIsKept() async throws {
        try await FaultServer.serving(Self.plan) { server in
            try await PausingProxy.serving(server.port, pausingAfter: 1 << 20) { proxy in
                let fixture = try DownloadFixture()
                async let ended = fixture.download(proxy.address + "/file.bin", ["--chunk-size", "256KiB"])
                try await Wait.until("the first bytes are on the disk") { fixture.partBytes > 0 }
                try Data("theirs".utf8).write(to: URL(fileURLWithPath: fixture.output))
                proxy.release()
                let done = try await ended
                #expect([1, 8].contains(done.code) && done.error.contains("hint: "), "\(done.code) \(done.error)")
                #expect(FileManager.default.contents(atPath: fixture.output) == Data("theirs".utf8))
            }
        }
    }

    @Test func onlyOneDownloadPerDestinationRuns() async throws {
        try await FaultServer.serving(.silent(FaultRow.file, after: 2 << 20)) { server in
            let fixture = try DownloadFixture()
            try await fixture.downloadUntilSilent(server, ["--chunk-size", "256KiB"]) {
                let second = try await fixture.download(server.url)
                #expect(second.code == 1 && second.error.contains("hint: "), "\(second.code) \(second.error)")
            }
            server.change(to: Self.plan)
            try fixture.check(try await fixture.download(server.url), .right, versions: [FaultRow.file])
            #expect(server.served <= FaultRow.size - (1 << 20), "the second download has damaged the part file")
        }
    }

    @Test func killedRestartKeepsTheOldFile() async throws {
        try await FaultServer.serving(.silent(FaultRow.file, after: 2 << 20)) { server in
            let fixture = try Self.occupied()
            try await fixture.downloadUntilSilent(server, ["--restart"])
            #expect(FileManager.default.contents(atPath: fixture.output) == Data("older".utf8))
        }
    }

    /// Faults from which a download with `--restart` cannot recover.
    static let fatal: [(String, FaultRule, Int32)] = [
        ("closed without a response", .always(.silence), 5), ("not there", .always(.status(404)), 3),
        ("another file", .always(.header("Repr-Digest", Checksum.digestField(FaultRow.other.bytes))), 7),
    ]

    @Test(arguments: fatal)
    func failedRestartKeepsTheOldFile(_ name: String, _ rule: FaultRule, _ code: Int32) async throws {
        try await FaultServer.serving(FaultPlan(FaultRow.file, [rule])) { server in
            let fixture = try Self.occupied()
            let done = try await fixture.download(server.url, ["--restart"])
            #expect(done.code == code, "\(name): \(done.code) \(done.error)")
            #expect(FileManager.default.contents(atPath: fixture.output) == Data("older".utf8))
        }
    }

    /// URL paths that must not lead out of the folder, hide the file or affect the terminal.
    static let names = [
        "/..%2f..%2fevil", "/%2e%2e%2fevil", "/a/..", "/%2e%2e", "/evil%00.bin", "/evil%1b%5b31m", "/evil%0aline",
        "/.hidden",
        "/.bashrc", "/evil%5c..%5cevil", "/%E2%80%AEevil", "/" + String(repeating: "n", count: 300), "/", "/keep.txt",
        "/?file=../../evil", "/%2fetc%2fpasswd",
    ]

    @Test(arguments: names)
    func fileNameFromAURLStaysInTheFolder(_ path: String) async throws {
        try await FaultServer.serving(FaultPlan(.random(1000))) { server in
            let fixture = try DownloadFixture()
            let done = try await fixture.download(server.address + path, output: nil)
            try Self.checkName(fixture, done)
        }
    }

    /// The same for the target of a redirect, and for a `Content-Disposition` field.
    @Test(arguments: names)
    func fileNameFromARedirectStaysInTheFolder(_ path: String) async throws {
        let disposition = Fault.header("Content-Disposition", "attachment; filename=\"../../evil\"")
        let plan = FaultPlan(
            .random(1000), [.path("/start", .redirect("{own}" + path)), .always(disposition)])
        try await FaultServer.serving(plan) { server in
            let fixture = try DownloadFixture()
            let done = try await fixture.download(server.address + "/start", output: nil)
            try Self.checkName(fixture, done)
        }
    }

    private static func checkName(_ fixture: DownloadFixture, _ done: Finished) throws {
        let made = try fixture.names()
        #expect([0, 1].contains(done.code), "\(done.code) \(done.error)")
        #expect(made.count == (done.code == 0 ? 1 : 0), "\(made)")
        #expect(!made.contains { $0.hasPrefix(".") || $0.utf8.count > 255 }, "\(made)")
        #expect(!made.contains { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }, "\(made)")
        #expect(FileManager.default.contents(atPath: fixture.folder + "/keep.txt") == Data("keep".utf8))
        let around = try FileManager.default.contentsOfDirectory(atPath: fixture.home.folder.path)
        #expect(Set(around).isSubset(of: ["work", "config", "state", "cache"]), "\(around)")
        #expect(!(done.error + done.text).unicodeScalars.contains { [0x1B, 0x202E].contains($0.value) })
    }

    /// The credential for one server is not sent to another.
    @Test func credentialsAreNotSentToOtherServers() async throws {
        try await FaultServer.serving(Self.plan) { server in
            let fixture = try DownloadFixture()
            let login = try await fixture.home.run("login", server.address, "--token-stdin", input: "secret-token\n")
            try #require(login.code == 0, "\(login.error)")
            try fixture.check(try await fixture.download(server.otherURL), .right, versions: [FaultRow.file])
            #expect(server.seen.allSatisfy { !"\($0.request)".contains("secret-token") })
        }
    }

    @Test func refusedConnectionIsReported() async throws {
        let port = try ReservedPort()
        defer { withExtendedLifetime(port) {} }
        let fixture = try DownloadFixture()
        let done = try await fixture.download("http://127.0.0.1:\(port.number)/file.bin")
        try fixture.check(done, .refused(5), versions: [])
    }

    /// A redirect to the same server keeps the token; one to another server does not.
    @Test(arguments: ConnectionCount.allCases)
    func redirectToAnotherServerDropsTheCredentials(_ width: ConnectionCount) async throws {
        let plan = FaultPlan(
            FaultRow.file, [.path("/file.bin", .redirect("{own}/again")), .path("/again", .redirect("{other}/there"))])
        try await FaultServer.serving(plan) { server in
            let fixture = try DownloadFixture()
            let login = try await fixture.home.run("login", server.address, "--token-stdin", input: "secret-token\n")
            try #require(login.code == 0, "\(login.error)")
            let done = try await fixture.download(server.url, ["--chunk-size", "256KiB"] + width.options)
            try fixture.check(done, .right, versions: [FaultRow.file])
            let (own, other) = (
                server.seen.filter { $0.request.origin == 0 }, server.seen.filter { $0.request.origin == 1 }
            )
            #expect(!other.isEmpty && other.allSatisfy { !"\($0.request)".contains("secret-token") })
            #expect(own.first?.request.headers["authorization"] == "Bearer secret-token")
        }
    }
}
