package import FeedCore

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
