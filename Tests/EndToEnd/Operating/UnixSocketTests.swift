import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A server that listens on a Unix socket.
@Suite(.hangLimit)
struct UnixSocketTests {
    private static func start(
        _ folder: TemporaryFolder, _ arguments: [String], _ environment: [String: String] = [:]
    ) async throws -> (process: ChildProcess, line: String) {
        let output = try folder.file("out-" + UUID().uuidString, "")
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: Programs.feedserver)
        process.arguments = ["serve", "--data", folder.path + "/data"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = .nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = .nullDevice
        try process.run()
        func line() -> String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }
        try await Wait.until("the server listens") { line().hasSuffix("\n") }
        return (process, line())
    }

    private static func curl(_ arguments: String...) async throws -> String {
        try await Tool.run("/usr/bin/curl", ["-s", "--max-time", "300"] + arguments).text
    }

    private static func stop(_ process: ChildProcess) async throws {
        process.terminate()
        try await Wait.until("the server has exited") { !process.isRunning }
    }

    /// Sends bytes and returns the start of the response.
    private static func ask(_ descriptor: Int32, _ text: String) -> String {
        _ = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
        var bytes = [UInt8](repeating: 0, count: 12)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_WAITALL))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func servesOnTheSocketOnly() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let (process, line) = try await Self.start(folder, ["--listen", "unix:" + path, "--trusted-proxy", "unix"])
        #expect(line == "listening on unix:\(path)\n")
        let health = try await Self.curl("--unix-socket", path, "http://feed.example/health")
        #expect(health.contains("OK"), "\(health)")
        let instance = try await Self.curl(
            "--unix-socket", path, "-H", "X-Forwarded-Proto: https", "http://feed.example/api/v2/instance")
        #expect(instance.contains("https://feed.example/"), "\(instance)")
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o660)
        // A second server does not take the socket over.
        let other = try TemporaryFolder()
        let second = try await Tool.run(
            Programs.feedserver, ["serve", "--data", other.path, "--listen", "unix:" + path])
        #expect(second.code == 1 && second.error.contains("is in use"), "\(second.error)")
        try await Self.stop(process)
        #expect(lstat(path, &status) != 0, "the socket has been removed")
    }

    /// A request on one socket does not keep the others open, and is completed.
    @Test func allSocketsStopAcceptingAtOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        // While it stops, the server completes requests for this time.
        let (process, line) = try await Self.start(
            folder, ["--listen", "unix:" + path, "--port", "0"], ["FEED_TIMEOUT": "\(Wait.seconds)"])
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0.dropLast()) }, "\(line)")
        let held = try Sockets.connect(unix: path)
        defer { close(held) }
        Sockets.limitWaiting(held)
        let lines = [
            "POST /api/v1/apps HTTP/1.1", "Host: feed.test", "Content-Type: application/x-www-form-urlencoded",
            "Content-Length: 13", "Expect: 100-continue",
        ]
        #expect(Self.ask(held, lines.joined(separator: "\r\n") + "\r\n\r\n") == "HTTP/1.1 100")
        process.terminate()
        try await Wait.until("the port is closed") {
            guard let descriptor = try? RawHTTP.connect(port: port) else { return true }
            close(descriptor)
            return false
        }
        // The rest of 100 Continue comes first.
        var end = [UInt8](repeating: 0, count: 64)
        while recv(held, &end, end.count, Int32(MSG_DONTWAIT)) == end.count {}
        #expect(Self.ask(held, "client_name=x") == "HTTP/1.1 200")
        try await Wait.until("the server has exited") { !process.isRunning }
    }

    @Test func aSocketLeftByACrashIsReplaced() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let (first, _) = try await Self.start(folder, ["--listen", "unix:" + path])
        kill(first.processIdentifier, SIGKILL)
        try await Wait.until("the server has exited") { !first.isRunning }
        let (second, line) = try await Self.start(folder, ["--listen", "unix:" + path, "--port", "0"])
        #expect(line.hasPrefix("listening on http://127.0.0.1:"))
        let address = line.dropFirst("listening on ".count).dropLast()
        #expect(try await Self.curl("--unix-socket", path, "http://feed.example/health").contains("OK"))
        #expect(try await Self.curl(address + "/health").contains("OK"))
        try await Self.stop(second)
    }

    @Test(arguments: ["socket", "unix:", "tcp:1", "unix:/" + String(repeating: "a", count: 107)])
    func invalidAddressesAreRejected(address: String) async throws {
        let done = try await Tool.run(Programs.feedserver, ["serve", "--data", "/nonexistent", "--listen", address])
        #expect(done.code == 64 && done.error.contains("--listen"), "\(done.error)")
    }

    @Test func otherFilesAreLeftAlone() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("notes", "text")
        let done = try await Tool.run(
            Programs.feedserver, ["serve", "--data", folder.path + "/data", "--listen", "unix:" + path])
        #expect(done.code == 1 && done.error.contains("is not a socket"), "\(done.error)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
    }
}
