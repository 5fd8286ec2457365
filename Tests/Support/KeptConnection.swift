package import Foundation
import Synchronization

/// A connection on which several requests are sent, one after the other or pipelined.
package final class KeptConnection: Sendable {
    private let descriptor: Int32
    /// What has arrived after the last response.
    private let rest = Mutex(Data())

    package init(port: Int) throws {
        descriptor = try RawHTTP.connect(port: port)
        Sockets.limitWaiting(descriptor)
    }

    deinit { close(descriptor) }

    /// Sends a request without a body, and returns the response.
    package func ask(_ method: String, _ target: String, _ headers: [String] = []) async throws -> RawHTTP.Response {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: feed.test"] + headers
        return try await exchange(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8), [method])[0]
    }

    /// Sends bytes unchanged, and returns the responses to the requests in them.
    /// - Parameter methods: The methods of the requests.
    /// - Throws: ``RawFailure`` if a response is missing or has no length.
    package func exchange(_ bytes: Data, _ methods: [String]) async throws -> [RawHTTP.Response] {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { [self] in
                continuation.resume(with: Result { try blockingExchange(bytes, methods) })
            }
        }
    }

    private func blockingExchange(_ bytes: Data, _ methods: [String]) throws -> [RawHTTP.Response] {
        try rest.withLock { rest in
            _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            return try methods.map { try response(to: $0, &rest) }
        }
    }

    private func response(to method: String, _ rest: inout Data) throws -> RawHTTP.Response {
        while rest.range(of: Data("\r\n\r\n".utf8)) == nil { try receive(&rest) }
        let head = try RawHTTP.parse(rest)
        let headLength = rest.count - head.body.count
        var length = 0
        if method != "HEAD", head.status != 304 {
            guard let known = head.headers["content-length"].flatMap({ Int($0) }) else {
                throw RawFailure(text: "no length in the response to \(method)")
            }
            length = known
        }
        while rest.count < headLength + length { try receive(&rest) }
        let raw = Data(rest.prefix(headLength + length))
        rest = Data(rest.dropFirst(raw.count))
        return try RawHTTP.parse(raw)
    }

    private func receive(_ rest: inout Data) throws {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { throw RawFailure(text: "closed after \(rest.count) bytes") }
        rest.append(contentsOf: chunk[..<count])
    }
}
