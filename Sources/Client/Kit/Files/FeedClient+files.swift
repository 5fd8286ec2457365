import AsyncHTTPClient
public import FeedAPI
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
}

extension FeedClient {
    /// Deletes a file of this account.
    /// - Throws: ``FeedClientError``; `.notFound` if there is no such file, `.unauthorized` if it belongs to another
    ///   account.
    public func deleteFile(named name: String) async throws {
        var request = request(Paths.files + "/" + Self.percentEncoded(name))
        request.method = .DELETE
        _ = try await transport.send(request)
    }
}
