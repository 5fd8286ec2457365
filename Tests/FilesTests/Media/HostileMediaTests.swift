import FeedCore
import FeedFiles
import TestKit
import Testing

@testable import FeedTestSupport

@Suite(.hangLimit)
struct HostileMediaTests {
    @Test(arguments: HostileRow.all)
    func hostileFileIsRefusedOrSanitized(row: HostileRow) {
        do throws(MediaError) {
            let copied = try Copied(row.bytes)
            guard case .sanitized = row.outcome else {
                Issue.record("the file is copied")
                return
            }
            #expect(!copied.bytes.contains(secret))
            let again = try Copied(copied.bytes)
            #expect(again == copied)
        } catch {
            guard case .refused(let kind) = row.outcome else {
                Issue.record("the file is refused: \(error)")
                return
            }
            #expect(error.kind == kind, "\(error)")
            #expect(error.feedError.kind == .invalid)
        }
    }

    @Test func tableIsLong() { #expect(HostileRow.all.count >= 80) }

    @Test func invalidOrientationsAndProfilesAreRemoved() throws {
        let plain = JPEGSample.file()
        for segment in HostileRow.ignoredSegments {
            #expect(try Copied(JPEGSample.file(segment)).bytes == plain)
        }
    }

    /// The text of a script that starts like a GIF file.
    @Test func scriptThatLooksLikeAnImageIsRefused() {
        for start in ["GIF89a=1;", "GIF89a/*", "GIF87a;"] {
            let script = text(start) + [UInt8](repeating: UInt8(ascii: " "), count: 40) + text("*/;alert(1)")
            #expect(throws: MediaError.self, "\(start)") { try Copied(script) }
        }
    }

    @Test func unknownDurationIsLeftOut() throws {
        for header in [
            MP4Sample.movieHeader(scale: 0), MP4Sample.movieHeader(duration: 0xFFFF_FFFF),
            MP4Sample.movieHeader(duration: 0),
        ] {
            #expect(try Copied(MP4Sample.file(header + MP4Sample.track())).info.milliseconds == nil)
        }
        for bits in [Float.nan, .infinity, -1, 1e30].map(\.bitPattern) {
            let info = WebMSample.info(WebMSample.element(0x4489, big(Int(bits), 4)))
            #expect(try Copied(WebMSample.file(info + WebMSample.tracks())).info.milliseconds == nil)
        }
        let chained = OggSample.opus.dropLast(secret.count) + OggSample.opus
        #expect(try Copied(Array(chained)).info.milliseconds == nil)
    }
}
