package import FeedCore

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
        let found = parameters(contentType).filter { $0.name == "boundary" }.map(\.value)
        guard found.count == 1, (1...70).contains(found[0].utf8.count),
            found[0].utf8.allSatisfy({ (32..<127).contains($0) }),
            found[0].utf8.last != UInt8(ascii: " ")
        else { throw .malformed("The multipart boundary is missing or malformed") }
        return found[0]
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
