import FeedTestSupport
import FeedWeb
import Foundation
import TestKit
import Testing

@testable import feedserver

/// The log is neither in the way nor lost.
@Suite(.hangLimit)
struct LogWriterTests {
    /// A pipe with a name, for the standard error of a server. Nobody reads it unless a test does.
    private final class NamedPipe: Sendable {
        let path: String
        let descriptor: Int32

        init(_ folder: TemporaryFolder) throws {
            path = folder.path + "/log.pipe"
            try #require(mkfifo(path, 0o600) == 0)
            // For reading and writing: neither this nor the server's call to open it waits for the other.
            descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
            try #require(descriptor >= 0)
        }

        deinit { close(descriptor) }

        /// The bytes that are in the pipe now.
        func read() -> String {
            var text: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = Foundation.read(descriptor, &chunk, chunk.count)
                guard count > 0 else { return String(decoding: text, as: UTF8.self) }
                text += chunk[..<count]
            }
        }
    }

    /// Sends requests whose lines in the log have more than a thousand bytes each.
    private static func sendLongRequests(_ count: Int, to server: ServerProcess) async throws {
        let (path, agent) = ("/" + String(repeating: "p", count: 1000), String(repeating: "a", count: 200))
        let lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "User-Agent: \(agent)"]
        let request = lines.joined(separator: "\r\n") + "\r\n\r\n"
        let last = (lines + ["Connection: close"]).joined(separator: "\r\n") + "\r\n\r\n"
        for _ in 0..<count / 50 {
            let bytes = Data((String(repeating: request, count: 49) + last).utf8)
            let text = String(decoding: try await RawHTTP.exchange(port: server.port, bytes), as: UTF8.self)
            try #require(text.split(separator: "HTTP/1.1 404 ", omittingEmptySubsequences: false).count == 51)
        }
    }

    /// More lines than fit into the pipe and into the memory reserved for them.
    private static let requests = 4000

    @Test func serverWorksAndStopsWhenNobodyReadsItsLog() async throws {
        let folder = try TemporaryFolder()
        let pipe = try NamedPipe(folder)
        let server = try await ServerProcess.start(
            folder: folder, environment: ["FEED_TIMEOUT": ""], logsTo: pipe.path)
        try await Self.sendLongRequests(Self.requests, to: server)
        let dropped = Int(try await server.metric("feedserver_dropped_log_lines_total"))
        #expect(dropped > 0 && dropped < Self.requests)
        #expect(try await server.stop() == 0)
        #expect(!pipe.read().isEmpty)
    }

    /// The log states how many lines are missing once somebody reads again, and continues.
    @Test func droppedLinesAreReported() async throws {
        let folder = try TemporaryFolder()
        let pipe = try NamedPipe(folder)
        let server = try await ServerProcess.start(folder: folder, logsTo: pipe.path)
        try await Self.sendLongRequests(Self.requests, to: server)
        var log = ""
        try await Wait.until("the log tells that lines were dropped") {
            log += pipe.read()
            return log.contains(#/ warning log lines were dropped count=\d+\n/#)
        }
        func known() -> Int {
            let dropped = log.matches(of: #/ warning log lines were dropped count=(\d+)\n/#).compactMap { Int($0.1) }
            let written = log.split(separator: "\n").count { $0.contains(" info request ") && $0.contains("/ppp") }
            return dropped.reduce(written, +)
        }
        // The lines of the last requests may come after that.
        try await Wait.until("each request is logged or counted") {
            log += pipe.read()
            return known() >= Self.requests
        }
        #expect(known() == Self.requests)
        let response = try await RawHTTP.send(port: server.port, "GET", "/health")
        let id = try #require(response.headers["x-request-id"])
        try await Wait.until("the next request is logged") {
            log += pipe.read()
            return log.contains(" id=\(id) ")
        }
        #expect(try await server.stop() == 0)
    }

    /// The lines of the last requests may still be in memory when the server is asked to stop.
    @Test(arguments: [SIGTERM, SIGINT]) func linesOfTheLastRequestsAreWritten(signal: Int32) async throws {
        // A server gives its log up after this time without progress.
        let server = try await ServerProcess.start(environment: ["FEED_TIMEOUT": "\(Wait.seconds)"])
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    let response = try await RawHTTP.send(port: server.port, "GET", "/health")
                    return try #require(response.headers["x-request-id"])
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(try await server.stop(signal) == 0)
        let log = server.log
        #expect(ids.count == 40)
        for id in ids { #expect(log.contains(" id=\(id) "), "\(id)") }
        #expect(log.split(separator: "\n").count { $0.contains(" info request ") } == 40)
    }

    /// Lines that were logged before a fatal error precede the error.
    @Test func linesBeforeAFatalErrorAreWritten() async throws {
        let server = try await ServerProcess.start()
        let folder = try TemporaryFolder()
        let done = try await Tool.run(
            Programs.feedserver,
            ["serve", "--data", folder.path + "/data", "--port", "\(server.port)", "--log-level", "trace"])
        #expect(done.code == 1)
        let lines = done.error.split(separator: "\n")
        let error = try #require(lines.firstIndex { $0.hasPrefix("error: ") })
        #expect(error > 0 && lines[..<error].contains { $0.contains(" debug ") || $0.contains(" trace ") })
        #expect(lines.count == error + 2 && lines[error + 1].hasPrefix("hint: "), "\(done.error)")
    }

    /// A reader that has gone away does not end the server.
    @Test func serverWorksWhenTheReaderOfItsLogEnds() async throws {
        let folder = try TemporaryFolder()
        var pipe: NamedPipe? = try NamedPipe(folder)
        let server = try await ServerProcess.start(folder: folder, logsTo: pipe?.path)
        _ = try await RawHTTP.send(port: server.port, "GET", "/health")
        pipe = nil
        for _ in 0..<20 {
            #expect(try await RawHTTP.send(port: server.port, "GET", "/health").status == 200)
        }
        #expect(try await server.stop() == 0)
    }

    /// Whoever shares standard error with the server may have made it non-blocking.
    @Test func nonBlockingPipeLosesNothing() async throws {
        let pipe = try NamedPipe(TemporaryFolder())
        let text = String(repeating: "x", count: 200)
        let lines = (0..<5000).map { LogLine.message("\($0) " + text) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        var writer = LogDescriptor(descriptor: pipe.descriptor)
                        continuation.resume(returning: writer.write(lines) {})
                    }
                }
            }
            var received = ""
            try await Wait.until("all lines have arrived") {
                received += pipe.read()
                return received.hasSuffix("4999 \(text)\n")
            }
            #expect(try await group.next() == true)
            #expect(received == (0..<5000).map { "\($0) \(text)\n" }.joined())
        }
    }
}
