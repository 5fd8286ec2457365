import FeedTestSupport
import Foundation
import Testing

/// A `multipart/byteranges` body, parsed strictly except for the line end before its first boundary.
struct ByteRangesBody {
    struct Part: Equatable {
        var type: String
        var contentRange: String
        var content: Data
    }

    let boundary: String
    let parts: [Part]

    /// - Parameter lengths: The number of bytes in each part.
    init(_ response: RawHTTP.Response, lengths: [Int]) throws {
        let type = try #require(response.headers["content-type"])
        let lead = "multipart/byteranges; boundary="
        try #require(type.hasPrefix(lead), "\(type)")
        boundary = type.dropFirst(lead.count).trimmingCharacters(in: ["\""])
        var reader = Reader(rest: response.body)
        if reader.rest.starts(with: Data("\r\n".utf8)) { try reader.skip("\r\n") }
        var parts: [Part] = []
        for length in lengths {
            try reader.skip("--\(boundary)\r\n")
            let fields = [try reader.field(), try reader.field()]
            try reader.skip("\r\n")
            let named = Dictionary(fields, uniquingKeysWith: { first, _ in first })
            parts.append(
                Part(
                    type: try #require(named["content-type"]), contentRange: try #require(named["content-range"]),
                    content: try reader.take(length)))
            try reader.skip("\r\n")
        }
        try reader.skip("--\(boundary)--\r\n")
        try #require(reader.rest.isEmpty, "\(reader.rest.count) bytes after the end")
        self.parts = parts
    }

    private struct Reader {
        var rest: Data

        mutating func take(_ count: Int) throws -> Data {
            try #require(rest.count >= count, "the body is truncated")
            defer { rest = Data(rest.dropFirst(count)) }
            return Data(rest.prefix(count))
        }

        mutating func skip(_ text: String) throws {
            let found = try take(text.utf8.count)
            try #require(found == Data(text.utf8), "\(String(decoding: found, as: UTF8.self)) instead of \(text)")
        }

        mutating func field() throws -> (String, String) {
            let end = try #require(rest.range(of: Data("\r\n".utf8)), "a header line is not terminated")
            let line = String(decoding: try take(end.upperBound), as: UTF8.self).dropLast()
            let pair = line.split(separator: ":", maxSplits: 1)
            try #require(pair.count == 2, "\(line)")
            return (pair[0].lowercased(), pair[1].trimmingCharacters(in: .whitespaces))
        }
    }
}
