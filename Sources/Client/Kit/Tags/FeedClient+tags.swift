import AsyncHTTPClient
public import FeedAPI

extension FeedClient {
    private static let tagsPerPage = 200

    /// The hashtags that this account follows, at most the newest 200.
    /// - Throws: ``FeedClientError``.
    public func followedTags() async throws -> [Entity.Tag] {
        let query = [("limit", String(Self.tagsPerPage))] as [(String, String?)]
        return try await transport.send(request(Paths.followedTags, query: query)).decode([Entity.Tag].self)
    }

    /// Follows or unfollows a hashtag, whose public statuses then appear in the home timeline.
    /// - Parameter name: The hashtag, which may start with `#`.
    /// - Throws: ``FeedClientError``, with the code `.usage` if it is no hashtag.
    public func follow(tag name: String, _ follows: Bool = true) async throws -> Entity.Tag {
        let name = name.hasPrefix("#") ? String(name.dropFirst()) : name
        guard !name.isEmpty else { throw FeedClientError(.usage, "The hashtag is missing") }
        let path = Paths.tags + "/" + Self.percentEncoded(name) + (follows ? "/follow" : "/unfollow")
        do {
            return try await transport.send(formRequest(path, [])).decode(Entity.Tag.self)
        } catch let error as FeedClientError where error.code == .notFound {
            throw FeedClientError(
                .usage, "#\(name) is not a hashtag", hint: "A hashtag contains letters, digits and underscores.",
                cause: error, status: error.status)
        }
    }
}
