import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// The n-th call to the disk fails, for every n: the destination is never wrong, and the next attempt succeeds.
@Suite(.hangLimit)
struct FailingDiskTests {
    private static let bytes = Array(SampleBytes.make(700_001))

    /// Counts calls and makes one of them fail, or that one and all later ones.
    private final class Saboteur: Sendable {
        private let count = Atomic(0)

        var calls: Int { count.load(ordering: .relaxed) }

        func calls(failing number: Int, forGood: Bool = false, with code: CInt) -> SystemCalls {
            SystemCalls(injectedError: { _ in
                let now = self.count.add(1, ordering: .relaxed).newValue
                return now == number || (forGood && now > number) ? code : nil
            })
        }
    }

    private static func options(_ calls: SystemCalls, connections: Int) -> DownloadOptions {
        var options = DownloadOptions()
        (options.chunkSize, options.connections, options.calls) = (64 << 10, connections, calls)
        options.stallTimeout = .seconds(Wait.seconds)
        return options
    }

    @Test(arguments: [(1, EIO, false), (1, ENOSPC, true), (4, EIO, false), (4, ENOSPC, true)])
    func anyDiskCallMayFail(_ connections: Int, _ code: CInt, _ forGood: Bool) async throws {
        try await FileHost.serving(Self.bytes) { host, _ in
            host.offer(tag: "\"v1\"", hasDigest: true)
            var number = 0
            while true {
                number += 1
                let saboteur = Saboteur()
                let calls = saboteur.calls(failing: number, forGood: forGood, with: code)
                let options = Self.options(calls, connections: connections)
                try await DownloadFolder.withTemporary { destination in
                    let error = await Self.error(destination, host, options)
                    if let error { #expect(error.code == .disk, "call \(number): \(error)") }
                    #expect(destination.content == (error == nil ? Self.bytes : destination.content), "call \(number)")
                    #expect(destination.content == nil || destination.content == Self.bytes, "call \(number)")
                    try await Self.again(destination, host, connections, number)
                }
                if saboteur.calls < number { break }
            }
            #expect(number > 20, "only \(number) calls")
        }
    }

    private static func error(
        _ destination: DownloadFolder, _ host: FileHost, _ options: DownloadOptions
    ) async -> FeedClientError? {
        do {
            _ = try await destination.client.download(host.address, to: destination.path, options: options)
            return nil
        } catch {
            return error as? FeedClientError ?? FeedClientError(.failed, "\(error)")
        }
    }

    /// Downloads again with a working disk.
    private static func again(_ destination: DownloadFolder, _ host: FileHost, _ connections: Int, _ number: Int)
        async throws
    {
        if destination.content == nil {
            _ = try await destination.client.download(
                host.address, to: destination.path, options: options(.system, connections: connections))
        }
        #expect(destination.content == Self.bytes, "after call \(number)")
        // A rename that was not made durable, or a journal that could not be removed, may leave other files behind.
        #expect(destination.names.isSubset(of: ["file.bin", "file.bin.part", "file.bin.part.journal"]))
    }

    /// The error for a full disk states the number of missing bytes, not counting those in the part file.
    @Test func fullDiskErrorStatesTheNumberOfMissingBytes() async throws {
        try await FileHost.serving(Array(SampleBytes.make(40 << 20))) { host, destination in
            // Full once the second journal, the first that lists bytes, is renamed into place. Until then, half of the
            // file is missing.
            host.behave { $0.stallsAfter = 20 << 20 }
            let journals = Atomic(0)
            let calls = SystemCalls(injectedError: { call in
                if call == .rename, journals.add(1, ordering: .relaxed).newValue > 1 {
                    host.behave { $0.stallsAfter = .max }
                }
                return call == .write && journals.load(ordering: .relaxed) > 1 ? ENOSPC : nil
            })
            host.limit(20 << 20)
            let error = await Self.error(destination, host, Self.options(calls, connections: 1))
            #expect(
                error?.code == .disk && error?.message.contains("bytes are missing") == true,
                "\(String(describing: error))")
            #expect(destination.names.contains("file.bin.part.journal"))
            host.limit(0)
            let result = try await destination.client.download(host.address, to: destination.path)
            #expect(result.resumedFrom > 0 && destination.content == host.bytes)
        }
    }

    @Test func downloadDoesNotStartWithoutEnoughSpace() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            var options = DownloadOptions()
            options.calls.reportedFreeSpace = 1000
            let error = await Self.error(destination, host, options)
            #expect(error?.code == .disk && error?.hint?.contains("\(Self.bytes.count - 1000)") == true)
            #expect(destination.names.isEmpty)
        }
    }
}
