import FeedTestSupport
import NIOCore
import NIOHTTP1
import TestKit
import Testing

@testable import FeedClientKit

/// Any number in a header of a hostile server is clamped or ignored.
@Suite(.hangLimit)
struct HeaderEdgeTests {
    private static let url = "http://a.example/f"
    private static let known = FileIdentity(url: url, validator: "\"v1\"", size: 1000, sha256: nil)
    private static let numbers = EdgeNumbers.texts.compactMap { Int64($0) }

    // MARK: Retry-After

    private static func error(_ value: String) -> FeedClientError {
        ErrorResponse(
            status: 429, headers: HTTPHeaders([("Retry-After", value)]), body: ByteBuffer(), hadCredentials: false
        ).error
    }

    @Test(arguments: EdgeNumbers.texts)
    func retryAfterIsAtMostADay(_ text: String) {
        let error = Self.error(text)
        #expect((0...86_400).contains(error.retryAfter ?? 0))
        _ = RetryRule.delay(after: error, attempt: 2, method: .GET)
        var budget = DownloadBackoff(5)
        let pause = budget.pause(retryAfter: error.retryAfter, maximumWait: .max, jitter: 1)
        #expect(pause.map { $0 <= 86_401 } == true)
    }

    @Test(arguments: ["9223372036854775807", "9223372036854775808", "1000000000000000000000000000000"])
    func overflowingRetryAfterIsADay(_ text: String) {
        #expect(Self.error(text).retryAfter == 86_400)
    }

    @Test(arguments: EdgeNumbers.texts)
    func retryAfterDateIsAtMostADayAway(_ text: String) {
        let dates = [
            "Fri, \(text) Dec 2023 06:39:55 GMT", "Fri, 01 Dec \(text) 06:39:55 GMT",
            "Fri, 01 Dec 9999 \(text):39:55 GMT", "Fri, 01 Dec 9999 06:\(text):55 GMT",
            "Friday, 01-Dec-\(text) 06:39:55 GMT", "Fri Dec  1 06:39:\(text) 9999",
        ]
        for date in dates { #expect((0...86_400).contains(Self.error(date).retryAfter ?? 0), "\(date)") }
    }

    /// A caller that permits an unlimited number of retries.
    @Test func unlimitedBudgetStaysUnlimited() {
        var budget = DownloadBackoff(.max)
        for _ in 0..<2 { budget.progressed(.max) }
        let pause = budget.pause(retryAfter: nil, maximumWait: 0, jitter: 0)
        #expect(pause == 0)
        #expect(budget.remaining == Int.max - 1)
    }

    // MARK: Cache-Control and Age

    @Test(arguments: EdgeNumbers.texts)
    func pictureIsFreshForAtMostAMonth(_ text: String) {
        let now: Int64 = 1_700_000_000_000
        for age in EdgeNumbers.texts {
            let headers = HTTPHeaders([("Cache-Control", "max-age=\(text)"), ("Age", age)])
            let lifetime = Freshness(headers, now: now).freshUntil - now
            #expect((0...Freshness.maximum).contains(lifetime), "\(headers)")
        }
    }

    /// The time comes from the index of pictures, which may contain any number.
    @Test func storedTimeNeverMakesAPictureFreshForLonger() throws {
        let entry = try AvatarEntry(bytes: PictureServer.picture(), headers: [:], freshUntil: 0)
        for until in Self.numbers {
            for now in Self.numbers where entry.fresh(until: until).isFresh(at: now) {
                #expect(until > now && until.subtractingSaturating(now) <= Freshness.maximum)
            }
        }
    }

    // MARK: Content-Length and Content-Range

    @Test(arguments: EdgeNumbers.texts)
    func acceptedPartLiesWithinItsFile(_ first: String) {
        for last in EdgeNumbers.texts {
            for total in EdgeNumbers.texts {
                let range = [("ETag", "\"v1\""), ("Content-Range", "bytes \(first)-\(last)/\(total)")]
                for start in Self.starts {
                    Self.checkPart(HTTPHeaders(range), from: start)
                    Self.checkPart(HTTPHeaders(range + [("Content-Length", last)]), from: start)
                }
            }
        }
    }

    private static let starts: [Int64] = [0, 1, Int64.max - 2]

    private static func checkPart(_ headers: HTTPHeaders, from start: Int64) {
        let response = RangeResponse(
            to: RangeRequest(range: start..<Int64.max), known: nil, status: 206, headers: headers, url: url)
        guard case .part(let file, let range) = response else { return }
        let size = file.size ?? 0
        #expect(range.lowerBound <= start && range.upperBound <= size && size < Int64.max, "\(headers)")
        #expect((size - 1) / ChunkPolicy.size(of: size, wanted: nil) < ChunkPolicy.maximumCount)
        #expect(WriteBuffer(start..<range.upperBound).remaining > 0)
        #expect(RangeRequest(range: range).rangeField == "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
    }

    /// `Int64.max` means an unknown length.
    @Test func largestIntegerIsNotAFileSize() {
        #expect(ContentRange("bytes 0-9223372036854775806/9223372036854775807") == nil)
        #expect(ContentRange("bytes 0-9223372036854775805/9223372036854775806")?.range == 0..<Int64.max - 1)
    }

    @Test(arguments: EdgeNumbers.texts)
    func contentLengthIsAcceptedOrRejected(_ text: String) {
        let headers = HTTPHeaders([("ETag", "\"v1\""), ("Content-Length", text)])
        let response = RangeResponse(
            to: RangeRequest(range: 0..<Int64.max), known: nil, status: 200, headers: headers, url: Self.url)
        switch response {
        case .whole(let file, _): #expect(file.size.map { $0 >= 0 && $0 <= FileIdentity.maximumSize } == true)
        case .invalid, .unknownEnd: #expect(ContentRange.number(text) == nil)
        default: Issue.record("\(response)")
        }
    }

    @Test(arguments: EdgeNumbers.texts)
    func differentLengthMeansAChangedFile(_ text: String) {
        let headers = HTTPHeaders([("ETag", "\"v1\""), ("Content-Range", "bytes */\(text)")])
        let response = RangeResponse(
            to: RangeRequest(range: 0..<1, isConditional: true), known: Self.known, status: 416, headers: headers,
            url: Self.url)
        #expect(response == .changed)
    }
}
