import FeedTestSupport
import Foundation
import Synchronization

/// A real server that follows a plan, on two ports of this machine, and records all requests.
final class FaultServer: Sendable {
    /// A request for the file and its outcome.
    struct Seen: Sendable {
        let request: FaultRequest
        let status: Int
        /// The number of bytes of the body that were sent.
        var sent = 0
    }

    private struct State {
        var plan: FaultPlan
        var seen: [Seen] = []
        var open: Set<Int32> = []
        var active = 0
        var isClosed = false

        var served: Int { seen.reduce(0) { $0 + $1.sent } }
    }

    private let state: Mutex<State>
    private let listeners: [Int32]
    private let ports: [Int]

    /// The port given to the client.
    var port: Int { ports[0] }
    /// The address given to the client.
    var address: String { "http://127.0.0.1:\(port)" }
    var url: String { address + "/file.bin" }
    /// The same file at the other address, which is a different origin for clients.
    var otherURL: String { "http://127.0.0.1:\(ports[1])/file.bin" }
    var seen: [Seen] { state.withLock { $0.seen } }
    /// The number of bytes of bodies sent so far.
    var served: Int { state.withLock { $0.served } }
    /// Whether everything that the plan permits has been sent.
    var isSilent: Bool { state.withLock { $0.served >= $0.plan.silentAfter } }

    /// Runs a server for the duration of `test`.
    static func serving<Value>(
        _ plan: FaultPlan, _ test: (FaultServer) async throws -> Value
    ) async throws -> Value {
        let server = try FaultServer(plan)
        defer { server.close() }
        return try await test(server)
    }

    private init(_ plan: FaultPlan) throws {
        state = Mutex(State(plan: plan))
        listeners = try (0..<2).map { _ in try Sockets.listen() }
        ports = try listeners.map { try Sockets.port(of: $0) }
        for (origin, listener) in listeners.enumerated() {
            Thread.detachNewThread { self.accept(on: listener, origin: origin) }
        }
    }

    /// Offers another file at the same address, with other faults, and resets the counts.
    func change(to plan: FaultPlan) {
        state.withLock { state in
            state.plan = plan
            state.seen = []
        }
    }

    private func close() {
        state.withLock { state in
            state.isClosed = true
            for descriptor in listeners + state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }
}

// MARK: - Connections

extension FaultServer {
    private func accept(on listener: Int32, origin: Int) {
        while let connection = Sockets.accept(listener) {
            let isWanted = state.withLock { state in
                !state.isClosed && state.open.insert(connection.descriptor).inserted
            }
            guard isWanted else {
                connection.close()
                break
            }
            Thread.detachNewThread { self.serve(connection, origin: origin) }
        }
        Glibc.close(listener)
    }

    private func serve(_ connection: FaultConnection, origin: Int) {
        var after = FaultWriter.After.keepOpen
        while after == .keepOpen, let head = connection.readHead(),
            let request = FaultRequest(head: head, origin: origin)
        {
            let isAPI = request.path.hasPrefix("/api/")
            after = isAPI ? respondToLogin(on: connection) : respondWithFile(request, on: connection)
        }
        _ = state.withLock { $0.open.remove(connection.descriptor) }
        if after == .reset { connection.reset() } else { connection.close() }
    }

    /// Implements enough of the API for a login with a token.
    private func respondToLogin(on connection: FaultConnection) -> FaultWriter.After {
        var response = FaultResponse(200)
        response.body = Data(#"{"id":"1","username":"ada","acct":"ada","display_name":"Ada"}"#.utf8)
        return FaultWriter(response, isHead: false).run(on: connection) { _, bytes in bytes }
    }

    private func respondWithFile(_ request: FaultRequest, on connection: FaultConnection) -> FaultWriter.After {
        let (index, response) = plan(request)
        defer { state.withLock { $0.active -= 1 } }
        return FaultWriter(located(response, request), isHead: request.method == "HEAD").run(on: connection) {
            at, bytes in
            state.withLock { state in
                let served = state.served
                guard served < state.plan.silentAfter else { return nil }
                let current = state.plan.version(at: served).bytes
                // A new plan may have reset the counts meanwhile.
                if index < state.seen.count { state.seen[index].sent += bytes.count }
                guard case .inPlace = state.plan.replacement, current.count >= at + bytes.count else { return bytes }
                return current[at..<at + bytes.count]
            }
        }
    }

    private func plan(_ request: FaultRequest) -> (index: Int, response: FaultResponse) {
        state.withLock { state in
            var request = request
            request.number = state.seen.count + 1
            if request.range?.first ?? 0 > 0 {
                request.resumed = 1 + state.seen.filter { $0.request.resumed > 0 }.count
            }
            request.busy = state.active
            state.active += 1
            let response = state.plan.response(to: request, served: state.served)
            state.seen.append(Seen(request: request, status: response.status))
            return (state.seen.count - 1, response)
        }
    }

    private func located(_ response: FaultResponse, _ request: FaultRequest) -> FaultResponse {
        var response = response
        response["Location"] = response["Location"]?
            .replacing("{own}", with: address).replacing("{other}", with: "http://127.0.0.1:\(ports[1])")
            .replacing("{path}", with: request.path)
        return response
    }
}
