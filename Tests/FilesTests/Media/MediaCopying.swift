import FeedCore
import FeedFiles
import Testing

@testable import FeedTestSupport

/// A copy in memory.
struct Copied: Equatable {
    var info: MediaInfo
    var bytes: [UInt8]

    init(_ bytes: [UInt8], limits: MediaLimits = MediaLimits()) throws(MediaError) {
        var source = MemorySource(bytes)
        var sink = MemorySink()
        info = try MediaCopier.copy(from: &source, to: &sink, limits: limits)
        self.bytes = sink.bytes
    }
}

/// Bytes in memory.
struct MemorySource: ByteSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var remaining: Int64 { Int64(rest.count) }

    mutating func read(_ count: Int) throws(MediaError) -> [UInt8] {
        guard count >= 0, count <= rest.count else { throw .incomplete }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func skip(_ count: Int64) throws(MediaError) {
        guard count >= 0, count <= remaining else { throw .incomplete }
        rest = rest.dropFirst(Int(count))
    }
}

/// A file that contains everything that is kept, and everything that is not.
struct MediaSample: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let info: MediaInfo
    /// The expected copy; `nil` if only the general properties of a copy are checked.
    var copy: [UInt8]?

    var testDescription: String { name }

    static let images: [MediaSample] = [
        MediaSample(
            name: "JPEG", bytes: JPEGSample.full, info: MediaInfo(.jpeg, width: 16, height: 8, orientation: 6),
            copy: JPEGSample.copyOfFull),
        MediaSample(
            name: "JPEG, little-endian Exif", bytes: JPEGSample.file(JPEGSample.exif(orientation: 3, isBig: false)),
            info: MediaInfo(.jpeg, width: 16, height: 8, orientation: 3),
            copy: JPEGSample.file(JPEGSample.orientation(3))),
        MediaSample(
            name: "JPEG, upright", bytes: JPEGSample.file(JPEGSample.exif(orientation: 1)),
            info: MediaInfo(.jpeg, width: 16, height: 8), copy: JPEGSample.file()),
        MediaSample(
            name: "progressive JPEG", bytes: JPEGSample.progressive,
            info: MediaInfo(.jpeg, width: 16, height: 8), copy: JPEGSample.progressive),
        MediaSample(
            name: "PNG", bytes: PNGSample.full, info: MediaInfo(.png, width: 16, height: 8),
            copy: PNGSample.copyOfFull),
        MediaSample(
            name: "turned PNG", bytes: PNGSample.file(PNGSample.chunk("eXIf", PNGSample.photo(6))),
            info: MediaInfo(.png, width: 16, height: 8, orientation: 6),
            copy: PNGSample.file(PNGSample.chunk("eXIf", PNGSample.orientation(6)))),
        MediaSample(
            name: "PNG, turned at its end",
            bytes: PNGSample.file(data: PNGSample.data + PNGSample.chunk("eXIf", PNGSample.photo(3))),
            info: MediaInfo(.png, width: 16, height: 8, orientation: 3),
            copy: PNGSample.file(data: PNGSample.data + PNGSample.chunk("eXIf", PNGSample.orientation(3)))),
        MediaSample(
            name: "upright PNG", bytes: PNGSample.file(PNGSample.chunk("eXIf", PNGSample.photo(1))),
            info: MediaInfo(.png, width: 16, height: 8), copy: PNGSample.file()),
        MediaSample(
            name: "animated PNG with an empty piece", bytes: PNGSample.animatedWithEmptyPiece,
            info: MediaInfo(.png, width: 16, height: 8, isAnimated: true), copy: PNGSample.animatedWithEmptyPiece),
        MediaSample(
            name: "animated PNG", bytes: PNGSample.animated(3),
            info: MediaInfo(.png, width: 16, height: 8, isAnimated: true), copy: PNGSample.animated(3)),
        MediaSample(
            name: "GIF", bytes: GIFSample.full, info: MediaInfo(.gif, width: 16, height: 8, isAnimated: true),
            copy: GIFSample.copyOfFull),
        MediaSample(
            name: "GIF without an end", bytes: Array(GIFSample.file(GIFSample.frame()).dropLast()),
            info: MediaInfo(.gif, width: 16, height: 8), copy: GIFSample.file(GIFSample.frame())),
        MediaSample(
            name: "GIF without a screen", bytes: GIFSample.head(0, 0) + GIFSample.frame() + [0x3B],
            info: MediaInfo(.gif, width: 16, height: 8), copy: GIFSample.file(GIFSample.frame())),
        MediaSample(
            name: "GIF with a first frame that exceeds the screen",
            bytes: GIFSample.head(10, 10) + GIFSample.comment + GIFSample.frame(x: 2) + [0x3B],
            info: MediaInfo(.gif, width: 18, height: 10),
            copy: GIFSample.head(18, 10) + GIFSample.frame(x: 2) + [0x3B]),
        MediaSample(
            name: "GIF with a later frame that exceeds the screen",
            bytes: GIFSample.file(GIFSample.frame() + GIFSample.frame(40, 30, x: 5)),
            info: MediaInfo(.gif, width: 16, height: 8, isAnimated: true),
            copy: GIFSample.file(GIFSample.frame() + GIFSample.frame(40, 30, x: 5))),
        MediaSample(
            name: "WebP", bytes: WebPSample.full, info: MediaInfo(.webp, width: 16, height: 8),
            copy: WebPSample.copyOfFull),
        MediaSample(
            name: "simple WebP", bytes: WebPSample.file(WebPSample.lossless(300, 200)),
            info: MediaInfo(.webp, width: 300, height: 200), copy: WebPSample.file(WebPSample.lossless(300, 200))),
        MediaSample(
            name: "animated WebP", bytes: WebPSample.animated,
            info: MediaInfo(.webp, width: 16, height: 8, isAnimated: true), copy: WebPSample.copyOfAnimated),
    ]

    static let others: [MediaSample] = [
        MediaSample(
            name: "MP4", bytes: MP4Sample.full,
            info: MediaInfo(.mp4, width: 320, height: 240, milliseconds: 2500), copy: MP4Sample.copyOfFull),
        MediaSample(
            name: "turned MP4", bytes: MP4Sample.file(MP4Sample.movieHeader() + MP4Sample.track(isTurned: true)),
            info: MediaInfo(.mp4, width: 240, height: 320, milliseconds: 2500)),
        MediaSample(
            name: "sound in MP4", bytes: MP4Sample.file(MP4Sample.movieHeader() + MP4Sample.handlerOnly("soun")),
            info: MediaInfo(.m4a, milliseconds: 2500)),
        MediaSample(
            name: "fragmented MP4", bytes: MP4Sample.fragmented(header: 0, fragments: [900, 1500, 2100]),
            info: MediaInfo(.mp4, width: 320, height: 240, milliseconds: 3000)),
        MediaSample(
            name: "MP4 whose header states only the beginning",
            bytes: MP4Sample.fragmented(header: 600, fragments: [600, 1200]),
            info: MediaInfo(.mp4, width: 320, height: 240, milliseconds: 3000)),
        MediaSample(
            name: "WebM", bytes: WebMSample.full,
            info: MediaInfo(.webm, width: 320, height: 240, milliseconds: 2500), copy: WebMSample.copyOfFull),
        MediaSample(
            name: "recorded WebM", bytes: WebMSample.live,
            info: MediaInfo(.webm, width: 320, height: 240, milliseconds: 2033)),
        MediaSample(
            name: "sound in WebM", bytes: WebMSample.sound, info: MediaInfo(.weba, milliseconds: 2500),
            copy: WebMSample.copyOfSound),
        MediaSample(
            name: "MP3", bytes: MP3Sample.full, info: MediaInfo(.mp3, milliseconds: 78), copy: MP3Sample.frames),
        MediaSample(
            name: "MP3 without tags", bytes: MP3Sample.frames, info: MediaInfo(.mp3, milliseconds: 78),
            copy: MP3Sample.frames),
        MediaSample(
            name: "Opus", bytes: OggSample.opus, info: MediaInfo(.ogg, milliseconds: 2500),
            copy: OggSample.copyOfOpus),
        MediaSample(
            name: "Vorbis", bytes: OggSample.vorbis, info: MediaInfo(.ogg, milliseconds: 2500),
            copy: OggSample.copyOfVorbis),
    ]

    static let all = images + others
}
