import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// The decisions of a transfer, without a network or a disk.
@Suite struct DownloadStateMachineTests {
    private static func options(connections: Int? = nil, retries: Int = 5) -> DownloadOptions {
        var options = DownloadOptions()
        (options.connections, options.retries) = (connections, retries)
        return options
    }

    @Test func oneConnectionDownloadsASmallFile() throws {
        let transfer = DownloadSimulation(size: 100_000)
        transfer.start()
        let fetch = try #require(transfer.open(limit: 8))
        #expect(fetch.request == RangeRequest(range: 0..<Int64.max))
        _ = try transfer.respond(to: fetch)
        #expect(transfer.open(limit: 8) == nil && transfer.state.missingBytes == 100_000)
        #expect(transfer.deliver(fetch.id, from: 0, count: 100_000) == (100_000, 0))
        #expect(!transfer.state.isComplete, "it has not been read back")
        transfer.hash()
        #expect(transfer.state.isComplete)
        let result = try transfer.verify()
        #expect(result.sha256 == Checksum.sha256(Data(transfer.bytes)) && result.verification == .sizeOnly)
        #expect(result.size == 100_000 && result.resumedFrom == 0)
    }

    /// Hashing can lag behind the network; meanwhile, nothing beyond the end is requested.
    @Test func nothingIsRequestedAfterABodyOfUnknownSize() throws {
        let transfer = DownloadSimulation(size: 100_000, options: Self.options(connections: 4))
        transfer.start()
        let fetch = try #require(transfer.open(limit: 4))
        _ = try transfer.respondWithUnknownSize(to: fetch)
        #expect(transfer.deliver(fetch.id, from: 0, count: 100_000).wanted == 100_000)
        transfer.bodyEnds()
        #expect(!transfer.end(fetch.id, .finished).contains { $0.startsOver || $0.error != nil })
        #expect(!transfer.state.isComplete && transfer.open(limit: 4) == nil)
        transfer.hash()
        #expect(transfer.state.isComplete)
    }

    /// Connections open, deliver and fail in random order: every byte arrives, and the file is right.
    @Test(arguments: 1...60)
    func anyOrderOfEventsCompletesTheFile(_ seed: Int) throws {
        var random = SplitMix64(seed: seed)
        let transfer = DownloadSimulation(
            size: Int.random(in: 1...2_000_000, using: &random), options: Self.options(connections: 4, retries: 10_000))
        transfer.start()
        var connections: [(fetch: DownloadNetwork.Fetch, offset: Int64?)] = []
        for _ in 0..<20_000 where !transfer.state.isComplete {
            transfer.now += 0.05
            transfer.tick()
            while let fetch = transfer.open(limit: 8) { connections.append((fetch, nil)) }
            guard let index = connections.indices.randomElement(using: &random) else {
                transfer.hash()
                continue
            }
            let (fetch, offset) = connections[index]
            if Int.random(in: 0..<15, using: &random) == 0 {
                connections.remove(at: index)
                let actions = transfer.end(fetch.id, .interrupted(FeedClientError(.network, "lost")))
                #expect(!actions.contains { $0.startsOver || $0.error != nil })
            } else if let offset {
                let count = Int.random(in: 1...200_000, using: &random)
                let (wanted, remaining) = transfer.deliver(
                    fetch.id, from: offset, count: min(count, transfer.bytes.count - Int(offset)))
                connections[index].offset = offset + Int64(wanted)
                guard remaining == 0 else { continue }
                connections.remove(at: index)
                _ = transfer.end(fetch.id, .finished)
            } else {
                guard case .receive(let range, let skip) = try transfer.respond(to: fetch) else { continue }
                connections[index].offset = range.lowerBound + skip
            }
        }
        #expect(transfer.state.isComplete && transfer.part == transfer.bytes, "seed \(seed)")
        let result = try transfer.verify()
        #expect(result.sha256 == Checksum.sha256(Data(transfer.bytes)))
    }

    // MARK: Resuming

    @Test func onlyMissingBytesAreRequested() throws {
        let transfer = DownloadSimulation(size: 300_000)
        let journal = transfer.journal(chunks: 0..<2)
        #expect(transfer.start(.resume(journal)))
        #expect(transfer.state.missingBytes == 168_928)
        let fetch = try #require(transfer.open())
        #expect(fetch.request == RangeRequest(range: 131_072..<300_000, isConditional: true))
        #expect(fetch.validator == DownloadSimulation.tag)
        _ = try transfer.respond(to: fetch)
        _ = transfer.deliver(fetch.id, from: 131_072, count: 168_928)
        transfer.hash()
        #expect(try transfer.verify().resumedFrom == 131_072)
    }

    /// Until then, another program may own the part file, or the file on the server may be another one.
    @Test func partFileIsUntouchedUntilAResponseConfirmsTheFile() throws {
        let transfer = DownloadSimulation(size: 300_000)
        let journal = transfer.journal(chunks: 0..<2)
        _ = transfer.start(.resume(journal))
        let fetch = try #require(transfer.open())
        #expect(transfer.state.cleanup == .leave)
        _ = try transfer.respond(to: fetch)
        #expect(transfer.state.cleanup == .commit(journal))
    }

    /// Nothing is missing, but only a response can confirm that the file is unchanged.
    @Test func theLastRangeOfACompleteFileIsRequested() throws {
        let transfer = DownloadSimulation(size: 300_000)
        let journal = transfer.journal(chunks: 0..<5)
        #expect(journal.isComplete)
        _ = transfer.start(.resume(journal))
        transfer.hash()
        #expect(!transfer.state.isComplete)
        #expect(transfer.open()?.request.range == 262_144..<300_000)
    }

    @Test func damagedBytesAreRequestedAgain() throws {
        let transfer = DownloadSimulation(size: 300_000)
        let journal = transfer.journal(chunks: 0..<3)
        transfer.part[70_000] ^= 1
        _ = transfer.start(.resume(journal))
        transfer.hash()
        #expect(transfer.report(at: 0).notices.contains { $0.contains("65536 bytes on the disk were damaged") })
        #expect(transfer.open()?.request.range == 65_536..<131_072)
    }

    @Test func theEarlierRequestIsAdopted() {
        let transfer = DownloadSimulation(size: 1000)
        let previous = DownloadRequest(url: DownloadSimulation.source, sha256: "ab", replacesExisting: true)
        _ = transfer.start(.startOver(previous: previous, notice: nil))
        #expect(transfer.state.request == previous)
    }

    // MARK: Committing

    @Test func theJournalIsWrittenAtMostOnceASecond() throws {
        let transfer = DownloadSimulation(size: 300_000)
        transfer.start()
        let fetch = try #require(transfer.open())
        _ = try transfer.respond(to: fetch)
        _ = transfer.deliver(fetch.id, from: 0, count: 100_000)
        #expect(transfer.startCommit(at: 0.9) == nil)
        let commit = try #require(transfer.startCommit(at: 1))
        #expect(commit.bytes == 100_000 && commit.journal.isValid)
        #expect(commit.journal.ranges.map(\.range) == [0..<65_536, 65_536..<100_000])
        #expect(transfer.startCommit(at: 9) == nil, "the first one has not finished")
        transfer.committed(100_000, at: 9)
        #expect(transfer.startCommit(at: 20) == nil, "no new bytes")
    }
}
