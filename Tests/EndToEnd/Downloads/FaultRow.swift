import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The behavior of a server, and the expected result of a download from it.
struct FaultRow: CustomTestStringConvertible, Sendable {
    /// A number of chunks and a remainder.
    static let size = 3 << 20 | 17
    /// The offset at which connections are cut, unless a row specifies another.
    static let cut = 2 << 20
    static let chunk = 256 << 10
    /// The same length, but different bytes and a different entity tag.
    static let file = OfferedFile.random(size)
    static let other = OfferedFile.random(size, seed: 2)

    let testDescription: String
    let plan: FaultPlan
    let expected: Expected
    var options: [String] = []
    /// The maximum number of bytes served with the default number of connections; more would mean that stored bytes
    /// were fetched again.
    var maximumServed = Int.max
    var maximumRequests = Int.max
    var largestFile: Int?

    init(
        _ name: String, _ expected: Expected, file: OfferedFile = file, _ rules: [FaultRule],
        replacement: FaultPlan.Replacement = .never, options: [String] = [], maximumServed: Int = .max,
        maximumRequests: Int = .max, largestFile: Int? = nil
    ) {
        testDescription = name
        plan = FaultPlan(file, rules, replacement: replacement)
        (self.expected, self.options, self.largestFile) = (expected, options, largestFile)
        (self.maximumServed, self.maximumRequests) = (maximumServed, maximumRequests)
    }

    private var versions: [OfferedFile] {
        switch plan.replacement {
        case .never: [plan.file]
        case .afterBytes(_, let next), .inPlace(_, let next): [plan.file, next]
        }
    }

    /// Downloads the file and checks the result.
    /// - Parameter patience: The time in seconds after which the client leaves a silent server.
    func check(_ width: ConnectionCount, patience: Int = Wait.seconds) async throws {
        try await DownloadSlots.shared.run {
            try await FaultServer.serving(plan) { server in
                let fixture = try DownloadFixture()
                let done = try await fixture.download(
                    server.url, ["--chunk-size", "256KiB"] + width.options + options, largestFile: largestFile,
                    patience: patience)
                try fixture.check(done, expected, versions: versions)
                #expect(server.seen.count <= maximumRequests, "\(server.seen.count) requests")
                if width == .standard { #expect(server.served <= maximumServed, "\(server.served) bytes") }
                if done.code != 0 { try await checkRecovery(server, fixture, width) }
            }
        }
    }
}

extension FaultRow {
    /// The leftovers of a failed download do not impair the next one, for which the server works correctly.
    private func checkRecovery(_ server: FaultServer, _ fixture: DownloadFixture, _ width: ConnectionCount) async throws
    {
        server.change(to: FaultPlan(plan.file))
        let done = try await fixture.download(server.url, ["--chunk-size", "256KiB"] + width.options)
        try fixture.check(done, .right, versions: [plan.file])
    }
}

/// The number of connections of a download.
enum ConnectionCount: Sendable, CaseIterable {
    case standard, four

    var options: [String] { self == .four ? ["--connections", "4"] : [] }
}

/// Limits the number of concurrent downloads, because running all at once would only measure the machine.
actor DownloadSlots {
    static let shared = DownloadSlots(free: 8)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(free: Int) { self.free = free }

    nonisolated func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        await acquire()
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await release()
        return try result.get()
    }

    private func acquire() async {
        guard free == 0 else { return free -= 1 }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func release() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
