import FeedTestSupport
import Foundation
import Testing

@testable import FeedClientKit

/// Any number in a journal is gone on with or thrown away: the next command must not fail as the one before.
@Suite(.timeLimit(.minutes(15)))
struct JournalEdgeTests {
    /// What stands in a journal, as text; its checksum is right.
    private struct Content: Sendable {
        var total = "100000"
        var chunkSize = "65536"
        /// Whether the first chunk is there.
        var hasChunk = true
        var part: [String] = []
        var url = "http://a.example/f"
        var found = "http://a.example/f"

        var data: Data {
            let hash = Data(repeating: 7, count: Piece.digestSize).base64EncodedString()
            let file = #"{"tag":"\"v1\"","total":\#(total),"url":"\#(found)"}"#
            let parts = part.count == 2 ? #"{"start":\#(part[0]),"end":\#(part[1]),"hash":"\#(hash)"}"# : ""
            let chunks = hasChunk ? #""chunks":"AQ==","hashes":"\#(hash)""# : #""chunks":"AA==","hashes":"""#
            let state = #"{"chunkSize":\#(chunkSize),"file":\#(file),"parts":[\#(parts)],\#(chunks)}"#
            let order = #"{"replaces":false,"url":"\#(url)"}"#
            let body = Data(#"{"format":"\#(JournalCodec.format)","order":\#(order),"state":\#(state)}"#.utf8)
            return body + Data("\n\(Checksum.sha256(body))\n".utf8)
        }
    }

    private static let large = String(Representation.largest)
    private static let bytes = Array(SampleBytes.make(100_000))

    @Test func theContentOfTheseTestsIsAJournal() {
        guard case .journal(let journal) = JournalCodec.decode(Content(part: ["65536", "70000"]).data) else {
            Issue.record("It is damaged")
            return
        }
        #expect(journal.pieces.map(\.span) == [0..<65_536, 65_536..<70_000])
    }

    @Test(arguments: EdgeNumbers.texts)
    func onlyWhatCanBeTrueIsBelieved(_ text: String) throws {
        for other in EdgeNumbers.texts {
            try Self.check(Content(total: text, chunkSize: other))
            try Self.check(Content(total: text, chunkSize: Self.large, hasChunk: false, part: ["0", other]))
            try Self.check(Content(part: [text, other]))
            try Self.check(
                Content(total: Self.large, chunkSize: Self.large, hasChunk: false, part: [text, other]))
        }
    }

    @Test func theLargestFileCanBeTrueAndAnOpenEndCannot() throws {
        let journal = Content(total: Self.large, chunkSize: Self.large)
        guard case .journal = JournalCodec.decode(journal.data) else {
            Issue.record("It is damaged")
            return
        }
        try Self.check(journal)
        let endless = String(Int64.max)
        #expect(JournalCodec.decode(Content(total: endless, chunkSize: endless).data) == .damaged)
    }

    private static func check(_ content: Content) throws {
        switch JournalCodec.decode(content.data) {
        case .damaged: break
        case .journal(let journal): try takeUp(journal)
        default: Issue.record("\(content)")
        }
    }

    /// What a transfer makes of a journal before it asks anybody.
    private static func takeUp(_ journal: DownloadJournal) throws {
        let total = try #require(journal.file.total)
        let ledger = Ledger(chunkSize: journal.chunkSize, pieces: journal.pieces)
        let missing = ledger.written.missing(in: 0..<total)
        #expect(ledger.written.count + missing.count == total)
        #expect(journal.isWhole == missing.isEmpty)
        #expect(ledger.stretch(at: total - 1).span.isEmpty)
        var scheduler = Scheduler(missing: missing)
        for id in 1...4 { _ = scheduler.open(id, more: 4 - id) }
        scheduler.tick(seconds: 1)
        let hashed = PrefixHash(unproven: journal.pieces).next(upTo: ledger.written.end(from: 0), limit: .max)
        #expect(hashed.map { $0.upperBound <= total } ?? true)
        #expect(try JournalCodec.decode(JournalCodec.encode(journal)) == .journal(journal))
    }

    @Test func noNumberOfAJournalStandsInTheWay() async throws {
        try await FileHost.serving(Self.bytes) { host, landing in
            for text in EdgeNumbers.texts {
                for content in Self.contents(text, of: host.address) {
                    try Self.leave(content, at: landing)
                    _ = try await landing.client.download(host.address, to: landing.path)
                    #expect(landing.content == Self.bytes && landing.names == ["file.bin"], "\(content)")
                    try FileManager.default.removeItem(atPath: landing.path)
                }
            }
        }
    }

    /// Journals of a download in which one number is another one.
    private static func contents(_ text: String, of url: String) -> [Content] {
        let right = Content(part: ["65536", "70000"], url: url, found: url)
        var contents = [Content](repeating: right, count: 5)
        contents[0].total = text
        contents[1].chunkSize = text
        contents[2].part[0] = text
        contents[3].part[1] = text
        contents[4].found = "http://127.0.0.1:\(text)/file.bin"
        return contents
    }

    private static func leave(_ content: Content, at landing: Landing) throws {
        try Data(count: bytes.count).write(to: URL(fileURLWithPath: landing.path + ".part"))
        try content.data.write(to: URL(fileURLWithPath: landing.path + ".part.journal"))
    }
}
