import FeedCore

/// The limits of media files that cannot be configured.
enum MediaBounds {
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
        guard width <= MediaBounds.side, height <= MediaBounds.side, width * height <= pixels else {
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
        guard count <= MediaBounds.frames, pixels <= MediaBounds.framePixels else {
            throw .tooLarge(
                "The animation is too long",
                hint: "At most \(MediaBounds.frames) frames are allowed; or upload a video.")
        }
    }
}
