import FeedAPI
package import FeedCore
import NIOCore

/// Extracts the boundary from a Content-Type header field (RFC 2046 §5.1.1).
package enum MultipartBoundary {
    private static let semicolon = UInt8(ascii: ";")
    private static let equals = UInt8(ascii: "=")
    private static let quote = UInt8(ascii: "\"")

    /// - Throws: ``FeedError`` `.malformed` if the type is not `multipart/form-data` with one boundary of 1 to 70
    ///   characters.
    package static func parse(_ contentType: String?) throws(FeedError) -> String {
        guard let contentType,
            Substring(contentType.utf8.prefix(while: { $0 != semicolon })).trimmingBlanks.lowercased()
                == "multipart/form-data"
        else {
            throw .malformed(
                "The body is not multipart/form-data", hint: "For example, curl -F file=@NAME sends this format.")
        }
        let boundaries = parameters(contentType).filter { $0.name == "boundary" }.map(\.value)
        guard boundaries.count == 1, (1...70).contains(boundaries[0].utf8.count),
            boundaries[0].utf8.allSatisfy({ (32..<127).contains($0) }),
            boundaries[0].utf8.last != UInt8(ascii: " ")
        else { throw .malformed("The multipart boundary is missing or malformed") }
        return boundaries[0]
    }

    private static func parameters(_ value: String) -> [(name: String, value: String)] {
        var result: [(String, String)] = []
        var rest = value.utf8.drop { $0 != semicolon }
        while rest.first == semicolon {
            rest = rest.dropFirst().drop { $0.isBlank }
            let name = rest.prefix { $0 != equals && $0 != semicolon }
            rest = rest.dropFirst(name.count)
            guard rest.first == equals else { continue }
            rest = rest.dropFirst()
            let text =
                rest.first == quote
                ? quoted(&rest) : String(Substring(rest.prefix { $0 != semicolon }).trimmingBlanks)
            rest = rest.drop { $0 != semicolon }
            result.append((Substring(name).trimmingBlanks.lowercased(), text))
        }
        return result
    }

    /// Removes a quoted string from the front.
    private static func quoted(_ rest: inout Substring.UTF8View) -> String {
        var text: [UInt8] = []
        rest.removeFirst()
        while let next = rest.popFirst(), next != quote {
            text.append(next == UInt8(ascii: "\\") ? rest.popFirst() ?? next : next)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The delimiter between the parts of a form (RFC 2046 §5.1.1): a line break, two dashes and the boundary.
struct MultipartDelimiter {
    /// The kind of data that follows a boundary. Lengths are in bytes.
    enum Ending {
        case nextPart(length: Int)
        case close(length: Int)
        case content
        case needMore
    }

    /// The maximum number of blanks between a boundary and the line break.
    private static let maximumPadding = 64

    /// The boundary with its leading dashes.
    let boundary: [UInt8]
    /// CR LF, unless the first boundary is followed by a different line break.
    var lineEnd: [UInt8] = [13, 10] {
        didSet { bytes = lineEnd + boundary }
    }
    private(set) var bytes: [UInt8]

    init(boundary: String) {
        let dashed = Array("--".utf8) + Array(boundary.utf8)
        self.boundary = dashed
        bytes = [13, 10] + dashed
    }

    /// Examines the data after a boundary: two dashes end the body; blanks and a line break start the next part.
    func ending(of rest: ByteBufferView, anyLineEnd: Bool = false) -> Ending {
        guard let first = rest.first else { return .needMore }
        if first == 45 {
            guard rest.count > 1 else { return .needMore }
            return rest[rest.startIndex + 1] == 45 ? .close(length: 2) : .content
        }
        let padding = rest.prefix(Self.maximumPadding + 1).prefix { $0 == 32 || $0 == 9 }.count
        guard padding <= Self.maximumPadding else { return .content }
        let tail = rest.dropFirst(padding)
        for end in anyLineEnd ? [[13, 10], [10]] : [lineEnd] {
            if tail.starts(with: end) { return .nextPart(length: padding + end.count) }
            if tail.count < end.count, end.starts(with: tail) { return .needMore }
        }
        return .content
    }
}

extension ByteBufferView {
    /// The offset of the first occurrence of `pattern`, or `nil`.
    /// - Parameter start: The offset at which the search starts.
    func offset(of pattern: [UInt8], from start: Int = 0) -> Int? {
        withUnsafeBytes { bytes in
            var index = start
            while index + pattern.count <= bytes.count {
                guard let hit = bytes[index...(bytes.count - pattern.count)].firstIndex(of: pattern[0]) else {
                    return nil
                }
                if pattern.indices.dropFirst().allSatisfy({ bytes[hit + $0] == pattern[$0] }) { return hit }
                index = hit + 1
            }
            return nil
        }
    }
}
