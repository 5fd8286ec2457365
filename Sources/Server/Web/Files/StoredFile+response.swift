import FeedCore
import FeedFiles
import Foundation
import HTTPTypes

extension StoredFile {
    /// The response to GET or HEAD for this file.
    /// - Parameter now: Seconds since 1970.
    /// - Throws: ``FeedError`` `.storage` when the blob is missing.
    func response(to request: Request, _ context: FeedContext, blobs: any BlobStoring, now: Int64) throws
        -> Response
    {
        let content = ContentResponse(
            representation: RepresentationMetadata(
                tag: EntityTag(hash: blob.hash), modified: modifiedAt / 1000, size: blob.size),
            type: type, description: description, common: [.cacheControl: "no-cache"], now: now)
        return try content.response(to: request) { .blob(try blobs.open(blob, name: name), context) }
    }

    /// Headers that describe the file and keep uploaded content from running as a page of this site.
    private var description: HTTPFields {
        var headers: HTTPFields = [.contentSecurityPolicy: MediaType.securityPolicy(type)]
        headers[.contentDisposition] = ContentDisposition.value(
            MediaType.isInline(type) ? "inline" : "attachment", name: name)
        if let digest = Digest.base64(hex: blob.hash.description) { headers[.reprDigest] = "sha-256=:\(digest):" }
        return headers
    }
}

/// Content-Disposition (RFC 6266): an ASCII name for old clients, the full name encoded as in RFC 8187.
enum ContentDisposition {
    static func value(_ kind: String, name: String) -> String {
        let plain = String(String.UnicodeScalarView(name.unicodeScalars.map { isPlain($0) ? $0 : "_" }))
        let value = kind + "; filename=\"" + plain + "\""
        return plain == name ? value : value + "; filename*=UTF-8''" + name.percentEncodedSegment
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F && scalar != "\"" && scalar != "\\"
            && scalar != "%"
    }
}
