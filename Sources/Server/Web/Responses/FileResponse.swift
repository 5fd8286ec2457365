import Crypto
import FeedAPI
import FeedCore
import FeedFiles
import Foundation
import HTTPTypes
import NIOCore

/// The response to GET and HEAD for any content with a validator and a length: files, pictures, assets and classic
/// downloads. ``Preconditions`` makes the decision, and this type carries it out.
struct FileResponse {
    let representation: RepresentationMetadata
    let type: String
    /// Additional headers of 200 and 206 responses.
    var description: HTTPFields = [:]
    /// Headers of every response.
    var common: HTTPFields = [:]
    /// Seconds since 1970.
    let now: Int64

    private var size: Int64 { representation.size }

    /// Responds according to the preconditions and the range of the request.
    /// - Parameter open: Opens the content. Called only if the response to a GET would have content.
    func response<Failure: Error>(
        to request: Request, open: () throws(Failure) -> BodySource
    ) throws(Failure) -> Response {
        let decision = Preconditions(request).decide(representation, now: now)
        var headers = validators
        switch decision {
        case .notModified: return Response(status: .notModified, headers: headers)
        case .preconditionFailed: return failed(headers)
        case .unsatisfiable: return unsatisfiable(headers)
        case .whole, .parts: headers.append(contentsOf: described)
        }
        let source = size == 0 ? nil : try open()
        if request.method == .head {
            headers[.contentLength] = String(size)
            return Response(status: .ok, headers: headers)
        }
        guard case .parts(let parts) = decision, let source else { return whole(headers, source) }
        return parts.count == 1 ? single(headers, source, parts[0]) : multiple(headers, source, parts)
    }

    private var validators: HTTPFields {
        var headers = common
        headers[.acceptRanges] = "bytes"
        headers[.eTag] = representation.tag.headerValue
        // Never later than Date (RFC 9110 §8.8.2.1), even if the clock has been set back.
        if let modified = representation.modified {
            headers[.lastModified] = HTTPDate.text(seconds: min(modified, now))
        }
        return headers
    }

    private var described: HTTPFields {
        var headers = description
        headers[.contentType] = type
        return headers
    }

    private func whole(_ headers: HTTPFields, _ source: BodySource?) -> Response {
        let body = source?.body([.range(ByteRange(0, size - 1))]) ?? ResponseBody()
        return Response(status: .ok, headers: headers, body: body)
    }

    private func single(_ headers: HTTPFields, _ source: BodySource, _ range: ByteRange) -> Response {
        var headers = headers
        headers[.contentRange] = range.contentRange(size: size)
        return Response(status: .partialContent, headers: headers, body: source.body([.range(range)]))
    }

    /// `multipart/byteranges` (RFC 9110 §14.6). The boundary is random, so that no content can contain it.
    private func multiple(_ headers: HTTPFields, _ source: BodySource, _ ranges: [ByteRange]) -> Response {
        var headers = headers
        let boundary = Secret.randomText()
        headers[.contentType] = "multipart/byteranges; boundary=" + boundary
        let parts = ranges.flatMap { range -> [BodySource.Piece] in
            let lead =
                "\r\n--\(boundary)\r\nContent-Type: \(type)\r\nContent-Range: \(range.contentRange(size: size))\r\n\r\n"
            return [.text(lead), .range(range)]
        }
        let body = source.body(parts + [.text("\r\n--\(boundary)--\r\n")])
        return Response(status: .partialContent, headers: headers, body: body)
    }

    private func failed(_ headers: HTTPFields) -> Response {
        ErrorResponse(
            status: .preconditionFailed, message: "The file is not in the expected state",
            hint: "Its ETag is \(representation.tag.headerValue).", headers: headers
        ).response
    }

    private func unsatisfiable(_ headers: HTTPFields) -> Response {
        var headers = headers
        headers[.contentRange] = "bytes */\(size)"
        return ErrorResponse(
            status: .rangeNotSatisfiable, message: "The range lies outside the file", hint: "It has \(size) bytes.",
            headers: headers
        ).response
    }
}

