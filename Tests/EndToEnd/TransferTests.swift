import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Large files in both directions, with interruptions.
@Suite(.hangLimit, .serialized)
struct TransferTests {
    private static let size = 300 << 20

    /// Creates a file of bytes that do not repeat.
    private static func makeFile(_ path: String, bytes: Int) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        var state: UInt64 = 42
        for _ in 0..<bytes >> 20 {
            let block = [UInt64](unsafeUninitializedCapacity: 1 << 17) { buffer, count in
                for index in 0..<1 << 17 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    buffer[index] = state
                }
                count = 1 << 17
            }
            try block.withUnsafeBytes { try handle.write(contentsOf: Data($0)) }
        }
        try handle.close()
    }

    @Test func largeFileRoundTripsDespiteInterruptions() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let fixture = try DownloadFixture()
        let path = try fixture.home.folder.file("large.bin")
        try Self.makeFile(path, bytes: Self.size)
        // Each of the first two attempts receives a third of the file.
        try await PausingProxy.serving(server.port, pausingAfter: Self.size / 3) { proxy in
            try await Self.upload(path, to: proxy, fixture.home)
            let small = ["--chunk-size", "1MiB"]
            try await fixture.interrupt("large.bin", small, with: SIGINT) { fixture.partBytes > Self.size / 5 }
            let noted = fixture.journaledBytes
            proxy.allow(Self.size / 3)
            try await fixture.interrupt("large.bin", small) { fixture.journaledBytes > noted }
            #expect(!FileManager.default.fileExists(atPath: fixture.output))
            proxy.release()
            let done = try await fixture.home.run("download", "large.bin", "-o", fixture.output)
            #expect(done.code == 0 && done.error.contains("resumed at"), "\(done.error)")
        }
        #expect(try await Tool.run("cmp", [path, fixture.output]).code == 0)
        #expect(try fixture.names() == ["out.bin"])
    }

    /// Logs Ada in through the proxy, which is her server from then on, and uploads a file.
    private static func upload(_ path: String, to proxy: PausingProxy, _ home: ClientHome) async throws {
        let login = try await home.run(
            "login", proxy.address, "--username", "ada", "--password-stdin", input: "secretsecret\n")
        try #require(login.code == 0, "\(login.error)")
        let up = try await home.run("upload", path)
        try #require(up.code == 0, "\(up.error)")
    }

    @Test func fileChangedDuringTheDownloadIsNotMixed() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let token = try await server.token("ada")
        func put(_ content: Data) async throws {
            let response = try await RawHTTP.send(
                port: server.port, "PUT", "/files/x.bin", headers: ["Authorization: Bearer \(token)"], body: content)
            #expect(response.status < 300)
        }
        let old = Data(repeating: 1, count: 128 << 20)
        let new = Data(repeating: 2, count: 128 << 20)
        try await put(old)
        try await PausingProxy.serving(server.port, pausingAfter: 16 << 20) { proxy in
            let fixture = try DownloadFixture()
            let url = proxy.address + "/files/x.bin"
            // Killed as soon as the download can be resumed.
            try await fixture.interrupt(url) { fixture.journaledBytes > 0 }
            try await put(new)
            proxy.release()
            let done = try await fixture.download(url)
            #expect(done.code == 0 && !done.wasResumed, "\(done.error)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.output)) == new)
        }
    }

    /// A damaged journal is ignored: the download starts over and succeeds.
    @Test func damagedJournalIsDiscarded() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        let path = try home.folder.file("a.txt", String(repeating: "content ", count: 1000))
        _ = try await home.run("upload", path)
        for state in ["", "{", "{\"journal\":{},\"checksum\":\"\"}"] {
            let back = try home.folder.file("back-\(state.count)")
            try Data("garbage".utf8).write(to: URL(fileURLWithPath: back + ".part"))
            try Data(state.utf8).write(to: URL(fileURLWithPath: back + ".part.journal"))
            #expect(try await home.run("download", "a.txt", "-o", back).code == 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: back)) == Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }
}
