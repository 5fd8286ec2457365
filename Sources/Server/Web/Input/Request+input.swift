import FeedAPI
import FeedCore
import FeedFiles
import Foundation
import HTTPTypes
import NIOCore

extension Request {
    /// The values of the query.
    /// - Throws: ``FeedError`` `.invalid` for U+0000, `.tooLarge` for too many values.
    var query: RequestParameters {
        get throws(FeedError) { try RequestParameters(form: uri.query ?? "").withoutNUL() }
    }

    /// The values of the body (form, multipart or JSON), merged over those of the query.
    /// - Parameters:
    ///   - limit: The maximum size of the body in bytes.
    ///   - count: The maximum number of values in the body.
    /// - Throws: ``FeedError`` `.malformed`, `.tooLarge`, `.unsupported`, `.invalid` for U+0000.
    func input(
        upTo limit: Int, count: Int = RequestParameters.maximumCount, context: RequestContext
    ) async throws -> RequestParameters {
        var values = try query
        let bytes = try await bytes(upTo: limit, context: context)
        guard bytes.readableBytes > 0 else { return values }
        values.merge(try await RequestParameters.reading(bytes, contentType: headers[.contentType], upTo: count))
        return try values.withoutNUL()
    }

    /// The whole body.
    /// - Throws: ``FeedError`` `.tooLarge` or `.unsupported`; `NIOTooManyBytesError` if the length is not declared.
    func bytes(upTo limit: Int, context: RequestContext) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap(Int.init), length > limit {
            throw FeedError(.tooLarge, "The body is larger than \(limit) bytes")
        }
        try refuseContentCoding()
        context.readBody()
        return try await body.collect(upTo: limit)
    }

    /// - Throws: ``FeedError`` `.unsupported` for a body that is compressed (RFC 9110 §8.4).
    func refuseContentCoding() throws(FeedError) {
        guard let coding = headers[.contentEncoding]?.lowercased(), coding != "identity" else { return }
        throw FeedError(.unsupported, "Content-Encoding is not supported", hint: "Send the bytes as they are.")
    }
}

extension RequestParameters {
    /// The size in bytes up to which a body is parsed on the event loop; a longer one would delay other connections.
    private static let shortBytes = 4096

    fileprivate static func reading(
        _ body: ByteBuffer, contentType: String?, upTo count: Int
    ) async throws -> RequestParameters {
        guard body.readableBytes > shortBytes else {
            return try RequestParameters(body, contentType: contentType, upTo: count)
        }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try RequestParameters(body, contentType: contentType, upTo: count)
        }
    }

    /// Parses a body by its Content-Type; an unknown type is parsed as a form.
    private init(_ body: ByteBuffer, contentType: String?, upTo count: Int) throws {
        let type = contentType?.lowercased() ?? ""
        if type.hasPrefix("application/json") {
            self = try body.withUnsafeReadableBytes {
                try JSONBodyParser.read($0.bindMemory(to: UInt8.self), upTo: count)
            }
        } else if type.hasPrefix("multipart/form-data") {
            try self.init(multipart: body, contentType: contentType, upTo: count)
        } else {
            guard !Self.isJSON(body) else {
                throw FeedError.malformed(
                    "The body looks like JSON, but was not sent as such", hint: "Send Content-Type: application/json.")
            }
            try self.init(form: try Self.validated(body.readableBytesView), upTo: count)
            guard !hasInvalidUTF8 else { throw Self.notUTF8 }
        }
    }

    /// Whether a body is a JSON object. A form with such a name would be taken for one without any of its fields.
    private static func isJSON(_ body: ByteBuffer) -> Bool {
        guard let first = body.readableBytesView.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            first == UInt8(ascii: "{")
        else { return false }
        return body.withUnsafeReadableBytes { (try? JSONBodyParser.read($0.bindMemory(to: UInt8.self))) != nil }
    }
}

extension RequestContext {
    /// A path parameter, percent-decoded.
    /// - Throws: ``FeedError`` `.malformed` for a malformed escape or invalid UTF-8.
    func segment(_ name: String) throws -> String {
        guard let text = parameters.get(name)?.removingStrictPercentEncoding else {
            throw FeedError.malformed("The address is malformed")
        }
        return text
    }

    /// A path parameter as an id.
    /// - Throws: ``FeedError`` `.notFound` for anything else.
    func id(_ name: String = "id") throws -> Int64 {
        guard let text = parameters.get(name), text.isDigits, let id = Int64(text)
        else {
            throw FeedError.notFound
        }
        return id
    }
}
