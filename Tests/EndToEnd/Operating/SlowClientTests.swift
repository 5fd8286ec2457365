import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

/// slowhttptest occupies the server with 1,000 connections, and another client is served all the time.
@Suite(.hangLimit, .serialized)
struct SlowClientTests {
    private final class Attack: Sendable {
        let isOver = Atomic(false)
    }

    private static let connections = ["-c", "1000", "-r", "500", "-l", "8", "-p", "5"]

    /// The arguments of an attack on a server with a file of 8 MiB at `/files/large.bin`.
    static let attacks: [(name: String, arguments: [String], path: String)] = [
        ("slow headers", ["-H", "-i", "2", "-x", "24"], "/"),
        ("slow bodies", ["-B", "-i", "2", "-s", "8192", "-x", "10", "-t", "POST"], "/oauth/token"),
        ("slow readers", ["-X", "-w", "512", "-y", "1024", "-n", "2", "-z", "32", "-k", "1"], "/files/large.bin"),
    ]

    @Test(
        .enabled(if: Tool.isInstalled("slowhttptest"), "apt install slowhttptest"), arguments: attacks.map(\.name))
    func otherClientsAreServed(attack: String) async throws {
        let attack = try #require(Self.attacks.first { $0.name == attack })
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let token = try await server.token("ada")
        let stored = try await RawHTTP.send(
            port: server.port, "PUT", "/files/large.bin", headers: ["Authorization: Bearer \(token)"],
            body: Data(repeating: 7, count: 8 << 20))
        try #require(stored.status == 201)
        let running = Attack()
        let (served, failed) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            group.addTask {
                defer { running.isOver.store(true, ordering: .relaxed) }
                let done = try await Tool.run(
                    "slowhttptest", Self.connections + attack.arguments + ["-u", server.address + attack.path])
                #expect(done.code == 0, "\(done.text) \(done.error)")
                return (0, 0)
            }
            group.addTask {
                var counts = (served: 0, failed: 0)
                repeat {
                    let path = ["/health", "/api/v1/timelines/public", "/"][(counts.served + counts.failed) % 3]
                    let response = try? await RawHTTP.send(port: server.port, "GET", path, from: "127.0.0.2")
                    if response?.status == 200 { counts.served += 1 } else { counts.failed += 1 }
                } while !running.isOver.load(ordering: .relaxed)
                return counts
            }
            return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        }
        #expect(served > 0 && failed == 0, "\(served) served, \(failed) failed")
        #expect(try await server.stop() == 0)
    }
}
