import AsyncHTTPClient
import Foundation
import NIOHTTP1

extension FeedClient {
    /// Fetches a file; goes on where an interrupted download of the same file to the same place ended.
    ///
    /// Nothing stands under the final name before it is whole and checked. What is interrupted can be gone on with when the
    /// server names the file's state by a strong ETag (RFC 9110 §8.8) and takes ranges.
    /// - Parameters:
    ///   - source: A name on this server, or a web address. The credential goes to this server only.
    ///   - destination: Where to; `nil` for the source's last path segment in the current folder.
    ///   - progress: Is told how far it is, a few times a second.
    /// - Throws: ``FeedClientError``; `.integrity` when what came is not what was promised.
    public func download(
        _ source: String, to destination: String? = nil, options: DownloadOptions = DownloadOptions(),
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> DownloadResult {
        let url = try url(of: source)
        let destination = try Self.destination(of: url, at: destination)
        let part = try await DiskThreads.run {
            try PartFile.claim(destination, of: url, restarts: options.restarts, calls: options.calls)
        }
        let transfer = Transfer(
            client: self, source: url, destination: destination, options: options, part: part, report: progress)
        return try await transfer.run()
    }

    /// What a part file is of, for going on without knowing the address.
    /// - Returns: The address it came from, and where the file goes when it is whole.
    /// - Throws: ``FeedClientError`` `.notFound` when nothing there says so.
    public static func unfinished(_ path: String) throws(FeedClientError) -> (source: String, destination: String) {
        let part = path.hasSuffix(PartFile.suffix) ? path : path + PartFile.suffix
        guard let order = try PartFile.order(ofPart: part) else {
            throw FeedClientError(
                .notFound, "There is no unfinished download at \(part)", hint: "Start it again by its address.")
        }
        return (order.url, String(part.dropLast(PartFile.suffix.count)))
    }

    /// Where a file goes: into a folder under its own name, or to the place that was named.
    /// - Throws: ``FeedClientError`` when the source gives no name and none was given.
    public static func destination(of source: String, at place: String?) throws(FeedClientError) -> String {
        guard let place else { return try localName(source) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder), isFolder.boolValue else {
            return place
        }
        return place + (place.hasSuffix("/") ? "" : "/") + (try localName(source))
    }

    func url(of source: String) throws(FeedClientError) -> String {
        let url = source.contains("://") ? source : address(ofFile: source)
        guard ServerAddress.origin(url) != nil, url.lowercased().hasPrefix("http") else {
            throw FeedClientError(
                .failed, "\"\(source)\" is no web address", hint: "Give a name, or an http or https address.")
        }
        return url
    }

    /// The last path segment, made safe for the local disk; a bare name is one.
    static func localName(_ source: String) throws(FeedClientError) -> String {
        let segment = source.contains("://") ? URL(string: source)?.lastPathComponent ?? "" : source
        var name = String(
            String.UnicodeScalarView(
                segment.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "/" }))
        while name.hasPrefix(".") { name.removeFirst() }
        guard !name.isEmpty else {
            throw FeedClientError(.failed, "The address gives no name for the file", hint: "Name it with -o PATH.")
        }
        return name
    }

    func carriesCredential(to url: String) -> Bool { credential != nil && server.isOrigin(of: url) }

    /// A request for any address; the credential goes along only to this server.
    func plainRequest(_ url: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: "feedclient")
        if carriesCredential(to: url), case .token(let token) = credential {
            request.headers.add(name: "Authorization", value: "Bearer " + token)
        }
        return request
    }
}
