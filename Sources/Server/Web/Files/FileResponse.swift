import FeedAPI
import FeedCore
import FeedFiles
import Foundation
import HTTPTypes
import Hummingbird

/// One code path for every file that goes out: the decision is ``Conditions``, this puts it into bytes.
struct FileResponse {
    let file: StoredFile
    let blobs: BlobStore
    let context: FeedContext
    /// Seconds since 1970.
    let now: Int64

    private var size: Int64 { file.blob.size }

    /// - Throws: ``FeedError`` `.storage` when the bytes are gone.
    func answer(_ request: Request) async throws -> Response {
        let representation = Representation(
            tag: EntityTag(hash: file.blob.hash), modified: file.modifiedAt / 1000, size: size)
        let decision = Conditions(method: request.method, headers: request.headers).decide(representation, now: now)
        var headers = validators(representation)
        switch decision {
        case .notModified: return Response(status: .notModified, headers: headers)
        case .preconditionFailed: return Response(status: .preconditionFailed, headers: headers)
        case .unsatisfiable: return unsatisfiable(&headers)
        case .whole, .parts: describe(&headers)
        }
        if request.method == .head { return head(headers) }
        let reader = try await blobs.open(file.blob.hash)
        guard case .parts(let parts) = decision else { return whole(headers, reader) }
        return parts.count == 1 ? single(headers, reader, parts[0]) : multiple(headers, reader, parts)
    }

    private func validators(_ representation: Representation) -> HTTPFields {
        var headers: HTTPFields = [.acceptRanges: "bytes", .cacheControl: "no-cache"]
        headers[.eTag] = representation.tag.text
        headers[.lastModified] = HTTPDate.text(seconds: file.modifiedAt / 1000)
        return headers
    }

    /// What keeps bytes from strangers from running as a page of ours.
    private func describe(_ headers: inout HTTPFields) {
        headers[.contentType] = file.type
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        headers[.contentDisposition] = ContentDisposition.value(
            MediaType.isInline(file.type) ? "inline" : "attachment", name: file.name)
        if let digest = Digest.base64(hex: file.blob.hash) { headers[.reprDigest] = "sha-256=:\(digest):" }
    }

    private func head(_ headers: HTTPFields) -> Response {
        var headers = headers
        headers[.contentLength] = String(size)
        return Response(status: .ok, headers: headers)
    }

    private func whole(_ headers: HTTPFields, _ reader: BlobReader) -> Response {
        guard size > 0 else { return Response(status: .ok, headers: headers) }
        return Response(status: .ok, headers: headers, body: body(reader, ByteRange(0, size - 1)))
    }

    private func single(_ headers: HTTPFields, _ reader: BlobReader, _ range: ByteRange) -> Response {
        var headers = headers
        headers[.contentRange] = range.text(size: size)
        return Response(status: .partialContent, headers: headers, body: body(reader, range))
    }

    private func body(_ reader: BlobReader, _ range: ByteRange) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { [context] writer in
            if context.sendsFiles {
                try await context.send(reader.region(range))
            } else {
                var chunks = reader.chunks(range)
                while let chunk = try await chunks.next() { try await writer.write(chunk) }
            }
            try await writer.finish(nil)
        }
    }

    private func multiple(_ headers: HTTPFields, _ reader: BlobReader, _ ranges: [ByteRange]) -> Response {
        var headers = headers
        let boundary = AccessTokens.randomText()
        headers[.contentType] = "multipart/byteranges; boundary=" + boundary
        let (type, size) = (file.type, size)
        func lead(_ range: ByteRange) -> String {
            "\r\n--\(boundary)\r\nContent-Type: \(type)\r\nContent-Range: \(range.text(size: size))\r\n\r\n"
        }
        let leads = ranges.map(lead)
        let end = "\r\n--\(boundary)--\r\n"
        let length = zip(ranges, leads).reduce(end.utf8.count) { $0 + Int($1.0.count) + $1.1.utf8.count }
        let body = ResponseBody(contentLength: length) { writer in
            for (range, lead) in zip(ranges, leads) {
                try await writer.write(.init(string: lead))
                var chunks = reader.chunks(range)
                while let chunk = try await chunks.next() { try await writer.write(chunk) }
            }
            try await writer.write(.init(string: end))
            try await writer.finish(nil)
        }
        return Response(status: .partialContent, headers: headers, body: body)
    }

    private func unsatisfiable(_ headers: inout HTTPFields) -> Response {
        headers[.contentRange] = "bytes */\(size)"
        return Problem(
            status: .rangeNotSatisfiable, message: "The range lies outside the file", hint: "It has \(size) bytes.",
            headers: headers
        ).response
    }
}

/// Content-Disposition (RFC 6266): a plain name for old clients, the full one by RFC 8187.
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

/// SHA-256 in the forms headers use (RFC 9530).
enum Digest {
    static func base64(hex: String) -> String? {
        var bytes: [UInt8] = []
        var rest = hex[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return Data(bytes).base64EncodedString()
    }
}
