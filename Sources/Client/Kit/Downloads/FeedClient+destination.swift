import AsyncHTTPClient
import Foundation
import NIOHTTP1

extension FeedClient {
    /// The path of the file that a download creates: `path`, or the source's own file name if `path` is a folder.
    /// - Parameters:
    ///   - source: The name of a file on a server, or a URL.
    ///   - path: A file or an existing folder; `nil` for the current folder.
    /// - Throws: ``FeedClientError`` if the source contains no usable file name.
    public static func destination(of source: String, at path: String?) throws(FeedClientError) -> String {
        if let folder = folder(path) { return folder + (try fileName(of: source)) }
        if let path { return path }
        return try fileName(of: source)
    }

    /// An existing folder with a slash at its end.
    private static func folder(_ path: String?) -> String? {
        var isFolder: ObjCBool = false
        guard let path, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return nil
        }
        return path + (path.hasSuffix("/") ? "" : "/")
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

    /// The value of `file` in the query of a URL, its last path segment, or a bare file name, without anything that is
    /// unsafe in a local file name.
    private static func fileName(of source: String) throws(FeedClientError) -> String {
        let segment = source.contains("://") ? URL(string: source)?.lastPathComponent ?? "" : source
        guard let name = SuggestedFilename.fileName(inQueryOf: source) ?? SuggestedFilename.safe(segment) else {
            throw FeedClientError(.failed, "The address contains no file name", hint: "Choose one with -o PATH.")
        }
        return name
    }

    /// The path of the file that a download creates: `path`, or in a folder the name that the server gives the file
    /// (`Content-Disposition`, RFC 6266), and otherwise the source's own. A server is asked only about a URL.
    /// - Parameters:
    ///   - source: The name of a file on this server, or a URL.
    ///   - path: A file or an existing folder; `nil` for the current folder.
    /// - Throws: ``FeedClientError``; `CancellationError`.
    public func destination(of source: String, at path: String? = nil) async throws -> String {
        let folder = Self.folder(path)
        guard folder != nil || path == nil, source.contains("://"), let name = try await offeredName(of: source) else {
            return try Self.destination(of: source, at: path)
        }
        return (folder ?? "") + name
    }

    /// The name in the response to a request for the first byte. After a failure, the download will say what is wrong.
    private func offeredName(of source: String) async throws -> String? {
        let (stall, url) = (StallDetector(), try url(of: source))
        do {
            return try await stall.run(timeout: DownloadOptions().stallTimeout) {
                stall.start()
                let response = try await self.firstByte(of: url)
                return response.headers.first(name: "Content-Disposition").flatMap { SuggestedFilename.fileName($0) }
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
