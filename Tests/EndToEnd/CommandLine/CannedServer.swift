import FeedTestSupport
import Foundation
import Synchronization

/// A server whose responses a test has written, byte for byte.
final class CannedServer: Sendable {
    private struct State {
        var paths: [String] = []
        var open: Set<Int32> = []
        var isClosed = false
    }

    let port: Int
    private let listener: Int32
    private let respond: @Sendable (FaultRequest) -> FaultResponse
    private let state = Mutex(State())

    var address: String { "http://127.0.0.1:\(port)" }
    /// The paths that have been requested, with their queries.
    var paths: [String] { state.withLock { $0.paths } }

    init(_ respond: @escaping @Sendable (FaultRequest) -> FaultResponse) throws {
        self.respond = respond
        listener = try Sockets.listen()
        port = try Sockets.port(of: listener)
        Thread.detachNewThread { self.acceptAll() }
    }

    /// Must be called, because the threads keep the server.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for descriptor in state.open.union([listener]) { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func acceptAll() {
        while let connection = Sockets.accept(listener) {
            let isWanted = state.withLock { state in
                !state.isClosed && state.open.insert(connection.descriptor).inserted
            }
            guard isWanted else {
                connection.close()
                break
            }
            Thread.detachNewThread { self.serve(connection) }
        }
        Glibc.close(listener)
    }

    private func serve(_ connection: FaultConnection) {
        var after = FaultWriter.After.keepOpen
        while after == .keepOpen, let head = connection.readHead(), let request = FaultRequest(head: head, origin: 0) {
            state.withLock { $0.paths.append(request.path) }
            after = FaultWriter(respond(request), isHead: false).run(on: connection) { _, bytes in bytes }
            // The body of the request has not been read.
            if request.method != "GET" { after = .close }
        }
        _ = state.withLock { $0.open.remove(connection.descriptor) }
        connection.close()
    }
}

extension FaultResponse {
    /// A complete response.
    static func text(_ text: String, status: Int = 200, _ headers: [(String, String)] = []) -> FaultResponse {
        var response = FaultResponse(status)
        response.headers = headers.map { (name: $0.0, value: $0.1) }
        response.body = Data(text.utf8)
        return response
    }
}
