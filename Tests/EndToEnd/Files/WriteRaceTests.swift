import FeedTestSupport
import Foundation
import TestKit
import Testing

@Suite(.hangLimit, .serialized, .fileServer())
struct WriteRaceTests {
    /// The number of concurrent requests.
    private static let width = 20

    /// Runs `run` `count` times, ``width`` at once.
    private static func race(_ count: Int, _ run: @escaping @Sendable (Int) async throws -> Int) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<min(width, count) { group.addTask { try await run(index) } }
            var next = width
            var results: [Int] = []
            while let result = try await group.next() {
                results.append(result)
                let index = next
                next += 1
                if index < count { group.addTask { try await run(index) } }
            }
            return results
        }
    }

    /// A thousand writers, a hundred for each of ten versions: no update is lost.
    @Test func onlyOneConditionalUpdatePerVersionSucceeds() async throws {
        let server = try FileServer.here()
        try await server.store("raced.txt", Data("version 0".utf8))
        var tags: Set<String> = []
        for version in 1...10 {
            let tag = try #require(try await server.head("raced.txt").headers["etag"])
            tags.insert(tag)
            let statuses = try await Self.race(100) { writer in
                let content = Data("version \(version) by \(writer)".utf8)
                return try await server.put("raced.txt", content, ["If-Match: " + tag]).status
            }
            #expect(statuses.count { $0 == 204 } == 1, "version \(version)")
            #expect(statuses.count { $0 == 412 } == 99, "version \(version)")
            #expect(try await server.get("raced.txt").text.hasPrefix("version \(version) by "))
        }
        #expect(tags.count == 10)
    }

    @Test func onlyOneConditionalCreationSucceeds() async throws {
        let server = try FileServer.here()
        for round in 0..<5 {
            let name = "new-\(round).txt"
            let statuses = try await Self.race(60) { writer in
                let token = writer % 2 == 0 ? server.ada : server.eve
                return try await server.put(name, Data("by \(writer)".utf8), ["If-None-Match: *"], as: token).status
            }
            #expect(statuses.count { $0 == 201 } == 1)
            // Another account's request is rejected before the file's state is checked.
            #expect(statuses.allSatisfy { [201, 403, 412].contains($0) }, "\(statuses)")
        }
    }

    /// Without preconditions the last write wins as a whole.
    @Test func readersSeeOnlyCompleteVersions() async throws {
        let server = try FileServer.here()
        let versions = (0..<20).map { SampleBytes.make(150_000 + $0 * 1000, seed: UInt64(100 + $0)) }
        try await server.store("whole.bin", versions[0])
        let statuses = try await Self.race(100) { index in
            if index % 2 == 0 { return try await server.put("whole.bin", versions[index / 5]).status }
            let response = try await server.get("whole.bin")
            return versions.contains(response.body) && response.status == 200 ? 200 : 0
        }
        #expect(statuses.count { $0 == 200 } == 50 && statuses.count { $0 == 204 } == 50, "\(statuses)")
    }

    @Test func onlyOneDeletionSucceeds() async throws {
        let server = try FileServer.here()
        try await server.store("deleted.txt", Written.old)
        let statuses = try await Self.race(40) { _ in try await server.delete("deleted.txt").status }
        #expect(statuses.count { $0 == 204 } == 1 && statuses.count { $0 == 404 } == 39)
    }
}
