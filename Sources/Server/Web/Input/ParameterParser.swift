import FeedAPI
import FeedCore
import FeedFiles
import Foundation
import HTTPTypes
import NIOCore

/// Parses the body of a request by its Content-Type: a form, `multipart/form-data` or JSON.
enum ParameterParser {
    /// The size in bytes up to which a body is parsed on the event loop; a longer one would delay other connections.
    private static let shortBytes = 4096

    /// - Parameter count: The maximum number of values.
    /// - Throws: ``FeedError`` `.malformed`, `.tooLarge`.
    static func parse(
        _ body: ByteBuffer, contentType: String?, upTo count: Int
    ) async throws -> RequestParameters {
        guard body.readableBytes > shortBytes else { return try parsed(body, contentType: contentType, upTo: count) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try parsed(body, contentType: contentType, upTo: count)
        }
    }

    /// An unknown type is parsed as a form.
    private static func parsed(_ body: ByteBuffer, contentType: String?, upTo count: Int) throws -> RequestParameters {
        let type = contentType?.lowercased() ?? ""
        if type.hasPrefix("application/json") {
            return try body.withUnsafeReadableBytes {
                try JSONParser.read($0.bindMemory(to: UInt8.self), upTo: count)
            }
        }
        if type.hasPrefix("multipart/form-data") {
            return try RequestParameters(multipart: body, contentType: contentType, upTo: count)
        }
        guard !isJSON(body) else {
            throw FeedError.malformed(
                "The body looks like JSON, but was not sent as such", hint: "Send Content-Type: application/json.")
        }
        let text = try RequestParameters.validated(body.readableBytesView)
        let values = try RequestParameters(form: text, upTo: count)
        guard !values.hasInvalidUTF8 else { throw RequestParameters.notUTF8 }
        return values
    }

    /// Whether a body is a JSON object. A form with such a name would be taken for one without any of its fields.
    private static func isJSON(_ body: ByteBuffer) -> Bool {
        guard let first = body.readableBytesView.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            first == UInt8(ascii: "{")
        else { return false }
        return body.withUnsafeReadableBytes { (try? JSONParser.read($0.bindMemory(to: UInt8.self))) != nil }
    }
}

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
        values.merge(try await ParameterParser.parse(bytes, contentType: headers[.contentType], upTo: count))
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

extension RequestParameters {
    /// Parses `a=1&b=2` (`application/x-www-form-urlencoded` of the URL Standard). A malformed escape is kept
    /// literally.
    /// - Throws: ``FeedError`` `.tooLarge`.
    init(form text: some StringProtocol, upTo maximumCount: Int = Self.maximumCount) throws(FeedError) {
        self.init(upTo: maximumCount)
        for pair in text.utf8.lazy.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            try append(decoded(pair[..<equals]), decoded(pair[equals...].dropFirst()))
        }
    }

    private mutating func decoded(_ text: some Collection<UInt8>) -> String {
        if let decoded = String(validating: Self.unescaped(Array(text)), as: UTF8.self) { return decoded }
        hasInvalidUTF8 = true
        return String(decoding: text, as: UTF8.self)
    }

    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let high = Hex.value(ofDigit: text[index + 1]),
                let low = Hex.value(ofDigit: text[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : text[index])
                index += 1
            }
        }
        return bytes
    }

    /// The text of a form, which must be UTF-8.
    /// - Throws: ``FeedError`` `.malformed`.
    static func validated(_ bytes: some Sequence<UInt8>) throws(FeedError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw notUTF8 }
        return text
    }

    static let notUTF8 = FeedError.malformed("The form is not valid UTF-8")
}

extension RequestParameters {
    /// The part being read.
    private struct Part {
        let head: MultipartHeader
        var bytes: [UInt8] = []
    }

    /// Reads the fields of `multipart/form-data`, and the names of its file parts.
    /// - Throws: ``FeedError`` `.malformed`, `.tooLarge`.
    init(multipart body: ByteBuffer, contentType: String?, upTo maximumCount: Int) throws(FeedError) {
        self.init(upTo: maximumCount)
        var parser = MultipartParser(boundary: try MultipartBoundary.parse(contentType), style: .strict)
        var part: Part?
        for event in try parser.feed(body) { try take(event, &part) }
        try parser.finish(lengthUsedUp: true)
    }

    /// Reads the fields of `multipart/form-data` piece by piece, and drops its files.
    /// - Parameter limit: The maximum size of the values of all fields together in bytes, without their names.
    /// - Throws: ``FeedError`` `.malformed`, `.tooLarge`, `.invalid` for U+0000.
    static func withoutFiles(of request: Request, upTo limit: Int) async throws -> RequestParameters {
        var parser = MultipartParser(
            boundary: try MultipartBoundary.parse(request.headers[.contentType]), style: .strict)
        var (values, part, fieldBytes, bytes) = (RequestParameters(), Part?.none, 0, Int64(0))
        try await request.readForm { piece in
            bytes += Int64(piece.readableBytes)
            for event in try parser.feed(piece) {
                if case .data(let data) = event, part?.head.isFile == false { fieldBytes += data.readableBytes }
                guard fieldBytes <= limit, bytes <= Limits.refusedFormBytes else {
                    throw FeedError(.tooLarge, "The body is too large")
                }
                try values.take(event, &part)
            }
        }
        try parser.finish(lengthUsedUp: true)
        return try values.withoutNUL()
    }

    private mutating func take(_ event: MultipartParser.Event, _ part: inout Part?) throws(FeedError) {
        switch event {
        case .begin(let head): part = Part(head: head)
        case .data(let data):
            guard let head = part?.head else { return }
            if head.isFile { note(file: head.name) } else { part?.bytes.append(contentsOf: data.readableBytesView) }
        case .end:
            if let part, !part.head.isFile { try append(part.head.name, try Self.validated(part.bytes)) }
            part = nil
        }
    }
}
