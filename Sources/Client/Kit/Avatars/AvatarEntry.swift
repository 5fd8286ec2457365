import NIOHTTP1

/// A cached picture with its validators.
struct AvatarEntry: Sendable {
    /// The SHA-256 of the bytes in hexadecimal, which is the name of the file.
    let hash: String
    let type: AvatarType
    let bytes: [UInt8]
    let etag: String?
    let lastModified: String?
    /// Milliseconds since 1970.
    let freshUntil: Int64

    /// Whether the picture is fresh. A time far in the future is attributed to a wrong clock and ignored.
    func isFresh(at now: Int64) -> Bool {
        freshUntil > now && freshUntil <= now.addingSaturating(Freshness.maximum)
    }

    func image(from source: AvatarImage.Source) -> AvatarImage {
        AvatarImage(bytes: bytes, type: type, source: source)
    }

    /// The same picture, updated by a 304 response (RFC 9111 §4.3.4).
    func revalidated(_ headers: HTTPHeaders, freshUntil: Int64) -> AvatarEntry {
        AvatarEntry(
            hash: hash, type: type, bytes: bytes, etag: headers.first(name: "ETag") ?? etag,
            lastModified: headers.first(name: "Last-Modified") ?? lastModified, freshUntil: freshUntil)
    }

    /// The same picture with another freshness lifetime.
    func fresh(until freshUntil: Int64) -> AvatarEntry { revalidated([:], freshUntil: freshUntil) }
}

extension AvatarEntry {
    /// A picture that has been received.
    /// - Throws: ``FeedClientError`` `.failed` if the bytes are not a picture.
    init(bytes: [UInt8], headers: HTTPHeaders, freshUntil: Int64) throws(FeedClientError) {
        guard let type = AvatarType(sniffing: bytes) else {
            throw FeedClientError(.failed, "The response is not a picture")
        }
        self.init(
            hash: AvatarFiles.name(of: bytes), type: type, bytes: bytes, etag: headers.first(name: "ETag"),
            lastModified: headers.first(name: "Last-Modified"), freshUntil: freshUntil)
    }
}

/// A picture as encoded bytes: an avatar, or any other picture from an ``AvatarCache``.
public struct AvatarImage: Sendable, Equatable {
    /// The origin of a picture.
    public enum Source: String, Sendable {
        case memory, disk
        /// Cached, and confirmed by the server.
        case revalidated
        case network
    }

    public let bytes: [UInt8]
    /// The type as detected from the bytes.
    public let type: AvatarType
    public let source: Source

    public init(bytes: [UInt8], type: AvatarType, source: Source) {
        self.bytes = bytes
        self.type = type
        self.source = source
    }
}

/// The supported formats of pictures. The raw value is the media type.
public enum AvatarType: String, Sendable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"

    /// Detects the type from the first bytes, because a server's `Content-Type` may be wrong; `nil` for anything else.
    public init?(sniffing bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}
