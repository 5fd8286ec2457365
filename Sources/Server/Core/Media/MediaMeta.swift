/// Sizes in pixels, as the picture is shown (upright), and the duration, as far as they are known.
package struct MediaMeta: Sendable, Equatable {
    package var width: Int?
    package var height: Int?
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

/// The point of a picture that stays visible when it is cropped: from -1 (left, bottom) to 1 (right, top).
package struct MediaFocus: Sendable, Equatable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
