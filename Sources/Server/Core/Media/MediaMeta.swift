/// The measures of media, as far as they are known. Sizes are in pixels.
package struct MediaMeta: Sendable, Equatable {
    package var width: Int?
    package var height: Int?
    /// The duration of a video or an audio file in milliseconds.
    package var milliseconds: Int64?
    package var thumbnailWidth: Int?
    package var thumbnailHeight: Int?

    package init(
        width: Int? = nil, height: Int? = nil, milliseconds: Int64? = nil, thumbnailWidth: Int? = nil,
        thumbnailHeight: Int? = nil
    ) {
        self.width = width
        self.height = height
        self.milliseconds = milliseconds
        self.thumbnailWidth = thumbnailWidth
        self.thumbnailHeight = thumbnailHeight
    }
}

/// The point of an image that has to stay visible when it is cropped, from -1 (left, bottom) to 1 (right, top).
package struct MediaFocus: Sendable, Equatable {
    /// The number of stored steps per unit.
    private static let scale = 10_000.0

    package let x: Double
    package let y: Double

    /// Clamps the coordinates, and rounds them to four decimal places.
    package init(x: Double, y: Double) {
        self.x = Self.rounded(x)
        self.y = Self.rounded(y)
    }

    private static func rounded(_ value: Double) -> Double {
        value.isFinite ? (min(max(value, -1), 1) * scale).rounded() / scale : 0
    }

    /// The coordinates in ten-thousandths, as they are stored.
    package init(storedX: Int, storedY: Int) {
        self.init(x: Double(storedX) / Self.scale, y: Double(storedY) / Self.scale)
    }

    package var stored: (x: Int, y: Int) { (Int((x * Self.scale).rounded()), Int((y * Self.scale).rounded())) }

    /// Parses `x,y` as in the Mastodon API.
    /// - Throws: ``FeedError`` `.invalid`.
    package init(parsing text: String) throws(FeedError) {
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
            Double(Substring($0.drop { $0 == UInt8(ascii: " ") }))
        }
        guard parts.count == 2, let x = parts[0], let y = parts[1], x.isFinite, y.isFinite else {
            throw .invalid("Focus must be two numbers from -1 to 1, separated by a comma")
        }
        self.init(x: x, y: y)
    }
}
