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
        freshUntil > now && freshUntil <= now.addingSaturating(AvatarFreshness.maximum)
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
