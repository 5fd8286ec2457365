import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// A real HTTP server with one file. It supports ranges, and its rate can be limited.
final class FileHost: Sendable {
    /// Deviations from a correct server.
    struct Behavior {
        /// Redirects all requests to this URL.
        var redirect: String?
        /// The value of `Content-Disposition`.
        var disposition: String?
        /// Sends the whole file in response to a range request, but advertises ranges.
        var ignoresRanges = false
        /// The maximum number of active responses; further requests get 429.
        var maximumActive = Int.max
        /// The ETags of several servers, in turn.
        var tags: [String] = []
        /// The delay before each response.
        var delay = Duration.zero
        /// The number of bytes of each body after which it stalls, until the number is increased.
        var stallsAfter = Int.max
    }

    private struct State {
        var behavior = Behavior()
        var port = 0
        var bytes: [UInt8]
        var tag: String? = "\"v1\""
        var hasDigest = false
        /// Bytes per second and connection; 0 for no limit.
        var rate = 0
        var requests: [String] = []
        var active = 0
        var served = 0
    }

    private let state: Mutex<State>

    private init(_ bytes: [UInt8]) { state = Mutex(State(bytes: bytes)) }

    var address: String { state.withLock { "http://127.0.0.1:\($0.port)/file.bin" } }
    var bytes: [UInt8] { state.withLock { $0.bytes } }
    /// The `Range` fields of all requests.
    var requests: [String] { state.withLock { $0.requests } }
    var active: Int { state.withLock { $0.active } }
    /// Returns the number of bytes sent since the last call, once all responses have ended.
    func takeServed() async throws -> Int {
        try await Wait.until("all responses have ended") { active == 0 }
        return state.withLock { state in
            defer { state.served = 0 }
            return state.served
        }
    }

    func behave(_ change: (inout Behavior) -> Void) { state.withLock { change(&$0.behavior) } }

    func limit(_ rate: Int) { state.withLock { $0.rate = rate } }

    func offer(tag: String?, hasDigest: Bool = false) { state.withLock { ($0.tag, $0.hasDigest) = (tag, hasDigest) } }

    func replace(_ bytes: [UInt8], tag: String) { state.withLock { ($0.bytes, $0.tag) = (bytes, tag) } }

    /// Runs a server for the duration of `test`.
    /// - Parameter port: 0 for any free port.
    static func serving<Value: Sendable>(
        _ bytes: [UInt8], port: Int = 0,
        _ test: @escaping @Sendable (FileHost, DownloadFolder) async throws -> Value
    ) async throws -> Value {
        let host = FileHost(bytes)
        return try await LocalServer.serving(port: port, host.respond) { port in
            host.state.withLock { $0.port = port }
            return try await DownloadFolder.withTemporary { try await test(host, $0) }
        }
    }

    @Sendable private func respond(_ request: Request) async throws -> Response {
        let field = request.headers[.range] ?? ""
        let (state, number) = state.withLock { state in
            state.requests.append(field)
            return (state, state.requests.count)
        }
        let (bytes, behavior) = (state.bytes, state.behavior)
        try await Task.sleep(for: behavior.delay)
        if let redirect = behavior.redirect { return Response(status: .found, headers: [.location: redirect]) }
        guard state.active < behavior.maximumActive else {
            return Response(status: .tooManyRequests, headers: [.retryAfter: "0"])
        }
        var headers: HTTPFields = [.acceptRanges: "bytes"]
        headers[.contentDisposition] = behavior.disposition
        headers[.eTag] = behavior.tags.isEmpty ? state.tag : behavior.tags[number % behavior.tags.count]
        if state.hasDigest, let name = HTTPField.Name("Repr-Digest") {
            headers[name] = Checksum.digestField(Data(bytes))
        }
        guard !behavior.ignoresRanges, let range = Self.range(field, of: bytes.count) else {
            return Response(status: .ok, headers: headers, body: body(bytes[...]))
        }
        headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
        return Response(status: .partialContent, headers: headers, body: body(bytes[range]))
    }

    private static func range(_ field: String, of size: Int) -> Range<Int>? {
        let ends = field.replacingOccurrences(of: "bytes=", with: "").split(
            separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first < size else { return nil }
        return first..<min(size, (Int(ends[1]) ?? size - 1) + 1)
    }

    private func body(_ bytes: ArraySlice<UInt8>) -> ResponseBody {
        ResponseBody(contentLength: bytes.count) { writer in
            self.state.withLock { $0.active += 1 }
            defer { self.state.withLock { $0.active -= 1 } }
            var rest = bytes
            while !rest.isEmpty {
                let (rate, allowed) = self.state.withLock {
                    ($0.rate, $0.behavior.stallsAfter - (bytes.count - rest.count))
                }
                guard allowed > 0 else {
                    try await Task.sleep(for: .milliseconds(20))
                    continue
                }
                let part = rest.prefix(min(allowed, rate == 0 ? 1 << 20 : max(1, rate / 50)))
                try await writer.write(ByteBuffer(bytes: part))
                self.state.withLock { $0.served += part.count }
                rest = rest.dropFirst(part.count)
                if rate > 0 { try await Task.sleep(for: .milliseconds(20)) }
            }
        }
    }
}

extension FileHost {
    /// Downloads some of the file, then stops as Ctrl-C does. The body stalls, so the download cannot finish first.
    /// - Parameters:
    ///   - source: A URL that redirects to this server; `nil` for its own.
    ///   - count: The minimum number of bytes that are on the disk by then.
    func interrupt(
        _ destination: DownloadFolder, from source: String? = nil, after count: Int64, _ options: DownloadOptions
    ) async throws {
        behave { $0.stallsAfter = Int(count) + WriteBuffer.capacity }
        let source = source ?? address
        let (reports, report) = AsyncStream.makeStream(of: DownloadProgress.self)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { report.finish() }
                _ = try await destination.client.download(source, to: destination.path, options: options) {
                    report.yield($0)
                }
            }
            for await progress in reports where progress.done >= count { break }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
        behave { $0.stallsAfter = .max }
        _ = try await takeServed()
    }
}
