/// A media file that is attached to a status.
package struct MediaAttachment: Sendable, Equatable {
    package var id: Int64
    package var kind: MediaKind
    package var format: MediaFormat
    /// The path of the file on this server, `/media/RANDOM/NAME`.
    package var path: String
    /// The path of the thumbnail on this server; `nil` if there is none.
    package var previewPath: String?
    package var description: String?
    package var focus: MediaFocus?
    package var blurhash: String?
    package var meta: MediaMeta
    /// The size of the file in bytes.
    package var size: Int64

    package init(
        id: Int64, kind: MediaKind, format: MediaFormat, path: String, previewPath: String? = nil,
        description: String? = nil, focus: MediaFocus? = nil, blurhash: String? = nil, meta: MediaMeta = MediaMeta(),
        size: Int64 = 0
    ) {
        self.id = id
        self.kind = kind
        self.format = format
        self.path = path
        self.previewPath = previewPath
        self.description = description
        self.focus = focus
        self.blurhash = blurhash
        self.meta = meta
        self.size = size
    }
}

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

/// The average color of a picture, from its blurhash.
///
/// A blurhash (https://github.com/woltapp/blurhash/blob/master/Algorithm.md) consists of base-83 digits: one for the
/// number of components, one for the largest AC component, four for the DC component, which is the average color in
/// sRGB, and two for each AC component.
package enum BlurhashColor {
    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// The largest number of components, 9 × 9.
    private static let maximumSize = 80

    /// The color as `#rrggbb`.
    /// - Returns: `nil` if the text is not a blurhash.
    package static func average(of blurhash: String) -> String? {
        let length = blurhash.utf8.count
        guard (6...4 + 2 * (maximumSize + 1)).contains(length), let digits = digits(blurhash), let size = digits.first,
            size <= maximumSize, length == 4 + 2 * (size % 9 + 1) * (size / 9 + 1)
        else { return nil }
        let color = digits[2..<6].reduce(0) { $0 * 83 + $1 }
        guard color <= 0xFFFFFF else { return nil }
        // The seventh digit keeps leading zeros.
        return "#" + String(color | 0x100_0000, radix: 16).dropFirst()
    }

    private static func digits(_ text: String) -> [Int]? {
        let digits = text.utf8.compactMap { alphabet.firstIndex(of: $0) }
        return digits.count == text.utf8.count ? digits : nil
    }
}

/// A format of media attachments. The raw values are stored.
package enum MediaFormat: String, Sendable, CaseIterable {
    case jpeg, png, webp, gif, mp4, webm, mp3, ogg
    /// MP4 and WebM without pictures.
    case m4a, weba

    /// The media type in which the content is served.
    package var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webp: "image/webp"
        case .gif: "image/gif"
        case .mp4: "video/mp4"
        case .webm: "video/webm"
        case .mp3: "audio/mpeg"
        case .ogg: "audio/ogg"
        case .m4a: "audio/mp4"
        case .weba: "audio/webm"
        }
    }

    /// The extension of file names, without a dot.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// An animated GIF is an image, because it is served as a GIF.
    package var kind: MediaKind {
        switch self {
        case .jpeg, .png, .webp, .gif: .image
        case .mp4, .webm: .video
        case .mp3, .ogg, .m4a, .weba: .audio
        }
    }
}

/// The `type` of a media attachment in the Mastodon API.
package enum MediaKind: String, Sendable, CaseIterable {
    case image, gifv, video, audio, unknown
}
