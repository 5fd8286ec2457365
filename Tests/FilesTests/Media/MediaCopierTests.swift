import FeedCore
import FeedFiles
import Foundation
import TestKit
import Testing

@testable import FeedTestSupport

@Suite(.hangLimit)
struct MediaCopierTests {
    @Test(arguments: MediaSample.all)
    func copyKeepsTheContentAndNothingElse(sample: MediaSample) throws {
        let copied = try Copied(sample.bytes)
        #expect(copied.info == sample.info)
        #expect(!copied.bytes.contains(secret))
        if let copy = sample.copy { #expect(copied.bytes == copy) }
    }

    @Test(arguments: MediaSample.all)
    func copyOfACopyIsIdentical(sample: MediaSample) throws {
        let copied = try Copied(sample.bytes)
        let again = try Copied(copied.bytes)
        #expect(again == copied)
    }

    /// Every file that ends too early is refused, or ends with a complete part.
    @Test(arguments: MediaSample.all)
    func beginningsOfFilesAreRefusedOrCopied(sample: MediaSample) {
        for count in 0..<sample.bytes.count {
            guard let copied = try? Copied(Array(sample.bytes.prefix(count))) else { continue }
            #expect(!copied.bytes.contains(secret), "\(count) bytes")
        }
    }

    @Test func videosKeepTheirLength() throws {
        for sample in [MP4Sample.full, WebMSample.live, WebMSample.sound] {
            #expect(try Copied(sample).bytes.count == sample.count)
        }
    }

    @Test func sampleEntriesLoseTheirDescriptions() throws {
        let movie = MP4Sample.movieHeader(zeros(4)) + MP4Sample.handlerOnly("soun", zeros(4))
        for (handler, entry) in MP4Sample.entries {
            let copied = try Copied(MP4Sample.file(movie + MP4Sample.described(handler, entry)))
            let expected = MP4Sample.file(movie + MP4Sample.described(handler, entry, isBlank: true))
            #expect(copied.bytes == expected, "\(handler), \(entry.count)")
        }
        // An entry that is too short, or longer than its box.
        for entry in [text("avc1"), text("avc1") + zeros(77)] {
            #expect(throws: Never.self) { try Copied(MP4Sample.file(movie + MP4Sample.described("vide", entry))) }
        }
    }

    /// Whatever the fragments state, their sum must not trap.
    @Test func fragmentsWithAnyNumbersAreRead() throws {
        let movie = MP4Sample.fragmented(header: 600, fragments: [600, 1200, 1800])
        let first = try #require((0..<movie.count).first { movie.dropFirst($0).starts(with: text("moof")) })
        for index in first..<movie.count {
            for byte in [0, 1, 0x7F, 0xFF] as [UInt8] { _ = try? Copied(movie.changing(index, to: byte)) }
        }
        // The start of the last fragment is known nevertheless.
        let duration = try Copied(movie.replacing("trun", with: "trux")).info.milliseconds
        #expect(duration == 3000)
    }

    @Test func damagedHeadersOfVorbisAreRefused() throws {
        let damaged = WebMSample.sound.replacing("\u{3}vorbis", with: "\u{4}vorbis")
        #expect(throws: MediaError.self) { try Copied(damaged) }
    }

    @Test func orientationTurnsTheSize() {
        let size = MediaInfo(.jpeg, width: 16, height: 8, orientation: 6).uprightSize
        #expect(size?.width == 8 && size?.height == 16)
    }

    @Test func sizesAreLimited() throws {
        var limits = MediaLimits()
        limits.pixels = 16 * 8
        _ = try Copied(JPEGSample.full, limits: limits)
        limits.pixels -= 1
        for sample in MediaSample.images {
            #expect(throws: MediaError.self, "\(sample.name)") { try Copied(sample.bytes, limits: limits) }
        }
    }

    /// As the instance states for videos.
    @Test func picturesOfVideosAreLimited() throws {
        var limits = MediaLimits()
        limits.pixels = 320 * 240
        for sample in [MP4Sample.full, WebMSample.full] { _ = try Copied(sample, limits: limits) }
        limits.pixels -= 1
        for sample in [MP4Sample.full, WebMSample.full] {
            let refusal = #expect(throws: MediaError.self) { try Copied(sample, limits: limits) }
            #expect(refusal?.kind == .tooLarge && refusal?.message == "The video is too large: 320 × 240 pixels")
        }
        _ = try Copied(WebMSample.sound, limits: limits)
    }

    @Test func filesAreLimited() throws {
        var limits = MediaLimits()
        limits.imageBytes = PNGSample.full.count
        _ = try Copied(PNGSample.full, limits: limits)
        limits.imageBytes -= 1
        #expect(throws: MediaError.self) { try Copied(PNGSample.full, limits: limits) }
        _ = try Copied(MP3Sample.full, limits: limits)
    }

    @Test func refusalIsAValidationErrorWithAHint() throws {
        do throws(MediaError) {
            _ = try Copied(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
            Issue.record("an SVG file is copied")
        } catch {
            #expect(error.feedError.kind == .invalid)
            #expect(error.feedError.message == "Validation failed: Files of the type SVG are not supported")
            #expect(error.feedError.hint?.contains("PNG") == true)
        }
    }

    /// Files are copied as bytes in memory are, also if their parts are larger than any buffer.
    @Test func largeFileIsCopiedFromDiskToDisk() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = MP4Sample.box("mdat", [UInt8](repeating: 0xAB, count: 3 << 20))
        let movie =
            MP4Sample.movieHeader() + MP4Sample.track() + MP4Sample.box("udta", [UInt8](repeating: 1, count: 1 << 20))
        let bytes = MP4Sample.file(movie, after: data)
        let (input, output) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
        try Data(bytes).write(to: input)
        try Data().write(to: output)
        let (reading, writing) = (try FileHandle(forReadingFrom: input), try FileHandle(forWritingTo: output))
        let info = try MediaCopier.copy(
            from: reading.fileDescriptor, to: writing.fileDescriptor, limits: MediaLimits())
        let expected = try Copied(bytes)
        #expect(info == expected.info)
        #expect(try Data(contentsOf: output) == Data(expected.bytes))
    }

    @Test func pipeIsRefused() throws {
        let pipe = Pipe()
        #expect(throws: MediaError.self) { try FileSource(descriptor: pipe.fileHandleForReading.fileDescriptor) }
    }
}
