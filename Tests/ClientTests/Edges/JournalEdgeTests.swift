import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// A journal that contains any number is either resumed or discarded; it must not make every later download fail.
@Suite(.hangLimit)
struct JournalEdgeTests {
    /// The text of a journal with a correct checksum.
    private struct Content: Sendable {
        var total = "100000"
        var chunkSize = "65536"
        /// Whether the first chunk is complete.
        var hasChunk = true
        var part: [String] = []
        var url = "http://a.example/f"
        var found = "http://a.example/f"

        var data: Data {
            let hash = Data(repeating: 7, count: HashedRange.digestSize).base64EncodedString()
            let file = #"{"tag":"\"v1\"","total":\#(total),"url":"\#(found)"}"#
            let parts = part.count == 2 ? #"{"start":\#(part[0]),"end":\#(part[1]),"hash":"\#(hash)"}"# : ""
            let chunks = hasChunk ? #""chunks":"AQ==","hashes":"\#(hash)""# : #""chunks":"AA==","hashes":"""#
            let state = #"{"chunkSize":\#(chunkSize),"file":\#(file),"parts":[\#(parts)],\#(chunks)}"#
            let order = #"{"replaces":false,"url":"\#(url)"}"#
            let body = Data(#"{"format":"\#(DownloadStateFormat.format)","order":\#(order),"state":\#(state)}"#.utf8)
            return body + Data("\n\(Checksum.sha256(body))\n".utf8)
        }
    }

    private static let large = String(FileIdentity.maximumSize)
    private static let bytes = Array(SampleBytes.make(100_000))

    @Test func sampleJournalIsValid() {
        guard case .resumable(let journal) = DownloadStateFormat.decode(Content(part: ["65536", "70000"]).data) else {
            Issue.record("The journal counts as damaged")
            return
        }
        #expect(journal.ranges.map(\.range) == [0..<65_536, 65_536..<70_000])
    }

    @Test(arguments: EdgeNumbers.texts)
    func impossibleNumbersAreRejected(_ text: String) throws {
        for other in EdgeNumbers.texts {
            try Self.check(Content(total: text, chunkSize: other))
            try Self.check(Content(total: text, chunkSize: Self.large, hasChunk: false, part: ["0", other]))
            try Self.check(Content(part: [text, other]))
            try Self.check(
                Content(total: Self.large, chunkSize: Self.large, hasChunk: false, part: [text, other]))
        }
    }

    @Test func largestFileSizeIsAcceptedButNotAnOpenEnd() throws {
        let journal = Content(total: Self.large, chunkSize: Self.large)
        guard case .resumable = DownloadStateFormat.decode(journal.data) else {
            Issue.record("The journal counts as damaged")
            return
        }
        try Self.check(journal)
        let endless = String(Int64.max)
        #expect(DownloadStateFormat.decode(Content(total: endless, chunkSize: endless).data) == .damaged)
    }

    private static func check(_ content: Content) throws {
        switch DownloadStateFormat.decode(content.data) {
        case .damaged: break
        case .resumable(let journal): try resume(journal)
        default: Issue.record("\(content)")
        }
    }

    /// Performs the calculations of a transfer that resumes a journal, without a request.
    private static func resume(_ journal: DownloadState) throws {
        let size = try #require(journal.file.size)
        let contents = PartContents(chunkSize: journal.chunkSize, ranges: journal.ranges)
        let missing = contents.written.missing(in: 0..<size)
        #expect(contents.written.byteCount + missing.byteCount == size)
        #expect(journal.isComplete == missing.isEmpty)
        #expect(contents.hasher(at: size - 1).range.isEmpty)
        var scheduler = DownloadPlan(missing: missing)
        for id in 1...4 { _ = scheduler.assign(id, more: 4 - id) }
        scheduler.measureRates(seconds: 1)
        let hashed = PrefixHasher(unverified: journal.ranges).next(
            upTo: contents.written.contiguousEnd(from: 0), limit: .max)
        #expect(hashed.map { $0.upperBound <= size } ?? true)
        #expect(try DownloadStateFormat.decode(DownloadStateFormat.encode(journal)) == .resumable(journal))
    }

    @Test func noJournalPreventsADownload() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            for text in EdgeNumbers.texts {
                for content in Self.contents(text, of: host.address) {
                    try Self.leave(content, at: destination)
                    _ = try await destination.client.download(host.address, to: destination.path)
                    #expect(destination.content == Self.bytes && destination.names == ["file.bin"], "\(content)")
                    try FileManager.default.removeItem(atPath: destination.path)
                }
            }
        }
    }

    /// Journals of a download, each with one number replaced.
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

    private static func leave(_ content: Content, at destination: DownloadFolder) throws {
        try Data(count: bytes.count).write(to: URL(fileURLWithPath: destination.path + ".part"))
        try content.data.write(to: URL(fileURLWithPath: destination.path + ".part.journal"))
    }
}
