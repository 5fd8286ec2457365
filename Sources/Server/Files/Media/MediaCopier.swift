package import FeedCore
import Foundation

/// Copies media files without what they reveal about the person who made them: places, devices, times, comments. Pixels
/// and samples are not encoded again.
///
/// Each format has a copier that keeps the parts it knows to be needed, so that new kinds of metadata are removed, too.
/// In formats with offsets (MP4, WebM, Ogg), the other parts are overwritten with zeros and keep their length.
///
/// The copiers are state machines without recursion. They need a few times 64 KiB of memory, and time in proportion to
/// the size of the file. A copy of a copy is identical to it.
package enum MediaCopier {
    /// Identifies a file by its content and copies it.
    /// - Throws: ``MediaError`` if the file is refused. What has been written by then is not a complete file.
    package static func copy(
        from source: inout some ByteSource, to sink: inout some ByteSink, limits: MediaLimits
    ) throws(MediaError) -> MediaInfo {
        var stream = MediaStream(MediaReader(source), sink)
        let format = try MediaSniffer.identify(&stream.reader)
        try limits.check(bytes: stream.remaining, of: format)
        let info = try copy(format, &stream, limits)
        // That of an image has been checked before.
        if info.format.kind == .video, let width = info.width, let height = info.height {
            try limits.check(width: width, height: height, "video")
        }
        source = stream.reader.source
        sink = stream.sink
        try sink.finish()
        return info
    }

    /// Copies an open file to another one.
    /// - Parameters:
    ///   - input: A regular file; it is read from its beginning.
    ///   - output: A file to which the copy is appended.
    package static func copy(from input: Int32, to output: Int32, limits: MediaLimits) throws(MediaError) -> MediaInfo {
        var source = try FileSource(descriptor: input)
        var sink = FileSink(descriptor: output)
        return try copy(from: &source, to: &sink, limits: limits)
    }

    private static func copy<Source, Sink>(
        _ format: MediaFormat, _ stream: inout MediaStream<Source, Sink>, _ limits: MediaLimits
    ) throws(MediaError) -> MediaInfo {
        switch format {
        case .jpeg: try JPEGCopier.copy(&stream, limits)
        case .png: try PNGCopier.copy(&stream, limits)
        case .webp: try WebPCopier.copy(&stream, limits)
        case .gif: try GIFCopier.copy(&stream, limits)
        case .mp4, .m4a: try MP4Copier.copy(&stream)
        case .webm, .weba: try WebMCopier.copy(&stream)
        case .mp3: try MP3Copier.copy(&stream)
        case .ogg: try OggCopier.copy(&stream)
        }
    }
}

/// The properties of a media file, as stated in the file.
package struct MediaInfo: Sendable, Equatable {
    package var format: MediaFormat
    /// The size in pixels, as stored; `nil` for audio. A video's size takes its rotation into account.
    package var width: Int?
    package var height: Int?
    /// The orientation of an image, from 1 (upright) to 8 (Exif 2.32, tag 274).
    package var orientation: Int
    /// Whether an image has more than one frame.
    package var isAnimated: Bool
    /// The duration of a video or an audio file, if the file states it.
    package var milliseconds: Int64?

    package init(
        _ format: MediaFormat, width: Int? = nil, height: Int? = nil, orientation: Int = 1, isAnimated: Bool = false,
        milliseconds: Int64? = nil
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.orientation = orientation
        self.isAnimated = isAnimated
        self.milliseconds = milliseconds
    }

    /// The size in pixels of the upright image; `nil` for audio.
    package var uprightSize: (width: Int, height: Int)? {
        guard let width, let height else { return nil }
        return orientation >= 5 ? (width: height, height: width) : (width: width, height: height)
    }
}

