import FeedAPI
import Foundation
import NIOHTTP1

/// The meaning of a response to a ``RangeRequest``, judged by its status and headers alone.
enum RangeResponse: Equatable {
    /// A part of the file. It may start before the requested range, and may be shorter or longer than requested.
    case part(FileIdentity, Range<Int64>)
    /// The whole file from its start. The server may support ranges nevertheless.
    case whole(FileIdentity, acceptsRanges: Bool)
    /// The file has changed on the server; the bytes downloaded so far are useless.
    case changed
    /// The whole file, unchanged, although its entity tag was sent: the server does not support `If-Range`.
    case conditionIgnored
    /// The requested range cannot be satisfied: the file is empty, or the server does not support ranges that can be
    /// combined into a file.
    case unsatisfiable
    /// The whole file, whose end is that of the connection, and which nothing verifies.
    case unknownEnd
    /// A response that contradicts itself or the request.
    case invalid(String)

    /// - Parameters:
    ///   - known: The file as identified by an earlier response; `nil` for the first request.
    ///   - url: The URL of the response, after redirects.
    init(to request: RangeRequest, known: FileIdentity?, status: Int, headers: HTTPHeaders, url: String) {
        if let defect = Self.defect(headers) {
            self = .invalid(defect)
            return
        }
        self =
            switch status {
            case 206: Self.partial(request, known, headers, url)
            case 200: Self.complete(request, known, headers, url)
            case 416: Self.rangeNotSatisfiable(request, known, headers)
            default: .invalid("The server responded with \(status)")
            }
    }

    /// The reason why the body is unusable regardless of the rest of the response, if any.
    private static func defect(_ headers: HTTPHeaders) -> String? {
        let coding = headers[canonicalForm: "Content-Encoding"].first { $0.lowercased() != "identity" && !$0.isEmpty }
        if coding != nil { return "The server sent a compressed file, which the request excluded" }
        // The request offers no other transfer coding (RFC 9110 §10.1.4), and the client could not decode one.
        guard headers[canonicalForm: "Transfer-Encoding"].allSatisfy({ $0.lowercased() == "chunked" }) else {
            return "The server used a transfer coding that the request did not offer"
        }
        if headers["Content-Range"].count > 1 || Set(headers["Content-Length"]).count > 1 {
            return "The server sent contradictory headers"
        }
        return nil
    }

    private static func partial(
        _ request: RangeRequest, _ known: FileIdentity?, _ headers: HTTPHeaders, _ url: String
    ) -> RangeResponse {
        guard let requested = request.range else {
            return .invalid("The server sent a part of the file, but the whole file was requested")
        }
        let type = headers.first(name: "Content-Type")?.lowercased() ?? ""
        guard !type.hasPrefix("multipart/byteranges") else {
            return .invalid("The server sent several ranges, but one was requested")
        }
        guard let content = ContentRange(headers.first(name: "Content-Range") ?? "") else {
            return .invalid("The server sent a part of the file without a valid Content-Range")
        }
        // Without its size, the first response cannot identify the file, so the whole file is requested instead.
        guard let size = content.completeLength ?? known?.size else { return .unsatisfiable }
        let file = representation(headers, url, size: size, confirmed: request.isConditional ? known : nil)
        if let known, !known.matches(file) { return .changed }
        guard content.range.upperBound <= size, content.range.contains(requested.lowerBound) else {
            return .invalid("The server sent a range other than the requested one")
        }
        guard contentLength(headers).map({ $0 == content.range.byteCount }) ?? true else {
            return .invalid("The server sent a Content-Length that contradicts its Content-Range")
        }
        return .part(file, content.range)
    }

    private static func complete(
        _ request: RangeRequest, _ known: FileIdentity?, _ headers: HTTPHeaders, _ url: String
    ) -> RangeResponse {
        guard !headers.contains(name: "Content-Range") else {
            return .invalid("The server sent a Content-Range with status 200")
        }
        let file = representation(headers, url, size: contentLength(headers))
        if let known {
            guard known.matches(file) else { return .changed }
            return request.isConditional ? .conditionIgnored : .whole(file, acceptsRanges: false)
        }
        guard file.size != nil || isChunked(headers) || request.acceptsCloseDelimited || file.sha256 != nil else {
            return .unknownEnd
        }
        return .whole(
            file, acceptsRanges: headers[canonicalForm: "Accept-Ranges"].contains { $0.lowercased() == "bytes" })
    }

    private static func rangeNotSatisfiable(
        _ request: RangeRequest, _ known: FileIdentity?, _ headers: HTTPHeaders
    ) -> RangeResponse {
        guard let known else {
            return request.range == nil ? .invalid("The server refused to send the file") : .unsatisfiable
        }
        let length = ContentRange.unsatisfiedLength(headers.first(name: "Content-Range") ?? "")
        guard let length, length == known.size else { return .changed }
        return .invalid("The server refused a range of the file that exists")
    }

