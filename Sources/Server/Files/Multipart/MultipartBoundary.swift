package import FeedCore

/// Extracts the boundary from a Content-Type header field (RFC 2046 §5.1.1).
package enum MultipartBoundary {
    /// - Throws: ``FeedError`` `.malformed` if the type is not `multipart/form-data` with one boundary of 1 to 70
    ///   characters.
    package static func parse(_ contentType: String?) throws(FeedError) -> String {
        guard let contentType,
            contentType.prefix(while: { $0 != ";" }).trimmingBlanks.lowercased() == "multipart/form-data"
        else {
            throw .malformed(
                "The body is not multipart/form-data", hint: "For example, curl -F file=@NAME sends this format.")
        }
        let found = parameters(contentType).filter { $0.name == "boundary" }.map(\.value)
        guard found.count == 1, (1...70).contains(found[0].utf8.count),
            found[0].utf8.allSatisfy({ (32..<127).contains($0) }),
            found[0].last != " "
        else { throw .malformed("The multipart boundary is missing or malformed") }
        return found[0]
    }

    private static func parameters(_ value: String) -> [(name: String, value: String)] {
        var result: [(String, String)] = []
        var rest = value.drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0.isBlank }
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let text = rest.first == "\"" ? quoted(&rest) : rest.prefix { $0 != ";" }.trimmingBlanks
            rest = rest.drop { $0 != ";" }
            result.append((name.trimmingBlanks.lowercased(), text))
        }
        return result
    }

    /// Removes a quoted string from the front.
    private static func quoted(_ rest: inout Substring) -> String {
        var text = ""
        rest.removeFirst()
        while let next = rest.popFirst(), next != "\"" {
            text.append(next == "\\" ? rest.popFirst() ?? next : next)
        }
        return text
    }
}
