import FeedCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// The values of the query.
    var query: InputValues { InputValues(form: uri.query ?? "") }

    /// The values of the body, in any of the three encodings people send; the query's where the body has none.
    /// - Throws: ``FeedError`` `.malformed`, `.tooLarge`.
    func input(limits: Limits, context: FeedContext) async throws -> InputValues {
        var values = query
        let bytes = try await bytes(upTo: limits.formBytes, context: context)
        if bytes.readableBytes > 0 { values.merge(try InputValues(bytes, contentType: headers[.contentType])) }
        return values
    }

    /// The whole body, when it is small.
    func bytes(upTo limit: Int, context: FeedContext) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap(Int.init), length > limit {
            throw FeedError(.tooLarge, "The body is larger than \(limit) bytes")
        }
        context.wantBody()
        return try await body.collect(upTo: limit)
    }
}

extension InputValues {
    /// Reads a body by its type; what has none of ours is a form.
    fileprivate init(_ body: ByteBuffer, contentType: String?) throws(FeedError) {
        let type = contentType?.lowercased() ?? ""
        if type.hasPrefix("application/json") {
            try self.init(json: Data(body.readableBytesView))
        } else if type.hasPrefix("multipart/form-data") {
            try self.init(multipart: body, contentType: contentType)
        } else {
            self.init(form: try Self.validated(body.readableBytesView))
            guard !isGarbled else { throw Self.notUTF8 }
        }
    }
}
