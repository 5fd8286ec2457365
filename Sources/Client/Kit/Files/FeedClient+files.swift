import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

extension FeedClient {
    private static let filesPerPage = 200
    static let maximumFilePages = 5000

    /// All files of this account.
    /// - Throws: ``FeedClientError``.
    public func files() async throws -> [Entity.File] {
        try await explainingFiles { try await files(maximumPages: Self.maximumFilePages) }
    }

    /// - Parameter maximumPages: A longer list is an error, because a faulty server could send pages without end.
    func files(maximumPages: Int) async throws -> [Entity.File] {
        var (files, cursors) = ([Entity.File](), Set<String>())
        var after: String?
        for _ in 0..<maximumPages {
            let query = [("limit", String(Self.filesPerPage)), ("after", after)]
            let response = try await transport.send(request(Paths.files, query: query))
            let page = try response.decode(Entity.Files.self).files
            // Prevents an endless loop if the server repeats a page.
            guard let last = page.last?.name, cursors.insert(last).inserted else { return files }
            files += page
            guard response.links.next != nil else { return files }
            after = last
        }
        throw FeedClientError(.failed, "The server's list of files does not end")
    }

    /// The URL of a file on the server; of its download in the classic dialect, for ``Credential/classic(username:password:)``.
    public func address(ofFile name: String) -> String {
        if case .classic = credential {
            return server.description + Paths.classicDownload + "?file=" + Self.percentEncoded(name)
        }
        return server.description + Paths.files + "/" + Self.percentEncoded(name)
    }

    /// Deletes a file of this account.
    /// - Throws: ``FeedClientError``; `.notFound` if there is no such file, `.unauthorized` if it belongs to another
    ///   account.
    public func deleteFile(named name: String) async throws {
        var request = request(Paths.files + "/" + Self.percentEncoded(name))
        request.method = .DELETE
        _ = try await transport.send(request)
    }

    /// Uploads a file under exactly this name, streamed from the disk, in place of a file of this account that already
    /// has the name.
    /// - Parameters:
    ///   - path: The file to upload.
    ///   - name: The name on the server; `nil` for the file's own name.
    ///   - progress: Called with the number of bytes that have been sent.
    /// - Returns: The stored file, as the server describes it afterwards.
    /// - Throws: ``FeedClientError``; `.unauthorized` if the name belongs to another account, `.integrity` if the server
    ///   stored another number of bytes.
    public func replaceFile(
        with path: String, name: String? = nil, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws -> Entity.File {
        let size = try MultipartForm.size(of: path)
        let name = name ?? URL(fileURLWithPath: path).lastPathComponent
        var request = request(Paths.files + "/" + Self.percentEncoded(name))
        request.method = .PUT
        let body = FileBody(path: path, size: size, head: ByteBuffer(), tail: ByteBuffer(), progress: progress)
        request.body = .stream(body, length: .known(size))
        _ = try await explainingFiles(isUpload: true) { [request] in
            try await transport.send(request, timeout: Self.uploadTimeout)
        }
        return try UploadVerification.verified(try await file(named: name), size: size)
    }

    /// The description of a stored file, from the headers of its response.
    private func file(named name: String) async throws -> Entity.File {
        var request = request(Paths.files + "/" + Self.percentEncoded(name))
        request.method = .HEAD
        let headers = try await transport.send(request).headers
        let modified = headers.first(name: "Last-Modified").flatMap(HTTPDate.seconds)
        return Entity.File(
            name: name, size: headers.first(name: "Content-Length").flatMap { Int64($0) } ?? -1,
            type: headers.first(name: "Content-Type") ?? "application/octet-stream",
            modified: modified.map { ISO8601.text(milliseconds: $0 * 1000) } ?? "",
            sha256: ReprDigest.sha256(headers) ?? "", url: address(ofFile: name))
    }
}
