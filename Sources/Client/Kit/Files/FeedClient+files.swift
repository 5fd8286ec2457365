import AsyncHTTPClient
public import FeedAPI
import NIOCore
import NIOHTTP1

extension FeedClient {
    /// One's own stored files, all pages of them.
    public func files() async throws -> [Entity.File] {
        var files: [Entity.File] = []
        var after: String?
        while true {
            let answer = try await transport.send(request(Paths.files, query: [("limit", "200"), ("after", after)]))
            let page = try answer.decode(Entity.Files.self).files
            files += page
            let isLast = LinkHeader(answer.head.headers["Link"].joined(separator: ", ")).next == nil
            guard !isLast, let last = page.last?.name, last != after else { return files }
            after = last
        }
    }

    /// The address of a stored file.
    public func address(ofFile name: String) -> String { server.description + Paths.files + "/" + Self.escaped(name) }
}
