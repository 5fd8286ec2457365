package import FeedCore

/// What a media file says about itself.
package struct MediaInfo: Sendable, Equatable {
    package var format: MediaFormat
    /// The size in pixels, as stored; `nil` for audio. A video's size takes its rotation into account.
    package var width: Int?
    package var height: Int?
    /// How an image has to be turned to be upright, from 1 (not at all) to 8 (Exif 2.32, tag 274).
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
