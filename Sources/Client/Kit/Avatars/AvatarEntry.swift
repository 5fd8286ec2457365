import NIOHTTP1

/// A picture and what is known about it.
struct AvatarEntry: Sendable {
    /// SHA-256 of the bytes in hexadecimal, which is the name of its file.
    let hash: String
    let type: AvatarType
    let bytes: [UInt8]
    let etag: String?
    let lastModified: String?
    /// Milliseconds since 1970.
    let freshUntil: Int64

    /// Far in the future is no freshness but a clock that was wrong.
    func isFresh(at now: Int64) -> Bool {
        freshUntil > now && freshUntil <= now.addingSaturating(AvatarFreshness.maximum)
    }

    func image(from source: AvatarImage.Source) -> AvatarImage {
        AvatarImage(bytes: bytes, type: type, source: source)
    }

    /// The same picture with what a 304 says about it (RFC 9111 §4.3.4).
    func renewed(by headers: HTTPHeaders, until freshUntil: Int64) -> AvatarEntry {
        AvatarEntry(
            hash: hash, type: type, bytes: bytes, etag: headers.first(name: "ETag") ?? etag,
            lastModified: headers.first(name: "Last-Modified") ?? lastModified, freshUntil: freshUntil)
    }

    /// The same picture, fresh until then.
    func fresh(until freshUntil: Int64) -> AvatarEntry { renewed(by: [:], until: freshUntil) }
}

extension AvatarEntry {
    /// A picture that has just come.
    /// - Throws: ``FeedClientError`` `.failed` when it is no picture.
    init(bytes: [UInt8], headers: HTTPHeaders, freshUntil: Int64) throws(FeedClientError) {
        guard let type = AvatarType(sniffing: bytes) else { throw FeedClientError(.failed, "What came is no picture") }
        self.init(
            hash: AvatarFiles.name(of: bytes), type: type, bytes: bytes, etag: headers.first(name: "ETag"),
            lastModified: headers.first(name: "Last-Modified"), freshUntil: freshUntil)
    }
}
