import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

/// Operations on JSON text that preserve members unknown to the library.
public enum RawJSON {
    /// The elements of a JSON array, or the members of an object with their names, unchanged, without
    /// the whitespace around them. The text must be valid JSON.
    public static func elements(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var elements: [ArraySlice<UInt8>] = []
        var depth = 0
        var start: Int?
        var isString = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if isString {
                if byte == 92 { index += 1 }
                if byte == 34 { isString = false }
            } else if byte == 34 {
                isString = true
                if depth == 1, start == nil { start = index }
            } else if byte == 91 || byte == 123 {
                depth += 1
                if depth == 2, start == nil { start = index }
            } else if byte == 93 || byte == 125 || byte == 44 {
                if depth == 1, let begin = start {
                    elements.append(trimmed(bytes[begin..<index]))
                    start = nil
                }
                if byte != 44 { depth -= 1 }
            } else if depth == 1, start == nil, byte > 32 {
                start = index
            }
            index += 1
        }
        return elements
    }

    /// Whether a text can have no more than a number of values. The text need not be valid JSON.
    static func hasValues(atMost maximum: Int, _ bytes: some Sequence<UInt8>) -> Bool {
        var (count, isString, isEscaped) = (1, false, false)
        for byte in bytes {
            if isString {
                isString = isEscaped || byte != 34
                isEscaped = byte == 92 && !isEscaped
            } else if byte == 34 {
                isString = true
            } else if byte == 44 || byte == 91 || byte == 123 {
                count += 1
                if count > maximum { return false }
            }
        }
        return true
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let last = text.lastIndex { $0 > 32 } ?? text.startIndex
        return text[...last]
    }

    /// The value of a member of a JSON object, unchanged; `nil` if the object has no such member. The text must be valid
    /// JSON, and the name must need no escapes.
    static func member(_ name: String, of bytes: [UInt8]) -> [UInt8]? {
        let prefix = Array("\"\(name)\"".utf8)
        guard let member = elements(of: bytes).first(where: { $0.starts(with: prefix) }) else { return nil }
        guard let colon = member.dropFirst(prefix.count).firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return Array(member[(colon + 1)...].drop { $0 <= 32 })
    }

    /// Equivalent JSON on one line: without whitespace between tokens, and with `\u` escapes for characters that a
    /// terminal might interpret.
    public static func line(_ bytes: some Sequence<UInt8>) -> String {
        var result = String.UnicodeScalarView()
        var isString = false
        var isEscaped = false
        for scalar in String(decoding: Array(bytes), as: UTF8.self).unicodeScalars {
            if isString {
                appendStringScalar(scalar, to: &result)
                if scalar == "\"", !isEscaped { isString = false }
                isEscaped = scalar == "\\" && !isEscaped
            } else if (33...126).contains(scalar.value) {
                result.append(scalar)
                isString = scalar == "\""
            }
        }
        return String(result)
    }

    private static func appendStringScalar(_ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView) {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x206F, 0xFEFF, 0xFFF9...0xFFFB:
            let hex = String(scalar.value, radix: 16)
            result.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).unicodeScalars)
        default: result.append(scalar)
        }
    }
}

/// An element of a list, decoded and as the server sent it.
struct ListElement<Value: Decodable & Sendable>: Sendable {
    private struct Named: Decodable {
        let id: String?

        private enum Key: String, CodingKey { case id }

        init(from decoder: any Decoder) {
            let fields = try? decoder.container(keyedBy: Key.self)
            let number = (try? fields?.decode(Int64.self, forKey: .id)).map { String($0) }
            id = number ?? (try? fields?.decode(String.self, forKey: .id))
        }
    }

    /// `nil` if the element cannot be decoded.
    let value: Value?
    let json: [UInt8]

    /// Its id, even if the rest cannot be decoded.
    var id: String? { (try? JSONDecoder().decode(Named.self, from: Data(json)))?.id }
}

extension FeedClient {
    /// The elements of the list in a response. Those that cannot be decoded are reported.
    /// - Throws: ``FeedClientError`` `.failed` if the body is not a list.
    func elements<Value>(of response: Response, as type: Value.Type) throws -> [ListElement<Value>] {
        let values = try decode([Tolerant<Value>].self, response)
        let texts = RawJSON.elements(of: response.bytes)
        guard texts.count == values.count else {
            throw FeedClientError(.failed, "The server's response could not be understood")
        }
        return zip(values, texts).map { ListElement(value: $0.value, json: Array($1)) }
    }

    /// The content of a response. Faulty parts that can be left out are reported.
    func decode<Value: Decodable>(_ type: Value.Type, _ response: Response) throws -> Value {
        let skipped = SkippedEntities()
        defer { for entity in skipped.all { onSkip?(entity) } }
        return try SkippedEntities.$current.withValue(skipped) { try response.decode(type) }
    }
}

/// A response that was read as a whole.
struct Response: Sendable {
    let headers: HTTPHeaders
    let body: ByteBuffer
    /// Whether the server has confirmed what the client has (304), and sent no body.
    var isNotModified = false

    var bytes: [UInt8] { Array(body.readableBytesView) }

    /// The links to neighboring pages.
    var links: LinkHeader {
        // A field that is cut off does not affect the others.
        headers["Link"].reduce(into: LinkHeader()) { $0.add($1) }
    }

    /// Whether the body has a coding that the request did not permit.
    private var isCompressed: Bool {
        headers.first(name: "Content-Encoding").map { !["identity", "gzip", "deflate"].contains($0.lowercased()) }
            ?? false
    }

    /// The maximum number of values in a response. The largest one that servers send, a page of statuses, has some
    /// thousands; each takes far more memory than its text.
    private static let maximumValues = 250_000

    private struct TooManyValues: Error {}

    /// - Throws: ``FeedClientError`` `.failed` if the body is not the expected JSON.
    func decode<Value: Decodable>(_ type: Value.Type) throws(FeedClientError) -> Value {
        do {
            let isBounded = body.withUnsafeReadableBytes { RawJSON.hasValues(atMost: Self.maximumValues, $0) }
            guard isBounded else { throw TooManyValues() }
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch {
            throw FeedClientError(
                .failed, "The server's response could not be understood",
                hint: isCompressed
                    ? "It is compressed in a way that the request does not allow."
                    : "Check whether this is the address of a feed server.", cause: error)
        }
    }
}
