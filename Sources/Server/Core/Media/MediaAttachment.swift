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

/// An uploaded image, video or audio file that belongs to a status, or will. Times are milliseconds since 1970, UTC.
package struct StoredMedia: Sendable, Equatable {
    /// The content, once it has been processed.
    package struct Content: Sendable, Equatable {
        package var format: MediaFormat
        package var blob: Blob
        package var meta: MediaMeta
        package var blurhash: String?

        package init(format: MediaFormat, blob: Blob, meta: MediaMeta, blurhash: String?) {
            self.format = format
            self.blob = blob
            self.meta = meta
            self.blurhash = blurhash
        }
    }

    /// A smaller image. Its size is in pixels.
    package struct Thumbnail: Sendable, Equatable {
        package var blob: Blob
        package var format: MediaFormat
        package var width: Int?
        package var height: Int?

        package init(blob: Blob, format: MediaFormat, width: Int? = nil, height: Int? = nil) {
            self.blob = blob
            self.format = format
            self.width = width
            self.height = height
        }
    }

    package var id: Int64
    package var accountID: Int64
    /// The status to which the file belongs, perhaps only a former version of it.
    package var statusID: Int64?
    /// The scheduled status that will have the file.
    package var scheduledID: Int64?
    /// The unguessable part of the addresses.
    package var key: String
    /// `nil` while the upload is being processed, and if that has failed.
    package var content: Content?
    package var thumbnail: Thumbnail?
    package var description: String?
    package var focus: MediaFocus?
    /// The reason why the upload could not be processed.
    package var failure: String?
    package var createdAt: Int64
    /// The time at which a file without a status is deleted.
    package var expiresAt: Int64?

    package init(id: Int64, accountID: Int64, key: String, createdAt: Int64) {
        self.id = id
        self.accountID = accountID
        self.key = key
        self.createdAt = createdAt
    }

    /// Whether the upload can no longer become ready.
    /// - Parameter now: Milliseconds since 1970.
    package func hasFailed(at now: Int64) -> Bool {
        content == nil && (failure != nil || createdAt <= now - MediaLimits.processingTime)
    }

    /// Sets the content, but not the thumbnail, whose format is not known here.
    package mutating func apply(_ processed: ProcessedMedia) {
        content = Content(
            format: processed.format, blob: processed.content, meta: processed.meta, blurhash: processed.blurhash)
    }

    /// The blobs to which the file refers.
    package var blobs: [Blob] { [content?.blob, thumbnail?.blob].compactMap(\.self) }
}

extension StoredMedia {
    /// The last segment of the address of the content.
    private var contentName: String? { content.map { $0.format.kind.rawValue + "." + $0.format.fileExtension } }

    /// The last segment of the address of the thumbnail. It contains part of the hash, because a thumbnail can be replaced
    /// although addresses are immutable.
    private var thumbnailName: String? {
        thumbnail.map { "preview-\($0.blob.hash.description.prefix(12)).\($0.format.fileExtension)" }
    }

    private func path(_ name: String) -> String { "/media/" + key + "/" + name }

    /// The file as a status shows it; `nil` unless it has been processed.
    package var attachment: MediaAttachment? {
        guard let content, let contentName else { return nil }
        var meta = content.meta
        (meta.thumbnailWidth, meta.thumbnailHeight) = (thumbnail?.width, thumbnail?.height)
        return MediaAttachment(
            id: id, kind: content.format.kind, format: content.format, path: path(contentName),
            previewPath: thumbnailName.map(path), description: description, focus: focus, blurhash: content.blurhash,
            meta: meta, size: content.blob.size)
    }

    /// The content that a request for the last segment of an address gets.
    package func file(named name: String) -> (blob: Blob, format: MediaFormat)? {
        if name == contentName { return content.map { ($0.blob, $0.format) } }
        if name == thumbnailName { return thumbnail.map { ($0.blob, $0.format) } }
        return nil
    }
}
