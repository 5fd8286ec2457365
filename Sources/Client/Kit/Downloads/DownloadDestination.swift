import AsyncHTTPClient
import Foundation
import NIOHTTP1

/// The place where a download is stored: in a folder, under the name in a `Content-Disposition` field (RFC 6266) or in
/// a URL.
enum DownloadDestination {
    /// An existing folder with a slash at its end.
    static func folder(_ path: String?) -> String? {
        var isFolder: ObjCBool = false
        guard let path, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return nil
        }
        return path + (path.hasSuffix("/") ? "" : "/")
    }

    /// The value of `file` in the query of a URL, its last path segment, or a bare file name, without anything that is
    /// unsafe in a local file name.
    static func fileName(of source: String) throws(FeedClientError) -> String {
        let segment = source.contains("://") ? URL(string: source)?.lastPathComponent ?? "" : source
        guard let name = fileName(inQueryOf: source) ?? safe(segment) else {
            throw FeedClientError(.failed, "The address contains no file name", hint: "Choose one with -o PATH.")
        }
        return name
    }

    /// The last segment of the name, without anything that is unsafe in a local file name; `nil` if there is none.
    /// `filename*` (RFC 8187) takes precedence over `filename`.
    static func fileName(_ field: String) -> String? {
        var parser = ParameterParser(field)
        var (plain, extended) = (String?.none, String?.none)
        while let (name, value) = parser.next() {
            switch name {
            case "filename": plain = plain ?? safe(lastSegment(value))
            case "filename*": extended = extended ?? decoded(value).flatMap { safe(lastSegment($0)) }
            default: break
            }
        }
        return extended ?? plain
    }

    /// The value of `file` in the query of a URL, as the classic dialect names files.
    static func fileName(inQueryOf url: String) -> String? {
        let items = URLComponents(string: url)?.queryItems
        return items?.first { $0.name == "file" }?.value.flatMap { safe(lastSegment($0)) }
    }

    /// A name without control characters, slashes, and dots at its start, which would hide the file.
    static func safe(_ name: String) -> String? {
        let allowed = name.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0 != "/" }
        let visible = String(String.UnicodeScalarView(allowed.drop { $0 == "." || $0 == " " }))
        let trimmed = visible.trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Names may be paths of the sender's system.
    private static func lastSegment(_ path: String) -> String {
        let segment = path.utf8.split(omittingEmptySubsequences: false) { $0 == 0x2F || $0 == 0x5C }.last
        return segment.map { String(decoding: Array($0), as: UTF8.self) } ?? ""
    }

    /// Decodes `UTF-8'en'na%20me`.
    private static func decoded(_ value: String) -> String? {
        let parts = value.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let encoded = String(decoding: Array(parts[2]), as: UTF8.self)
        switch String(decoding: Array(parts[0]), as: UTF8.self).lowercased() {
        case "utf-8": return encoded.removingPercentEncoding
        case "iso-8859-1":
            return percentDecoded(encoded).map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) }
        default: return nil
        }
    }

    private static func percentDecoded(_ text: String) -> [UInt8]? {
        var (bytes, rest) = ([UInt8](), text[...].utf8)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: Array(rest.prefix(2)), as: UTF8.self)
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}

extension FeedClient {
    /// The path of the file that a download creates: `path`, or the source's own file name if `path` is a folder.
    /// - Parameters:
    ///   - source: The name of a file on a server, or a URL.
    ///   - path: A file or an existing folder; `nil` for the current folder.
    /// - Throws: ``FeedClientError`` if the source contains no usable file name.
    public static func destination(of source: String, at path: String?) throws(FeedClientError) -> String {
        if let folder = DownloadDestination.folder(path) {
            return folder + (try DownloadDestination.fileName(of: source))
        }
        if let path { return path }
        return try DownloadDestination.fileName(of: source)
    }

    /// The URL of a source, which is a URL or the name of a file on this server.
    func url(of source: String) throws(FeedClientError) -> String {
        let url = source.contains("://") ? source : address(ofFile: source)
        guard ServerAddress.origin(url) != nil, url.lowercased().hasPrefix("http") else {
            throw FeedClientError(
                .failed, "\"\(source)\" is not a valid address", hint: "Enter a file name, or an http or https address."
            )
        }
        return url
    }

    /// The path of the file that a download creates: `path`, or in a folder the name that the server gives the file
    /// (`Content-Disposition`, RFC 6266), and otherwise the source's own. A server is asked only about a URL.
    /// - Parameters:
    ///   - source: The name of a file on this server, or a URL.
    ///   - path: A file or an existing folder; `nil` for the current folder.
    /// - Throws: ``FeedClientError``; `CancellationError`.
    public func destination(of source: String, at path: String? = nil) async throws -> String {
        let folder = DownloadDestination.folder(path)
        guard folder != nil || path == nil, source.contains("://"), let name = try await offeredName(of: source) else {
            return try Self.destination(of: source, at: path)
        }
        return (folder ?? "") + name
    }

    /// The name in the response to a request for the first byte. After a failure, the download will say what is wrong.
    private func offeredName(of source: String) async throws -> String? {
        let (watchdog, url) = (DownloadWatchdog(), try url(of: source))
        do {
            return try await watchdog.run(timeout: DownloadOptions().stallTimeout) {
                watchdog.start()
                let response = try await self.firstByte(of: url)
                return response.headers.first(name: "Content-Disposition").flatMap { DownloadDestination.fileName($0) }
            }
        } catch let error as FeedClientError where error.code != .unreachable {
            return nil
        }
    }

    private func firstByte(of source: String) async throws -> HTTPClientResponse {
        var url = source
        for _ in 0...Redirect.maximum {
            var request = plainRequest(url)
            request.headers.add(name: "Accept-Encoding", value: "identity")
            request.headers.add(name: "Range", value: "bytes=0-0")
            let response = try await downloads.execute(request)
            guard Redirect.statuses.contains(Int(response.status.code)) else { return response }
            url = try Redirect.target(response.headers.first(name: "Location"), from: url)
        }
        throw FeedClientError(.failed, "The server redirected too many times", hint: "Check the address.")
    }
}

/// Reads the parameters behind the type of a field, such as `attachment; filename="a"`.
private struct ParameterParser {
    private var rest: Substring.UTF8View

    init(_ field: String) { rest = field[...].utf8 }

    /// The next parameter, with its name in lowercase.
    mutating func next() -> (name: String, value: String)? {
        rest = rest.drop { $0 != UInt8(ascii: ";") }.dropFirst()
        guard !rest.isEmpty else { return nil }
        let name = token()
        guard rest.first == UInt8(ascii: "=") else { return (name, "") }
        rest = rest.dropFirst()
        return (name.lowercased(), value())
    }

    private mutating func value() -> String {
        skipSpaces()
        guard rest.first == UInt8(ascii: "\"") else { return token() }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\"), let next = rest.first, next == UInt8(ascii: "\"") || next == byte else {
                // Some servers do not escape the backslashes of a path.
                bytes.append(byte)
                continue
            }
            bytes.append(next)
            rest = rest.dropFirst()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func token() -> String {
        skipSpaces()
        let token = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
        rest = rest[token.endIndex...]
        return String(decoding: Array(token), as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
}
