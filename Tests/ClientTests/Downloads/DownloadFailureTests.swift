import FeedTestSupport
import Foundation
import Testing

@testable import FeedClientKit

/// The consequences of failures of a connection, the server or the disk for a transfer.
@Suite struct DownloadFailureTests {
    private static let lost = FeedClientError(.network, "lost")
    private static let busy = FeedClientError(.tryLater, "busy", status: 503, retryAfter: 7)

    private static func transfer(
        size: Int = 2_000_000, connections: Int? = nil, retries: Int = 2, sha256: String? = nil
    ) -> DownloadSimulation {
        var options = DownloadOptions()
        (options.connections, options.retries, options.sha256) = (connections, retries, sha256)
        let transfer = DownloadSimulation(size: size, options: options)
        transfer.start()
        return transfer
    }

    private static func respondingTransfer(
        size: Int = 2_000_000, connections: Int? = nil
    ) throws -> (DownloadSimulation, DownloadNetwork.Fetch) {
        let transfer = transfer(size: size, connections: connections)
        let fetch = try #require(transfer.open())
        _ = try transfer.respond(to: fetch)
        return (transfer, fetch)
    }

    /// The error states the bytes that have arrived, and those that are kept.
    @Test(arguments: [(nil, "Nothing is kept, "), (DownloadSimulation.tag, "They are kept; ")] as [(String?, String)])
    func lostConnectionIsExplained(tag: String?, hint: String) throws {
        let transfer = Self.transfer()
        let fetch = try #require(transfer.open())
        _ = try transfer.respond(to: fetch, status: 200, tag: tag, [("Accept-Ranges", "bytes")])
        let error = FeedClientError(.network, "The connection ended early")
        #expect((transfer.state.explain(error) as? FeedClientError)?.message == error.message)
        _ = transfer.deliver(fetch.id, from: 0, count: 500_000)
        let explained = try #require(transfer.state.explain(error) as? FeedClientError)
        #expect(explained.message == "The connection ended early; 500000 of 2000000 bytes have arrived")
        #expect(explained.hint?.hasPrefix(hint) == true && explained.code == .network)
        let refused = FeedClientError(.network, "busy", status: 500)
        #expect((transfer.state.explain(refused) as? FeedClientError)?.message == "busy")
    }

    // MARK: Connections

    @Test func retriesEndWithoutProgress() throws {
        let transfer = Self.transfer(retries: 2)
        for attempt in 0...2 {
            transfer.now += 100
            let fetch = try #require(transfer.open())
            let actions = transfer.end(fetch.id, .interrupted(Self.lost))
            #expect(actions.contains { $0.error?.code == .network } == (attempt == 2), "attempt \(attempt)")
        }
    }

