import Foundation

/// Bodies of `multipart/form-data`, right ones and wrong ones.
enum MultipartForm {
    static let type = "multipart/form-data; boundary=XbX"

    /// `⏎` stands for the line end, which is CR LF unless said.
    static func lines(_ text: String, end: String = "\r\n") -> Data {
        Data(text.split(separator: "⏎", omittingEmptySubsequences: false).joined(separator: end).utf8)
    }

    /// A part: its header lines, an empty line, its content.
    static func part(_ headers: String, _ content: Data) -> Data { lines(headers + "⏎⏎") + content }

    static func part(_ headers: String, _ content: String) -> Data { part(headers, Data(content.utf8)) }

    static func field(_ name: String, _ content: String) -> Data {
        part("Content-Disposition: form-data; name=\"\(name)\"", content)
    }

    /// - Parameter name: As it stands between the quotes.
    static func file(_ name: String, _ content: Data) -> Data {
        part("Content-Disposition: form-data; name=\"f\"; filename=\"\(name)\"", content)
    }

    static func file(_ name: String, _ content: String) -> Data { file(name, Data(content.utf8)) }

    /// A file `v` whose name is no text.
    static func file(named name: [UInt8]) -> Data {
        Data("Content-Disposition: form-data; name=\"f\"; filename=\"".utf8) + Data(name) + Data("\"\r\n\r\nv".utf8)
    }

    /// A whole form.
    /// - Parameter tail: What follows the closing delimiter.
    static func whole(_ parts: [Data], boundary: String = "XbX", tail: String = "\r\n") -> Data {
        var body = Data()
        for part in parts {
            body += Data("--\(boundary)\r\n".utf8)
            body += part
            body += Data("\r\n".utf8)
        }
        return body + Data("--\(boundary)--\(tail)".utf8)
    }

    /// The first boundary, a part, and then something else than there should be.
    static func broken(_ part: Data, _ rest: String) -> Data { Data("--XbX\r\n".utf8) + part + Data(rest.utf8) }
}
