import Foundation

/// Valid and invalid bodies of `multipart/form-data`.
enum MultipartForm {
    static let type = "multipart/form-data; boundary=XbX"

    /// Replaces `⏎` with the line end, CR LF by default.
    static func lines(_ text: String, end: String = "\r\n") -> Data {
        Data(text.split(separator: "⏎", omittingEmptySubsequences: false).joined(separator: end).utf8)
    }

    /// A part: header lines, an empty line and content.
    static func part(_ headers: String, _ content: Data) -> Data { lines(headers + "⏎⏎") + content }

    static func part(_ headers: String, _ content: String) -> Data { part(headers, Data(content.utf8)) }

    static func field(_ name: String, _ content: String) -> Data {
        part("Content-Disposition: form-data; name=\"\(name)\"", content)
    }

    /// - Parameter name: The text between the quotes.
    static func file(_ name: String, _ content: Data) -> Data {
        part("Content-Disposition: form-data; name=\"f\"; filename=\"\(name)\"", content)
    }

    static func file(_ name: String, _ content: String) -> Data { file(name, Data(content.utf8)) }

    /// A file `v` with a name that is not valid text.
    static func file(named name: [UInt8]) -> Data {
        Data("Content-Disposition: form-data; name=\"f\"; filename=\"".utf8) + Data(name) + Data("\"\r\n\r\nv".utf8)
    }

    /// A complete form.
    /// - Parameter tail: The bytes after the closing delimiter.
    static func whole(_ parts: [Data], boundary: String = "XbX", tail: String = "\r\n") -> Data {
        var body = Data()
        for part in parts {
            body += Data("--\(boundary)\r\n".utf8)
            body += part
            body += Data("\r\n".utf8)
        }
        return body + Data("--\(boundary)--\(tail)".utf8)
    }

    /// The first boundary and a part, followed by invalid bytes.
    static func broken(_ part: Data, _ rest: String) -> Data { Data("--XbX\r\n".utf8) + part + Data(rest.utf8) }
}
