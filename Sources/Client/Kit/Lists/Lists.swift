import AsyncHTTPClient
public import FeedAPI
import NIOHTTP1

extension FeedClient {
    /// The lists of this account.
    /// - Throws: ``FeedClientError``.
    public func lists() async throws -> [Entity.List] {
        try await transport.send(request(Paths.lists)).decode([Entity.List].self)
    }

    /// The list of this account with a title, in any letter case if that is unambiguous, or with an id.
    /// - Throws: ``FeedClientError``, with the code `.notFound` if there is none, and `.usage` if several have the title.
    public func list(named name: String) async throws -> Entity.List {
        let lists = try await lists()
        let exact = lists.filter { $0.title == name }
        let found = exact.isEmpty ? lists.filter { $0.title.lowercased() == name.lowercased() } : exact
        guard found.count <= 1 else {
            throw FeedClientError(
                .usage, "You have several lists called \"\(name)\"",
                hint: "Use one of their ids: " + found.map(\.id).joined(separator: ", "))
        }
        guard let list = found.first ?? lists.first(where: { $0.id == name }) else {
            throw FeedClientError(
                .notFound, "You have no list called \"\(name)\"", hint: "feedclient lists shows your lists.")
        }
        return list
    }

    /// Creates a list.
    /// - Parameters:
    ///   - repliesPolicy: `none`, `list` or `followed`; `nil` for the server's default.
    ///   - exclusive: Whether the home timeline leaves out the members.
    /// - Throws: ``FeedClientError``.
    public func createList(
        _ title: String, repliesPolicy: String? = nil, exclusive: Bool = false
    ) async throws -> Entity.List {
        let request = formRequest(
            Paths.lists,
            [("title", title), ("replies_policy", repliesPolicy), ("exclusive", exclusive ? "true" : nil)])
        return try await transport.send(request).decode(Entity.List.self)
    }

    /// Deletes a list.
    /// - Throws: ``FeedClientError``.
    public func deleteList(_ id: String) async throws {
        var request = request(Paths.lists + "/" + Self.percentEncoded(id))
        request.method = .DELETE
        _ = try await transport.send(request)
    }
}