    /// - Parameter confirmed: The file whose validator was sent in `If-Range`. A 206 confirms it, and may leave out
    ///   `Last-Modified` (RFC 9110 §15.3.7).
    private static func representation(
        _ headers: HTTPHeaders, _ url: String, size: Int64?, confirmed: FileIdentity? = nil
    ) -> FileIdentity {
        var validator = validator(headers)
        if let confirmed, !confirmed.hasEntityTag, headers["ETag"].isEmpty, headers["Last-Modified"].isEmpty {
            validator = confirmed.validator
        }
        return FileIdentity(url: url, validator: validator, size: size, sha256: ReprDigest.sha256(headers))
    }

    private static func validator(_ headers: HTTPHeaders) -> String? {
        headers["ETag"].isEmpty ? strongLastModified(headers) : strongEntityTag(headers)
    }

    /// The time of the last change, if it is at least a second before the response, so that a later change has another
    /// time (RFC 9110 §8.8.2.2).
    private static func strongLastModified(_ headers: HTTPHeaders) -> String? {
        guard headers["Last-Modified"].count == 1, let text = headers.first(name: "Last-Modified"),
            let date = headers.first(name: "Date").flatMap(HTTPDate.seconds), let changed = HTTPDate.seconds(text)
        else { return nil }
        return changed < date ? text : nil
    }

    private static func contentLength(_ headers: HTTPHeaders) -> Int64? {
        headers.first(name: "Content-Length").flatMap(ContentRange.number)
    }

    private static func isChunked(_ headers: HTTPHeaders) -> Bool {
        headers[canonicalForm: "Transfer-Encoding"].last?.lowercased() == "chunked"
    }

    /// The entity tag, if there is exactly one and it is strong (RFC 9110 §8.8.3).
    private static func strongEntityTag(_ headers: HTTPHeaders) -> String? {
        let (tags, quote) = (headers["ETag"], UInt8(ascii: "\""))
        guard tags.count == 1, let tag = tags.first, tag.utf8.count > 2, tag.utf8.first == quote,
            tag.utf8.last == quote, !tag.utf8.dropFirst().dropLast().contains(quote)
        else { return nil }
        return tag
    }
}

/// A `Content-Range` such as `bytes 0-99/1000` (RFC 9110 §14.4).
struct ContentRange: Equatable {
    let range: Range<Int64>
    /// The size of the whole file, in bytes; `nil` if the server does not state it (`*`).
    let completeLength: Int64?

    init?(_ text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let bounds = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2, bounds.count == 2, let first = Self.number(Substring(bounds[0])),
            let last = Self.number(Substring(bounds[1])), first <= last
        else { return nil }
        let isUnknown = parts[1].elementsEqual("*".utf8)
        let length = Self.number(Substring(parts[1]))
        guard isUnknown || length.map({ last < $0 }) == true else { return nil }
        range = first..<last + 1
        completeLength = length
    }

    /// The complete length in `bytes */1000`, which accompanies a 416.
    static func unsatisfiedLength(_ text: String) -> Int64? {
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
        guard words.count == 2, words[0].lowercased() == "bytes", words[1].hasPrefix("*/") else { return nil }
        return number(words[1].dropFirst(2))
    }

    /// Parses a number of bytes; `nil` unless it consists of digits and is a valid file size.
    static func number(_ text: some StringProtocol) -> Int64? {
        guard text.isDigits, let number = Int64(text), number <= FileIdentity.maximumSize else { return nil }
        return number
    }
}

/// The part of a file that a request asks for.
struct RangeRequest: Sendable, Equatable {
    /// The requested bytes, open-ended if the upper bound is `Int64.max`; `nil` to omit the `Range` field.
    var range: Range<Int64>?
    /// Whether the request carries `If-Range`.
    var isConditional = false
    /// Whether a body that is delimited by the end of its connection is acceptable, because a checksum verifies it.
    var acceptsCloseDelimited = false

    /// The value of the `Range` field.
    var rangeField: String? {
        range.map { "bytes=\($0.lowerBound)-" + ($0.upperBound == .max ? "" : String($0.upperBound - 1)) }
    }
}

/// The `Repr-Digest` field (RFC 9530).
enum ReprDigest {
    /// The SHA-256 in lowercase hexadecimal, or `nil` if the field has no valid one.
    static func sha256(_ headers: HTTPHeaders) -> String? {
        for member in headers["Repr-Digest"].flatMap({ $0.utf8.split(separator: UInt8(ascii: ",")) }) {
            let pair = Substring(member).trimmingCharacters(in: .whitespaces)
            guard pair.hasPrefix("sha-256=:"), pair.hasSuffix(":") else { continue }
            guard let bytes = Data(base64Encoded: String(pair.dropFirst(9).dropLast())), bytes.count == 32 else {
                continue
            }
            return Hex.text(bytes)
        }
        return nil
    }
}