extension FileResponse {
    /// A response from bytes in memory.
    static func response(
        to request: Request, bytes: ByteBuffer, type: String, tag: EntityTag, headers: HTTPFields
    ) -> Response {
        let representation = RepresentationMetadata(tag: tag, modified: nil, size: Int64(bytes.readableBytes))
        return FileResponse(representation: representation, type: type, common: headers, now: 0)
            .response(to: request) { .memory(bytes) }
    }
}

extension Preconditions {
    private static let fields: [HTTPField.Name] = [
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .range, .ifRange,
    ]

    /// The preconditions and the range of a request.
    init(_ request: Request) { self.init(method: request.method, headers: Self.fields(of: request.headers)) }

    /// Whether to respond 304 to a GET or HEAD request, judged by the entity tag alone.
    static func isNotModified(_ headers: RequestHeaders, _ tag: EntityTag) -> Bool {
        guard headers.contains(.ifNoneMatch) else { return false }
        let metadata = RepresentationMetadata(tag: tag, modified: nil, size: 0)
        return Preconditions(method: .head, headers: fields(of: headers)).decide(metadata, now: 0) == .notModified
    }

    private static func fields(of headers: RequestHeaders) -> HTTPFields {
        var conditions = HTTPFields()
        for name in fields {
            for value in headers[values: name] { conditions.append(HTTPField(name: name, value: value)) }
        }
        return conditions
    }
}

extension EntityTag {
    /// A strong entity tag derived from everything that a page depends on.
    init(of parts: String...) { self.init(of: Array(parts.joined(separator: "\u{0}").utf8)) }

    /// A strong entity tag of content.
    init(of bytes: [UInt8]) {
        self.init(Hex.text(SHA256.hash(data: bytes).prefix(16)))
    }

    /// A strong entity tag of a body and its links, without copying the body.
    init(of body: ByteBuffer, links: String) {
        var (hash, links) = (SHA256(), links)
        body.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        links.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        self.init(Hex.text(hash.finalize().prefix(16)))
    }
}

/// The source of a response body.
enum BodySource: Sendable {
    case memory(ByteBuffer)
    case blob(BlobReader, RequestContext)

    /// A piece of a response body.
    enum Piece: Sendable {
        case text(String)
        case range(ByteRange)

        var length: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .range(let range): Int(range.count)
            }
        }
    }

    /// A response body. Only that of a file is written by a task.
    func body(_ pieces: [Piece]) -> ResponseBody {
        switch self {
        case .memory(let bytes): return ResponseBody(byteBuffer: Self.joined(pieces, of: bytes))
        case .blob(let reader, let context):
            return ResponseBody(contentLength: pieces.reduce(0) { $0 + $1.length }) { writer in
                for piece in pieces {
                    switch piece {
                    case .text(let text): try await writer.write(ByteBuffer(string: text))
                    case .range(let range): try await Self.write(range, of: reader, to: writer, context)
                    }
                }
            }
        }
    }

    private static func joined(_ pieces: [Piece], of bytes: ByteBuffer) -> ByteBuffer {
        var joined = ByteBuffer()
        for piece in pieces {
            switch piece {
            case .text(let text): joined.writeString(text)
            case .range(let range):
                let start = bytes.readerIndex + Int(range.first)
                guard var slice = bytes.getSlice(at: start, length: Int(range.count)) else { continue }
                if pieces.count == 1 { return slice }
                joined.writeBuffer(&slice)
            }
        }
        return joined
    }

    private static func write(
        _ range: ByteRange, of reader: BlobReader, to writer: ResponseWriter, _ context: RequestContext
    ) async throws {
        if context.sendsFiles { return try await writer.send(reader.region(range)) }
        // A connection of HTTP/2 holds a chunk for each of its streams.
        var chunks = context.isEncrypted ? reader.chunks(range, size: 64 * 1024) : reader.chunks(range)
        while let chunk = try await chunks.next() { try await writer.write(chunk) }
    }
}
