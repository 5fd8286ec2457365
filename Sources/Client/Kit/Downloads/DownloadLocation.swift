import Foundation

extension FeedClient {
    /// The path of the file that a download creates: `path`, or the source's own file name if `path` is a folder.
    /// - Parameters:
    ///   - source: The name of a file on a server, or a URL.
    ///   - path: A file or an existing folder; `nil` for the current folder.
    /// - Throws: ``FeedClientError`` if the source contains no usable file name.
    public static func destination(of source: String, at path: String?) throws(FeedClientError) -> String {
        guard let path else { return try fileName(of: source) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return path
        }
        return path + (path.hasSuffix("/") ? "" : "/") + (try fileName(of: source))
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

    /// The last path segment of a URL, or a bare file name, without anything that is unsafe in a local file name.
    private static func fileName(of source: String) throws(FeedClientError) -> String {
        let segment = source.contains("://") ? URL(string: source)?.lastPathComponent ?? "" : source
        let safe = segment.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "/" }
        let name = String(String.UnicodeScalarView(safe).drop { $0 == "." })
        guard !name.isEmpty else {
            throw FeedClientError(.failed, "The address contains no file name", hint: "Choose one with -o PATH.")
        }
        return name
    }
}
