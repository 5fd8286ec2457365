import Crypto
import FeedFiles
import Foundation
import HTTPTypes
import Hummingbird

extension Response {
    /// Bytes that are in memory, with a validator: answers `304` where the asker has them already.
    /// - Parameter modified: Seconds since 1970.
    static func conditional(
        _ request: Request, bytes: ByteBuffer, type: String, tag: EntityTag, modified: Int64? = nil,
        headers extra: HTTPFields = [:]
    ) -> Response {
        var headers = extra
        headers[.eTag] = tag.text
        let representation = Representation(tag: tag, modified: modified, size: Int64(bytes.readableBytes))
        var method = request.method
        // Ranges of something this small are not worth their headers.
        if method == .get { method = .head }
        switch Conditions(method: method, headers: request.headers).decide(representation, now: 0) {
        case .notModified: return Response(status: .notModified, headers: headers)
        case .preconditionFailed: return Response(status: .preconditionFailed, headers: headers)
        case .whole, .parts, .unsatisfiable:
            headers[.contentType] = type
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: bytes))
        }
    }
}

extension EntityTag {
    /// A strong tag of whatever a page depends on.
    init(of parts: String...) {
        let hash = SHA256.hash(data: Data(parts.joined(separator: "\u{0}").utf8))
        self.init(hash.prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    /// A strong tag of bytes.
    init(of bytes: [UInt8]) {
        self.init(SHA256.hash(data: bytes).prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }
}
