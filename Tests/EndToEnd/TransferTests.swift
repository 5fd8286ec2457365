import FeedTestSupport
import Foundation
import Testing

/// Large files there and back, also when somebody pulls the plug.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct TransferTests {
    private static let size = 300 << 20

    /// A file of bytes that do not repeat.
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

    @Test func threeHundredMegabytesComeBackEqualAlsoAfterAKill() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        let path = home.folder.path + "/large.bin"
        try Self.makeFile(path, bytes: Self.size)
        let up = try await home.run("upload", path)
        #expect(up.code == 0, "\(up.error)")
        let back = home.folder.path + "/back.bin"
        #expect(try await Self.download(home, to: back, until: 2, SIGINT) == 130)
        #expect(try await Self.download(home, to: back, until: 4, SIGKILL) == 128 + SIGKILL)
        #expect(!FileManager.default.fileExists(atPath: back))
        let done = try await home.run("download", "large.bin", "-o", back)
        #expect(done.code == 0 && done.error.contains("went on at"), "\(done.error)")
        #expect(try await Tool.run("cmp", [path, back]).code == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: home.folder.path).filter { $0.contains(".part") }
        #expect(left.isEmpty)
    }

    /// Starts a download and sends it a signal when so many tenths are there.
    /// - Returns: The exit code, or 128 and the signal.
    private static func download(
        _ home: ClientHome, to path: String, until tenths: Int, _ signal: Int32
    ) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.feedclient)
        process.arguments = ["download", "large.bin", "-o", path, "--chunk-size", "1MiB"]
        process.environment = ProcessInfo.processInfo.environment.merging(home.environment) { _, new in new }
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        while process.isRunning {
            let size = (try? FileManager.default.attributesOfItem(atPath: path + ".part")[.size] as? Int) ?? nil
            if let size, size > Self.size / 10 * tenths { break }
            try await Task.sleep(for: .milliseconds(2))
        }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    @Test func aFileThatChangedMeanwhileIsNotMixed() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let token = try await server.token("ada")
        let home = try ClientHome()
        let back = home.folder.path + "/back.bin"
        func put(_ content: Data) async throws {
            let answer = try await RawHTTP.send(
                port: server.port, "PUT", "/files/x.bin", headers: ["Authorization: Bearer \(token)"], body: content)
            #expect(answer.status < 300)
        }
        let old = Data(repeating: 1, count: 128 << 20)
        let new = Data(repeating: 2, count: 128 << 20)
        try await put(old)
        // Killed as soon as it has something to go on with.
        let killed = try await Tool.run(
            "bash",
            [
                "-c",
                "\"$0\" download \"$1\" -o \"$2\" & "
                    + "until [ -e \"$2.part.journal\" ] || ! kill -0 $!; do sleep 0.005; done; kill -9 $!",
                Programs.feedclient, server.address + "/files/x.bin", back,
            ], environment: home.environment)
        #expect(killed.code == 0 && FileManager.default.fileExists(atPath: back + ".part.journal"), "\(killed.error)")
        try await put(new)
        let done = try await home.run("download", server.address + "/files/x.bin", "-o", back)
        #expect(done.code == 0, "\(done.error)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: back)) == new)
    }

    /// A damaged journal is no journal: the download starts anew and is right.
    @Test func damagedStateIsForgotten() async throws {
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
