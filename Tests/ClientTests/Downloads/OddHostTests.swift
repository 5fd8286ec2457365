import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Servers with unusual behavior: the file is right, and the number of requests is bounded.
@Suite(.hangLimit)
struct OddHostTests {
    private static let bytes = Array(SampleBytes.make(3_000_000))

    private static func options(connections: Int? = nil) -> DownloadOptions {
        var options = DownloadOptions()
        (options.chunkSize, options.connections, options.stallTimeout) = (
            64 << 10, connections, .seconds(Wait.seconds)
        )
        return options
    }

    /// Each response takes longer than measuring a connection; the same range is not requested again meanwhile. On a
    /// busy machine, a connection may still take over parts of others, so there are more requests, for other ranges.
    @Test(arguments: [300_000, 1 << 20, 3_000_000])
    func slowResponsesAreNotRequestedAgain(_ size: Int) async throws {
        let bytes = Array(SampleBytes.make(size))
        try await FileHost.serving(bytes) { host, destination in
            host.behave { $0.delay = .seconds(3) }
            _ = try await destination.client.download(
                host.address, to: destination.path, options: Self.options(connections: 8))
            #expect(destination.content == bytes)
            let requests = host.requests
            #expect(requests.count <= 16 || Set(requests).count == requests.count, "\(requests)")
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

    /// The server accepts only one connection. On a busy machine, it notices late that a connection has ended, and
    /// rejects further attempts, between which the pauses grow.
    @Test func serverThatAcceptsOneConnectionIsHandled() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.behave { $0.maximumActive = 1 }
            host.limit(1_500_000)
            var options = Self.options(connections: 4)
            options.retries = 1000
            _ = try await destination.client.download(host.address, to: destination.path, options: options)
            #expect(destination.content == Self.bytes)
            #expect(host.requests.count < 30, "\(host.requests)")
        }
    }

    /// The disk fails during a stall; the error is that of the disk. On a busy machine, connections may also end before
    /// they have delivered anything.
    @Test func diskErrorDuringAStallIsReported() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.behave { $0.stallsAfter = 600_000 }
            host.limit(20_000_000)
            var options = Self.options(connections: 1)
            (options.stallTimeout, options.retries) = (.seconds(2), 1000)
            let writes = Atomic(0)
            options.calls = SystemCalls(injectedError: { call in
                call == .write && writes.add(1, ordering: .relaxed).newValue > 2 ? EFBIG : nil
            })
            let asked = options
            let error = await #expect(throws: FeedClientError.self) {
                try await destination.client.download(host.address, to: destination.path, options: asked)
            }
            #expect(error?.code == .disk, "\(String(describing: error))")
        }
    }

    /// The number of connections to the target of a redirect grows as usual. Until there are several, each of them stalls
    /// before its range ends, so that none can end unnoticed.
    @Test func redirectTargetGetsMoreConnections() async throws {
        let bytes = Array(SampleBytes.make(24 << 20))
        try await FileHost.serving(bytes) { mirror, destination in
            mirror.limit(2 << 20)
            mirror.behave { $0.stallsAfter = 2 << 20 }
            try await FileHost.serving([]) { host, _ in
                let target = mirror.address
                host.behave { $0.redirect = target }
                let widest = Mutex(0)
                _ = try await destination.client.download(
                    host.address, to: destination.path, options: Self.options()
                ) { progress in
                    widest.withLock { $0 = max($0, progress.connections) }
                    if progress.connections > 1 { mirror.behave { $0.stallsAfter = .max } }
                }
                #expect(destination.content == bytes && widest.withLock { $0 } > 1)
                #expect(host.requests.count < 3)
            }
        }
    }

    /// The target of the redirect is gone: the source is requested again.
    @Test func sourceIsRequestedAgainWhenTheMirrorIsGone() async throws {
        // No other server gets the port of the mirror afterwards.
        let reserved = try ReservedPort()
        try await FileHost.serving([]) { host, destination in
            try await FileHost.serving(Self.bytes, port: reserved.number) { mirror, _ in
                host.behave { [address = mirror.address] in $0.redirect = address }
                try await mirror.interrupt(destination, from: host.address, after: 500_000, Self.options())
                #expect(destination.names.contains("file.bin.part.journal"))
            }
            try await FileHost.serving(Self.bytes) { mirror, _ in
                host.behave { [address = mirror.address] in $0.redirect = address }
                _ = try await destination.client.download(host.address, to: destination.path, options: Self.options())
                #expect(destination.content == Self.bytes)
            }
        }
        withExtendedLifetime(reserved) {}
    }
}
