package import Foundation
import TestKit

/// Sends raw bytes over a socket, for requests that no correct client would send.
package enum RawHTTP {
    /// A parsed response.
    package struct Response: Sendable {
        package let status: Int
        /// Keyed by lowercase name.
        package let headers: [String: String]
        package let body: Data
        package let raw: Data

        package var text: String { String(decoding: body, as: UTF8.self) }
        /// Whether the body has arrived, as far as its length is known.
        package var isComplete: Bool { body.count >= headers["content-length"].flatMap { Int($0) } ?? 0 }
    }

    /// Sends a request with `Connection: close` and reads to the end.
    /// - Parameter source: The client's address in the loopback network.
    package static func send(
        port: Int, _ method: String, _ target: String, headers: [String] = [], body: Data? = nil,
        from source: String? = nil
    ) async throws -> Response {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + headers
        if let body, !headers.contains(where: { $0.lowercased().hasPrefix("content-length") }) {
            lines.append("Content-Length: \(body.count)")
        }
        let request = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? Data())
        return try parse(try await exchange(port: port, request, from: source))
    }

    /// Sends bytes unchanged and reads until the server closes the connection.
    /// - Throws: ``RawFailure`` if it keeps the connection open and sends nothing for ``Wait/seconds``.
    package static func exchange(port: Int, _ bytes: Data, from source: String? = nil) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try blockingExchange(port: port, bytes, from: source) })
            }
        }
    }

    package static func parse(_ raw: Data) throws -> Response {
        guard let end = raw.range(of: Data("\r\n\r\n".utf8)) else {
            throw RawFailure(text: "no header end in \(raw.count) bytes")
        }
        let head = String(decoding: raw[..<end.lowerBound], as: UTF8.self)
        var lines = head.components(separatedBy: "\r\n")
        guard let status = lines.removeFirst().split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw RawFailure(text: "no status in " + head)
        }
        var headers: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        return Response(status: status, headers: headers, body: Data(raw[end.upperBound...]), raw: raw)
    }

    private static func blockingExchange(port: Int, _ bytes: Data, from source: String?) throws -> Data {
        let descriptor = try connect(port: port, from: source)
        defer { close(descriptor) }
        Sockets.limitWaiting(descriptor)
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let count = Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, Int32(MSG_NOSIGNAL))
                if count <= 0 { return }
                sent += count
            }
        }
        var result = Data()
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, errno == EAGAIN {
                throw RawFailure(text: "still open after \(Wait.seconds) seconds without a byte")
            }
            if count <= 0 { return result }
            result.append(contentsOf: chunk[..<count])
        }
    }

    /// A connected socket.
    package static func connect(port: Int, from source: String? = nil) throws -> Int32 {
        let descriptor = Sockets.make()
        do {
            if let source { try Sockets.bind(descriptor, address: source) }
            try Sockets.connect(descriptor, port: port)
        } catch {
            close(descriptor)
            throw RawFailure(text: "cannot connect")
        }
        return descriptor
    }
}

package struct RawFailure: Error, CustomStringConvertible {
    let text: String

    package var description: String { text }
}