    /// A silent server costs minutes, so that the user is told why; once, and not if other connections still receive data.
    @Test func retriesAfterSilenceAreAnnounced() throws {
        let silence = FeedClientError(.network, "silent", cause: DownloadWatchdog.Stall())
        let (transfer, first) = try Self.respondingTransfer(connections: 2)
        let second = try #require(transfer.open())
        _ = transfer.end(first.id, .interrupted(silence))
        #expect(transfer.report().notices.isEmpty)
        _ = transfer.end(second.id, .interrupted(silence))
        transfer.now = 100
        _ = transfer.end(try #require(transfer.open()).id, .interrupted(silence))
        #expect(transfer.report().notices == ["silent: trying again."])
    }

    @Test func simultaneousFailuresCountOnce() throws {
        let (transfer, first) = try Self.respondingTransfer(connections: 3)
        let others = [try #require(transfer.open()), try #require(transfer.open())]
        transfer.now = 1
        for fetch in [first] + others { _ = transfer.end(fetch.id, .interrupted(Self.lost)) }
        #expect(transfer.report(at: 1).retries == 1)
    }

    @Test func busyServerIsNotContactedBeforeRetryAfter() throws {
        let transfer = Self.transfer()
        let fetch = try #require(transfer.open())
        let actions = transfer.end(fetch.id, .interrupted(Self.busy))
        let isThrottled = actions.contains {
            if case .host(.throttled(DownloadSimulation.host)) = $0 { true } else { false }
        }
        #expect(isThrottled)
        #expect(transfer.state.host(now: 6.9) == nil && transfer.state.host(now: 7) != nil)
        #expect(transfer.report(at: 5).wait == 2)
    }

    /// The server serves one connection and has rejected the others.
    @Test func aRejectedConnectionIsNotReplaced() throws {
        let (transfer, _) = try Self.respondingTransfer(connections: 4)
        let second = try #require(transfer.open())
        let rejection = FetchOutcome.rejected(FeedClientError(.unauthorized, "too many", status: 403))
        #expect(!transfer.end(second.id, rejection).contains { $0.error != nil })
        #expect(transfer.open() == nil)
    }

    @Test func rejectionOfTheOnlyConnectionEndsTheTransfer() throws {
        let transfer = Self.transfer()
        let fetch = try #require(transfer.open())
        let actions = transfer.end(fetch.id, .rejected(FeedClientError(.notFound, "missing", status: 404)))
        #expect(actions.contains { $0.error?.code == .notFound })
    }

    @Test func threeInvalidResponsesInARowEndTheTransfer() throws {
        let transfer = Self.transfer(retries: 10)
        for attempt in 1...3 {
            transfer.now += 100
            let fetch = try #require(transfer.open())
            let actions = transfer.end(fetch.id, .invalidResponse(FeedClientError(.integrity, "nonsense")))
            #expect(actions.contains { $0.error?.code == .integrity } == (attempt == 3), "attempt \(attempt)")
        }
    }

    // MARK: The file on the server

    @Test func changedFileStartsOverAtMostThreeTimes() throws {
        let transfer = Self.transfer()
        for attempt in 1...4 {
            let fetch = try #require(transfer.open())
            let actions = transfer.end(fetch.id, .fileChanged)
            #expect(actions.contains { $0.startsOver } == (attempt < 4), "attempt \(attempt)")
            #expect(actions.contains { $0.error?.code == .integrity } == (attempt == 4), "attempt \(attempt)")
            transfer.startOver()
        }
        #expect(transfer.report(at: 0).notices == ["The file has changed on the server: starting over."])
    }

    @Test func differentEntityTagMeansAChangedFile() throws {
        let (transfer, _) = try Self.respondingTransfer(connections: 2)
        let second = try #require(transfer.open())
        guard case .stop(.fileChanged) = try transfer.respond(to: second, tag: "\"v2\"") else {
            Issue.record("The change was not detected")
            return
        }
    }

    @Test func serverChecksumMustMatchTheExpectedOne() throws {
        let transfer = Self.transfer(sha256: String(repeating: "0", count: 64))
        let fetch = try #require(transfer.open())
        let digest = Checksum.digestField(Data(transfer.bytes))
        let error = #expect(throws: FeedClientError.self) {
            try transfer.respond(to: fetch, [("Repr-Digest", digest)])
        }
        #expect(error?.code == .integrity)
    }

    @Test func aFileWithTheWrongChecksumIsDiscarded() throws {
        let transfer = Self.transfer(size: 1000, sha256: String(repeating: "0", count: 64))
        let fetch = try #require(transfer.open())
        _ = try transfer.respond(to: fetch)
        _ = transfer.deliver(fetch.id, from: 0, count: 1000)
        transfer.hash()
        #expect(transfer.state.isComplete)
        let error = #expect(throws: FeedClientError.self) { try transfer.verify() }
        #expect(error?.code == .integrity && transfer.state.cleanup == .discard)
    }

    /// Without an entity tag, bytes of two responses must not be combined.
    @Test func aFileWithoutAnEntityTagIsNeverResumed() throws {
        let transfer = Self.transfer(connections: 4)
        let fetch = try #require(transfer.open())
        _ = try transfer.respond(to: fetch, status: 200, tag: nil)
        #expect(transfer.open(limit: 8) == nil, "one connection must fetch everything")
        _ = transfer.deliver(fetch.id, from: 0, count: 500_000)
        #expect(transfer.startCommit(at: 100) == nil && transfer.state.cleanup == .discard)
        #expect(transfer.end(fetch.id, .interrupted(Self.lost)).contains { $0.startsOver })
    }

    @Test func aServerWithoutRangesIsAskedForTheWholeFile() throws {
        let transfer = Self.transfer()
        let fetch = try #require(transfer.open())
        #expect(transfer.end(fetch.id, .rangesUnsupported).contains { $0.startsOver })
        transfer.startOver()
        transfer.now = 100
        #expect(transfer.open()?.request.range == nil)
    }

    // MARK: The disk

    @Test func diskErrorTakesPrecedenceOverConnectionErrors() throws {
        let (transfer, fetch) = try Self.respondingTransfer()
        transfer.diskFailed(FeedClientError(.disk, "full"))
        #expect(transfer.end(fetch.id, .interrupted(Self.lost)).contains { $0.error?.code == .disk })
    }

    @Test func fullDiskErrorStatesTheNumberOfMissingBytes() throws {
        let (transfer, fetch) = try Self.respondingTransfer()
        _ = transfer.deliver(fetch.id, from: 0, count: 500_000)
        let error = FeedClientError(.disk, "Cannot write", cause: POSIXError(.ENOSPC))
        let explained = transfer.state.explain(error) as? FeedClientError
        #expect(explained?.message == "Cannot write; 1500000 bytes are missing")
    }
}
