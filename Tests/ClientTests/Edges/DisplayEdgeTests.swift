import FeedAPI
import FeedTerminal
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit
@testable import feedclient

/// Any number that a server sends, a user types or the environment contains can be displayed.
@Suite(.hangLimit)
struct DisplayEdgeTests {
    static let numbers = Set(EdgeNumbers.texts.compactMap { Int64($0) }).sorted()
    private static let rates: [Double] = [
        0, 1, -1, .nan, .infinity, -.infinity, 0x1p63, -0x1p63, 1e300, -1e300, .leastNonzeroMagnitude,
    ]

    // MARK: What a person types

    @Test(arguments: EdgeNumbers.texts)
    func sizeIsPositiveOrRejected(_ text: String) {
        for unit in ["", "B", "KiB", "MiB", "GiB"] {
            guard let size = ByteSize(text + unit) else { continue }
            #expect(size.bytes > 0)
            Self.checkChunks(size.bytes)
        }
    }

    @Test(arguments: ["99999999999GiB", "8589934592GiB", "9223372036854775807KiB", "9007199254740992KiB"])
    func overflowingSizeIsRejected(_ text: String) { #expect(ByteSize(text) == nil) }

    /// Chunks of a requested size can be filled and counted.
    private static func checkChunks(_ wanted: Int64) {
        let size = ChunkPolicy.size(of: FileIdentity.maximumSize, wanted: wanted)
        #expect(size >= wanted && (FileIdentity.maximumSize - 1) / size < ChunkPolicy.maximumCount)
        var stretch = RangeHasher(start: 0)
        let pieces = [UInt8](repeating: 1, count: 10).withUnsafeBytes { stretch.append($0, chunkSize: size) }
        #expect(pieces.isEmpty && stretch.end == 10)
    }

    @Test func negativeCountReturnsNoStatuses() async throws {
        try await DownloadFolder.withTemporary { destination in
            let entries = try await destination.client.statuses(of: .public, count: .min)
            #expect(entries.isEmpty)
        }
    }

    // MARK: The terminal

    @Test(arguments: EdgeNumbers.texts)
    func screenWidthIsClamped(_ text: String) {
        let columns = TerminalCapabilities.current(environment: ["COLUMNS": text]).columns
        #expect((20...65_535).contains(columns))
        #expect(PictureProtocol.detect(environment: ["KONSOLE_VERSION": text], isTerminal: true) != .iterm)
    }

    @Test(arguments: numbers)
    func progressBarFitsWithAnyValues(_ done: Int64) {
        for total in Self.numbers {
            for rate in Self.rates {
                let bar = ProgressBar(label: "a file", total: total)
                #expect(TextWidth.columns(of: bar.line(done: done, rate: rate, columns: 80)) <= 80)
            }
        }
        #expect(!ByteSize.text(done).isEmpty)
    }

    @Test func anyDurationCanBeDisplayed() {
        let texts = Self.rates.map { ProgressBar.duration(seconds: $0) }
        #expect(texts == ["0s", "1s", "0s", "?", "?", "?", "?", "0s", "?", "0s", "1s"])
    }

    @Test(
        arguments: [
            (0.9, 0), (-0.9, 0), (-1.5, -1), (.nan, 0), (.infinity, .max), (-.infinity, .min), (0x1p63, .max),
            (-0x1p63, .min), (1e300, .max), (-1e300, .min),
        ] as [(Double, Int64)])
    func doublesAreClampedToIntegers(value: Double, integer: Int64) {
        #expect(Int64(saturating: value) == integer)
    }

    // MARK: JSON of servers

    private static func lines(_ status: Entity.Status) -> [String] {
        StatusRenderer(columns: 80, style: TextStyle(hasColor: false), now: 1_700_000_000_000).lines(status)
    }

    @Test(arguments: EdgeNumbers.texts)
    func classicStatusesAreReadLeniently(_ text: String) {
        let json = #"{"statuses":[{"Id":\#(text),"createdAt":\#(text),"text":"x","user":{"Id":\#(text)}}]}"#
        guard let feed = try? ClassicFeed(json: Data(json.utf8)) else { return }
        #expect(feed.statuses.count == 1)
        for status in feed.statuses { #expect(!Self.lines(status.entity).isEmpty) }
    }

    @Test(arguments: EdgeNumbers.texts)
    func countsAndTimesCanBeDisplayed(_ text: String) {
        let account = #"{"id":"1","username":"a","acct":"a","display_name":"A"}"#
        let counts = #""replies_count":\#(text),"reblogs_count":\#(text),"favourites_count":\#(text)"#
        let texts = #""id":"1","content":"","visibility":"public","spoiler_text":"","mentions":[],"tags":[]"#
        let json = #"{\#(texts),\#(counts),"created_at":"\#(text)","account":\#(account)}"#
        guard let status = try? JSONDecoder().decode(Entity.Status.self, from: Data(json.utf8)) else { return }
        #expect(!Self.lines(status).isEmpty)
    }

    @Test(arguments: EdgeNumbers.texts)
    func fileSizeCanBeDisplayed(_ text: String) {
        let json = #"{"name":"f","size":\#(text),"type":"","modified":"","sha256":"","url":""}"#
        guard let file = try? JSONDecoder().decode(Entity.File.self, from: Data(json.utf8)) else { return }
        #expect(ByteSize.text(file.size).hasSuffix("B"))
    }

    // MARK: Local files

    /// On some file systems, the size of a sparse file may be close to `Int64.max`.
    @Test(arguments: numbers)
    func contentLengthIsComputedOrRejected(_ size: Int64) throws {
        guard size > Int64.max - 300 else {
            #expect(try FeedClient.contentLength(of: "f", size: size, framing: 300) == size + 300)
            return
        }
        #expect(throws: FeedClientError.self) { try FeedClient.contentLength(of: "f", size: size, framing: 300) }
    }
}
