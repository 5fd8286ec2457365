import FeedAPI
import FeedCore
import FeedFiles
import HTTPTypes
import Hummingbird
import NIOCore

/// The source of a response body.
enum ByteSource: Sendable {
    case memory(ByteBuffer)
    case blob(any BlobReading, FeedContext)

    /// Writes a byte range as part of the response body.
    func write(_ range: ByteRange, to writer: inout any ResponseBodyWriter) async throws {
        switch self {
        case .memory(let bytes):
            let start = bytes.readerIndex + Int(range.first)
            if let slice = bytes.getSlice(at: start, length: Int(range.count)) { try await writer.write(slice) }
        case .blob(let reader, let context):
            if context.sendsFiles, let region = reader.region(range) { return try await context.send(region) }
            // A connection of HTTP/2 holds a chunk for each of its streams.
            var chunks = context.isEncrypted ? reader.chunks(range, size: 64 * 1024) : reader.chunks(range)
            while let chunk = try await chunks.next() { try await writer.write(chunk) }
        }
    }
}

/// The response to GET and HEAD for any content with a validator and a length: files, pictures, assets and classic
/// downloads. ``Preconditions`` makes the decision, and this type carries it out.
struct RangeResponse {
    let representation: Representation
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
    func response(to request: Request, open: () async throws -> ByteSource) async throws -> Response {
        let decision = Preconditions(method: request.method, headers: request.headers).decide(representation, now: now)
        var headers = validators
        switch decision {
        case .notModified: return Response(status: .notModified, headers: headers)
        case .preconditionFailed: return failed(headers, request)
        case .unsatisfiable: return unsatisfiable(headers)
        case .whole, .parts: headers.append(contentsOf: described)
        }
        let source = size == 0 ? nil : try await open()
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
        headers[.eTag] = representation.tag.text
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

    private func whole(_ headers: HTTPFields, _ source: ByteSource?) -> Response {
        guard let source else { return Response(status: .ok, headers: headers) }
        if case .memory(let bytes) = source {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: bytes))
        }
        return Response(status: .ok, headers: headers, body: body(source, ByteRange(0, size - 1)))
    }

    private func single(_ headers: HTTPFields, _ source: ByteSource, _ range: ByteRange) -> Response {
        var headers = headers
        headers[.contentRange] = range.text(size: size)
        return Response(status: .partialContent, headers: headers, body: body(source, range))
    }

    private func body(_ source: ByteSource, _ range: ByteRange) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            try await source.write(range, to: &writer)
            try await writer.finish(nil)
        }
    }

    /// `multipart/byteranges` (RFC 9110 §14.6). The boundary is random, so that no content can contain it.
    private func multiple(_ headers: HTTPFields, _ source: ByteSource, _ ranges: [ByteRange]) -> Response {
        var headers = headers
        let boundary = AccessTokens.randomText()
        headers[.contentType] = "multipart/byteranges; boundary=" + boundary
        let leads = ranges.map { range in
            "\r\n--\(boundary)\r\nContent-Type: \(type)\r\nContent-Range: \(range.text(size: size))\r\n\r\n"
        }
        let end = "\r\n--\(boundary)--\r\n"
        let length = zip(ranges, leads).reduce(end.utf8.count) { $0 + Int($1.0.count) + $1.1.utf8.count }
        let body = ResponseBody(contentLength: length) { writer in
            for (range, lead) in zip(ranges, leads) {
                try await writer.write(.init(string: lead))
                try await source.write(range, to: &writer)
            }
            try await writer.write(.init(string: end))
            try await writer.finish(nil)
        }
        return Response(status: .partialContent, headers: headers, body: body)
    }

    private func failed(_ headers: HTTPFields, _ request: Request) -> Response {
        let response = Problem(
            status: .preconditionFailed, message: "The file is not in the expected state",
            hint: "Its ETag is \(representation.tag.text).", headers: headers
        ).response
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func unsatisfiable(_ headers: HTTPFields) -> Response {
        var headers = headers
        headers[.contentRange] = "bytes */\(size)"
        return Problem(
            status: .rangeNotSatisfiable, message: "The range lies outside the file", hint: "It has \(size) bytes.",
            headers: headers
        ).response
    }
}

extension RangeResponse {
    /// A response from bytes in memory.
    static func response(
        to request: Request, bytes: ByteBuffer, type: String, tag: EntityTag, headers: HTTPFields
    ) async throws -> Response {
        let representation = Representation(tag: tag, modified: nil, size: Int64(bytes.readableBytes))
        return try await RangeResponse(representation: representation, type: type, common: headers, now: 0)
            .response(to: request) { .memory(bytes) }
    }
}
