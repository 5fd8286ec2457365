package import Foundation

/// A connection for many requests, one after the other.
package final class KeptConnection: Sendable {
    private let descriptor: Int32

    package init(port: Int) throws {
        descriptor = try RawHTTP.connect(port: port)
        Sockets.limitWaiting(descriptor)
    }

    deinit { close(descriptor) }

    /// A request as bytes.
    package static func request(
        _ method: String, _ target: String, headers: [String] = [], body: Data? = nil
    ) -> Data {
        let length = body.map { ["Content-Length: \($0.count)"] } ?? []
        let lines = ["\(method) \(target) HTTP/1.1", "Host: feed.test"] + length + headers
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? Data())
    }

    /// Sends each request after the response to the one before it, on a thread of its own.
    /// - Returns: The last response.
    /// - Throws: ``RawFailure`` for a response with another status, or without `Content-Length`.
    @discardableResult
    package func send(_ requests: [Data], expecting status: Int) async throws -> RawHTTP.Response {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try self.exchange(requests, expecting: status) })
            }
        }
    }

    /// Sends a request without a body, and returns its response, whatever the status.
    package func ask(_ method: String, _ target: String, _ headers: [String] = []) async throws -> RawHTTP.Response {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        var received = Data()
                        try self.write(Self.request(method, target, headers: headers))
                        return try self.read(&received, to: method)
                    })
            }
        }
    }

    /// Sends a request in pieces that arrive one after the other, and returns its response.
    package func ask(pieces: [Data]) async throws -> RawHTTP.Response {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        for piece in pieces {
                            try self.write(piece)
                            Thread.sleep(forTimeInterval: 0.1)
                        }
                        var received = Data()
                        return try self.read(&received)
                    })
            }
        }
    }

    /// Sends several requests with GET at once, and returns their responses.
    package func pipeline(_ requests: Data, count: Int) async throws -> [RawHTTP.Response] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        var received = Data()
                        try self.write(requests)
                        return try (0..<count).map { _ in try self.read(&received) }
                    })
            }
        }
    }

    private func exchange(_ requests: [Data], expecting status: Int) throws -> RawHTTP.Response {
        var last: RawHTTP.Response?
        var received = Data()
        for request in requests {
            try write(request)
            let response = try read(&received)
            guard response.status == status else {
                throw RawFailure(text: "\(response.status) instead of \(status): \(response.text)")
            }
            last = response
        }
        guard let last else { throw RawFailure(text: "no requests") }
        return last
    }

    private func write(_ request: Data) throws {
        let count = request.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count == request.count else { throw RawFailure(text: "sent \(count) of \(request.count) bytes") }
    }

    private func read(_ received: inout Data, to method: String = "GET") throws -> RawHTTP.Response {
        let end = Data("\r\n\r\n".utf8)
        while received.range(of: end) == nil { try receive(&received) }
        guard let head = received.range(of: end) else { throw RawFailure(text: "no head") }
        let response = try RawHTTP.parse(received[..<head.upperBound])
        let hasBody = method != "HEAD" && response.status != 304 && response.status != 204
        guard let length = hasBody ? response.headers["content-length"].flatMap({ Int($0) }) : 0 else {
            throw RawFailure(text: "no Content-Length: \(response.headers)")
        }
        let total = received.distance(from: received.startIndex, to: head.upperBound) + length
        while received.count < total { try receive(&received) }
        let whole = try RawHTTP.parse(Data(received.prefix(total)))
        received = Data(received.dropFirst(total))
        return whole
    }

    private func receive(_ received: inout Data) throws {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { throw RawFailure(text: "closed after \(received.count) bytes") }
        received.append(contentsOf: chunk[..<count])
    }
}
