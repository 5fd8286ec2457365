import FeedTestSupport
import Foundation
import Synchronization

/// A proxy that loses requests to post a status or other chosen ones, or their responses, or holds them back. The rest
/// passes.
final class LossyProxy: Sendable {
    enum Fault: Sendable {
        /// The connection is closed before the server gets the request.
        case losesRequest
        /// The connection is closed after the server has responded.
        case losesResponse
        /// As ``losesRequest``, but only after the client has disconnected.
        case holdsRequest
        /// As ``losesResponse``, but only after the client has disconnected.
        case holdsResponse
        /// A response that is not from the server.
        case responds(Int)
    }

    private struct State {
        var faults: [Fault] = []
        /// The beginning of the requests that have faults.
        var line = "POST /api/v1/statuses "
        var version: String?
        var held = 0
        var posts = 0
    }

    let port: Int
    private let target: Int
    private let listener: Int32
    private let state = Mutex(State())

    var address: String { "http://127.0.0.1:\(port)" }
    /// The number of requests that are held back, or have been.
    var held: Int { state.withLock { $0.held } }
    /// The number of chosen requests, at first those to post, that have arrived here.
    var posts: Int { state.withLock { $0.posts } }

    /// Runs a proxy for the duration of `test`.
    /// - Parameters:
    ///   - target: The server's port.
    ///   - version: The version that the server pretends to have.
    static func serving<Value>(
        _ target: Int, version: String? = nil, _ test: (LossyProxy) async throws -> Value
    ) async throws -> Value {
        let proxy = try LossyProxy(target, version)
        defer { shutdown(proxy.listener, Int32(SHUT_RDWR)) }
        return try await test(proxy)
    }

    private init(_ target: Int, _ version: String?) throws {
        self.target = target
        listener = try Sockets.listen()
        port = try Sockets.port(of: listener)
        state.withLock { $0.version = version }
        Thread.detachNewThread { self.accept() }
    }

    /// Applies a fault to the next request to post, or to the next of those chosen last.
    func fail(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }

    /// Chooses the requests that begin in this way, and applies a fault to the next of them.
    func fail(_ fault: Fault, _ line: String) {
        state.withLock { state in
            state.line = line
            state.faults.append(fault)
        }
    }

    private func accept() {
        while let client = Sockets.accept(listener) { Thread.detachNewThread { self.serve(client) } }
        Glibc.close(listener)
    }

    private func serve(_ client: FaultConnection) {
        defer { client.close() }
        guard let head = client.readHead(), let body = Self.body(of: head, client) else { return }
        let fault = head.hasPrefix(state.withLock { $0.line }) ? nextFault() : nil
        if let version = state.withLock({ $0.version }), head.hasPrefix("GET /api/v1/instance ") {
            _ = client.send(Self.response(200, #"{"uri":"a","title":"A","version":"\#(version)"}"#))
            return
        }
        switch fault {
        case .losesRequest: return
        case .holdsRequest: return hold(client)
        case .responds(let status):
            _ = client.send(Self.response(status, #"{"error":"The proxy says \#(status)"}"#))
            return
        case nil, .losesResponse, .holdsResponse: break
        }
        guard let response = try? forward(head, body) else { return }
        switch fault {
        case nil: _ = client.send(response)
        case .holdsResponse: hold(client)
        default: return
        }
    }

    private func nextFault() -> Fault? {
        state.withLock { state in
            state.posts += 1
            return state.faults.isEmpty ? nil : state.faults.removeFirst()
        }
    }

    /// Waits until the client has disconnected.
    private func hold(_ client: FaultConnection) {
        state.withLock { $0.held += 1 }
        _ = client.wait(milliseconds: -1)
    }

    /// - Returns: The response, which says that the connection ends.
    private func forward(_ head: String, _ body: Data) throws -> Data {
        let server = FaultConnection(descriptor: try RawHTTP.connect(port: target))
        defer { server.close() }
        guard server.send(Data((head + "\r\nConnection: close\r\n\r\n").utf8) + body) else { return Data() }
        var (response, chunk) = (Data(), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = recv(server.descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            response.append(contentsOf: chunk[..<count])
        }
        guard let end = response.firstIndex(of: 10) else { return response }
        return response[...end] + Data("Connection: close\r\n".utf8) + response[(end + 1)...]
    }

    private static func response(_ status: Int, _ json: String) -> Data {
        Data("HTTP/1.1 \(status) X\r\nConnection: close\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)".utf8)
    }

    /// The body of a request; `nil` if the client disconnects.
    private static func body(of head: String, _ client: FaultConnection) -> Data? {
        let field = head.lowercased().components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        var (body, chunk) = (Data(), [UInt8](repeating: 0, count: 65_536))
        while body.count < length {
            let count = recv(client.descriptor, &chunk, min(chunk.count, length - body.count), 0)
            guard count > 0 else { return nil }
            body.append(contentsOf: chunk[..<count])
        }
        return body
    }
}