/// The limits of media files that cannot be configured.
enum MediaFormatLimits {
    /// The maximum width and height of an image in pixels.
    static let side = 65_535
    /// The maximum number of frames of an image.
    static let frames = 1000
    /// The maximum number of pixels of all frames of an image together.
    static let framePixels = 2_000_000_000
    /// The maximum size of a color profile in bytes, as stored.
    static let profileBytes = 4 << 20
    /// The minimum size of a color profile in bytes: its header (ICC.1:2022, 7.2).
    static let profileHeader = 128
    /// The maximum number of scans of a progressive JPEG. Each costs a viewer as much as another image.
    static let scans = 100
    /// The maximum number of boxes of an MP4 file.
    static let boxes = 200_000
    /// The maximum number of elements of a WebM file.
    static let elements = 1_000_000
    /// The maximum number of streams of an Ogg file.
    static let streams = 64
    /// The maximum number of bytes of an MP3 file that are neither sound nor tags.
    static let unknownBytes = 1 << 20
    /// The maximum size in bytes of anything that has to be in memory as a whole.
    static let memory = 64 * 1024
}

extension MediaLimits {
    /// Checks the size of an image or a frame before anything decodes it.
    /// - Parameter noun: The part that is too large.
    func check(width: Int, height: Int, _ noun: String = "image") throws(MediaError) {
        guard width > 0, height > 0 else { throw .damaged("the image is empty") }
        guard width <= MediaFormatLimits.side, height <= MediaFormatLimits.side, width * height <= pixels else {
            throw .tooLarge(
                "The \(noun) is too large: \(width) × \(height) pixels",
                hint: "Scale it down to at most \(pixels / 1_000_000) megapixels.")
        }
    }

    /// Checks the size of a file.
    func check(bytes: Int64, of format: MediaFormat) throws(MediaError) {
        let limit = self.bytes(of: format)
        guard bytes <= Int64(limit) else {
            throw .tooLarge("The file is larger than \(limit) bytes", hint: "Upload a smaller file.")
        }
    }
}

/// Counts the frames of an animation.
struct FrameCounter {
    private(set) var count = 0
    private var pixels = 0

    /// - Parameters:
    ///   - width: At most 2²⁴.
    ///   - height: At most 2²⁴.
    mutating func add(width: Int, height: Int) throws(MediaError) {
        count += 1
        pixels += width * height
        guard count <= MediaFormatLimits.frames, pixels <= MediaFormatLimits.framePixels else {
            throw .tooLarge(
                "The animation is too long",
                hint: "At most \(MediaFormatLimits.frames) frames are allowed; or upload a video.")
        }
    }
}

/// The reason for refusing a media file. Message and hint may be sent to the client.
package struct MediaError: Error, Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// The file ends too early.
        case incomplete
        /// The file violates its format.
        case damaged
        /// The file has a format, or uses a part of one, that is not accepted.
        case unsupported
        /// The file, its image, or the number of its parts is too large.
        case tooLarge
        /// A system call has failed.
        case failed
    }

    package let kind: Kind
    package let message: String
    package let hint: String?

    package init(_ kind: Kind, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    package static let incomplete = MediaError(.incomplete, "The file is incomplete", hint: "Upload it again.")

    static func damaged(_ reason: String) -> MediaError {
        MediaError(.damaged, "The file is damaged: \(reason)", hint: "Open it in another program and save it again.")
    }

    static func unsupported(_ message: String, hint: String) -> MediaError {
        MediaError(.unsupported, message, hint: hint)
    }

    static func tooLarge(_ message: String, hint: String) -> MediaError {
        MediaError(.tooLarge, message, hint: hint)
    }

    static func failed(_ call: String, _ code: Int32) -> MediaError {
        MediaError(.failed, "The file could not be processed (\(call): \(String(cString: strerror(code))))")
    }

    /// The error as the API reports it: 422, or 500 if a system call has failed.
    package var feedError: FeedError {
        kind == .failed
            ? FeedError(.storage, "The file could not be processed", cause: self)
            : FeedError(.invalid, "Validation failed: " + message, hint: hint)
    }
}
