import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The calls of the allocator and the disk by a server so far, as `counts.c` counts them.
struct ProcessCounts: Sendable {
    /// Calls that return memory.
    let allocations: Double
    /// Calls that wait for the disk.
    let syncs: Double
    /// Calls that write to the log.
    let logWrites: Double

    /// Debug programs have other costs.
    #if DEBUG
        static let areMeaningful = ProcessInfo.processInfo.environment["FEED_PROGRAMS"] != nil
    #else
        static let areMeaningful = true
    #endif

    /// The counts between two readings, divided by a number of requests.
    static func between(_ first: ProcessCounts, _ last: ProcessCounts, per requests: Int) -> ProcessCounts {
        let count = Double(requests)
        return ProcessCounts(
            allocations: (last.allocations - first.allocations) / count, syncs: (last.syncs - first.syncs) / count,
            logWrites: (last.logWrites - first.logWrites) / count)
    }

    /// The same with fewer allocations.
    func withoutAllocations(_ number: Double) -> ProcessCounts {
        ProcessCounts(allocations: allocations - number, syncs: syncs, logWrites: logWrites)
    }
}

/// A server whose calls are counted, with an account and a token.
final class CountedServer: Sendable {
    let process: ServerProcess
    let token: String
    /// The calls of the allocator until the server listened.
    let startAllocations: Double
    private let file: String

    private init(_ process: ServerProcess, token: String, startAllocations: Double, file: String) {
        (self.process, self.token, self.startAllocations, self.file) = (process, token, startAllocations, file)
    }

    /// Rate limits apply, as they do for users, but are never reached.
    /// - Parameter syncDelay: By how many microseconds the disk is slower.
    static func start(syncDelay: Int = 0) async throws -> CountedServer {
        let folder = try TemporaryFolder()
        let file = folder.path + "/counts"
        let library = try await PreloadedLibrary.compile("Counts/counts.c", into: folder)
        let process = try await ServerProcess.start(
            folder: folder, ["--rate-limit", "1000000000"],
            environment: ["LD_PRELOAD": library, "COUNTS_FILE": file, "SYNC_DELAY": "\(syncDelay)"],
            enforcesRateLimits: true)
        let startAllocations = try numbers(in: file)[3]
        try await process.addAccount("ada")
        return CountedServer(
            process, token: try await process.token("ada"), startAllocations: startAllocations, file: file)
    }

    func counts() throws -> ProcessCounts {
        let numbers = try Self.numbers(in: file)
        return ProcessCounts(allocations: numbers[0], syncs: numbers[1], logWrites: numbers[2])
    }

    private static func numbers(in file: String) throws -> [Double] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        try #require(bytes.count == 32, "the library has not been loaded")
        return bytes.withUnsafeBytes { buffer in
            (0..<4).map { Double(buffer.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)) }
        }
    }

    func connect() throws -> KeptConnection { try KeptConnection(port: process.port) }

    func request(_ target: String, _ headers: [String] = []) -> Data {
        KeptConnection.request("GET", target, headers: headers)
    }

    func post(_ text: String) -> Data {
        KeptConnection.request(
            "POST", "/api/v1/statuses",
            headers: ["Authorization: Bearer " + token, "Content-Type: application/x-www-form-urlencoded"],
            body: Data("status=\(text.replacing(" ", with: "+"))".utf8))
    }
}
