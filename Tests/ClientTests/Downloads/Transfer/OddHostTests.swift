import FeedTestSupport
import Foundation
import Synchronization
import Testing

@testable import FeedClientKit

/// Servers with unusual behavior: the file is right, and the number of requests is bounded.
@Suite(.timeLimit(.minutes(15)))
struct OddHostTests {
    private static let bytes = Array(SampleBytes.make(3_000_000))

    private static func options(connections: Int? = nil) -> DownloadOptions {
        var options = DownloadOptions()
        (options.chunkSize, options.connections, options.stallTimeout) = (64 << 10, connections, .seconds(2))
        return options
    }

    /// Each response takes longer than measuring a connection; the same range is not requested again meanwhile.
    @Test(arguments: [300_000, 1 << 20, 3_000_000])
    func slowResponsesAreNotRequestedAgain(_ size: Int) async throws {
        let bytes = Array(SampleBytes.make(size))
        try await FileHost.serving(bytes) { host, destination in
            host.behave { $0.delay = .milliseconds(700) }
            _ = try await destination.client.download(
                host.address, to: destination.path, options: Self.options(connections: 8))
            #expect(destination.content == bytes)
            #expect(host.requests.count <= 10, "\(host.requests)")
        }
    }

    /// The server advertises ranges, but always sends the whole file.
    @Test func serverThatIgnoresRangesIsHandled() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.behave { $0.ignoresRanges = true }
            _ = try await destination.client.download(
                host.address, to: destination.path, options: Self.options(connections: 3))
            #expect(destination.content == Self.bytes)
            #expect(host.requests.count < 12, "\(host.requests)")
        }
    }

    /// Several servers behind one address use different entity tags for the same file.
    @Test func differentEntityTagsBehindOneAddressAreHandled() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.behave { $0.tags = ["\"a\"", "\"b\""] }
            host.limit(6_000_000)
            _ = try await destination.client.download(
                host.address, to: destination.path, options: Self.options(connections: 4))
            #expect(destination.content == Self.bytes)
        }
    }

    /// The server accepts only one connection.
    @Test func serverThatAcceptsOneConnectionIsHandled() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.behave { $0.maximumActive = 1 }
            host.limit(1_500_000)
            _ = try await destination.client.download(
                host.address, to: destination.path, options: Self.options(connections: 4))
            #expect(destination.content == Self.bytes)
            #expect(host.requests.count < 15, "\(host.requests)")
        }
    }

    /// The disk fails during a stall; the error is that of the disk.
    @Test func diskErrorDuringAStallIsReported() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.behave { $0.stallsAfter = 600_000 }
            host.limit(20_000_000)
            var options = Self.options(connections: 1)
            let writes = Atomic(0)
            options.calls = FileCalls(injectedError: { call in
                call == .write && writes.add(1, ordering: .relaxed).newValue > 2 ? EFBIG : nil
            })
            let asked = options
            let error = await #expect(throws: FeedClientError.self) {
                try await destination.client.download(host.address, to: destination.path, options: asked)
            }
            #expect(error?.code == .disk, "\(String(describing: error))")
        }
    }

    /// The number of connections to the target of a redirect grows as usual.
    @Test func redirectTargetGetsMoreConnections() async throws {
        let bytes = Array(SampleBytes.make(24 << 20))
        try await FileHost.serving(bytes) { mirror, destination in
            mirror.limit(2 << 20)
            try await FileHost.serving([]) { host, _ in
                let target = mirror.address
                host.behave { $0.redirect = target }
                let widest = Mutex(0)
                _ = try await destination.client.download(host.address, to: destination.path) { progress in
                    widest.withLock { $0 = max($0, progress.connections) }
                }
                #expect(destination.content == bytes && widest.withLock { $0 } > 1)
                #expect(host.requests.count < 3)
            }
        }
    }

    /// The target of the redirect is gone: the source is requested again.
    @Test func sourceIsRequestedAgainWhenTheMirrorIsGone() async throws {
        try await FileHost.serving([]) { host, destination in
            try await FileHost.serving(Self.bytes) { mirror, _ in
                mirror.limit(4_000_000)
                host.behave { [address = mirror.address] in $0.redirect = address }
                try await Self.stopped(destination, host.address)
            }
            try await FileHost.serving(Self.bytes) { mirror, _ in
                host.behave { [address = mirror.address] in $0.redirect = address }
                _ = try await destination.client.download(host.address, to: destination.path, options: Self.options())
                #expect(destination.content == Self.bytes)
            }
        }
    }

    /// Downloads some of the file, then stops.
    private static func stopped(_ destination: DownloadDestination, _ source: String) async throws {
        let (reports, report) = AsyncStream.makeStream(of: DownloadProgress.self)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await destination.client.download(source, to: destination.path, options: options()) {
                    report.yield($0)
                }
            }
            for await progress in reports where progress.done > 500_000 { break }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
        #expect(destination.names.contains("file.bin.part.journal"))
    }
}
