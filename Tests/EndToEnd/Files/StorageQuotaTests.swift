import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A server with a quota of 1 MiB per account, configured in one of two ways.
enum QuotaSetting: String, CaseIterable, Sendable {
    case option, environment

    func start() async throws -> FileServer {
        switch self {
        case .option: try await FileServer.start(["--file-quota", "1MiB"])
        case .environment: try await FileServer.start(environment: ["FEEDSERVER_FILE_QUOTA": "1MiB"])
        }
    }
}

@Suite(.hangLimit, .serialized)
struct StorageQuotaTests {
    private static let content = SampleBytes.make(700_000, seed: 15)

    @Test(arguments: QuotaSetting.allCases)
    func quotaIsEnforcedPerAccount(setting: QuotaSetting) async throws {
        let server = try await setting.start()
        #expect(try await server.put("one.bin", Self.content).status == 201)
        let refused = try await server.put("two.bin", Self.content)
        #expect(refused.status == 507 && refused.text.contains("\"error\""))
        #expect(try await server.get("two.bin").status == 404)
        // Other accounts have their own quota, and a file that fits is still stored.
        #expect(try await server.put("hers.bin", Self.content, as: server.eve).status == 201)
        #expect(try await server.put("small.bin", Data(repeating: 1, count: 300_000)).status == 201)
        // Replacing a file frees its space.
        #expect(try await server.put("one.bin", SampleBytes.make(700_000, seed: 16)).status == 204)
        #expect(try await server.delete("one.bin").status == 204)
        #expect(try await server.put("two.bin", Self.content).status == 201)
    }

    /// Rejected before `100 Continue`.
    @Test(arguments: ["PUT /files/more.bin", "POST /files"])
    func uploadOverTheQuotaIsRejectedBeforeContinue(request: String) async throws {
        let server = try await FileServer.start(["--file-quota", "1MiB"])
        try await server.store("one.bin", Self.content)
        let words = request.split(separator: " ").map { String($0) }
        let head = server.request(
            words[0], words[1],
            [
                "Content-Length: 700000", "Content-Type: multipart/form-data; boundary=B", "Expect: 100-continue",
            ], as: server.ada)
        let response = try await Wire.on(port: server.port) { wire in
            wire.send(head)
            return try wire.response()
        }
        #expect(response?.status == 507)
    }

    /// Without a declared length, the quota is enforced while reading.
    @Test func quotaAppliesToChunkedUploads() async throws {
        let server = try await FileServer.start(["--file-quota", "1MiB"])
        try await server.store("one.bin", Self.content)
        let head = server.request("PUT", "/files/more.bin", ["Transfer-Encoding: chunked"], as: server.ada)
        let response = try await Wire.on(port: server.port) { wire in
            wire.send(head + Data("aae60\r\n".utf8) + Self.content + Data("\r\n0\r\n\r\n".utf8))
            return try wire.response()
        }
        #expect(response?.status == 507)
        #expect(try await server.get("more.bin").status == 404)
        #expect(try await server.settled(), "\(server.unfinished())")
    }

    /// Two concurrent uploads that fit only individually: the total is checked when the names are stored.
    @Test func concurrentUploadsDoNotExceedTheQuota() async throws {
        let server = try await FileServer.start(["--file-quota", "1MiB"])
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<8 {
                group.addTask {
                    try await server.put("race-\(index).bin", SampleBytes.make(700_000, seed: UInt64(index))).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [201] + Array(repeating: 507, count: 7))
        #expect(try await server.list().count == 1)
    }
}
