import AsyncHTTPClient
public import FeedAPI

extension FeedClient {
    /// The relationship of this account to another one.
    /// - Parameter id: The id of the other account.
    /// - Throws: ``FeedClientError``; `.notFound` if there is no such account.
    public func relationship(to id: String) async throws -> Entity.Relationship {
        let request = request(Paths.accounts + "/relationships", query: [("id[]", id)])
        let found = try await transport.send(request).decode([Entity.Relationship].self)
        guard let relationship = found.first else { throw FeedClientError(.notFound, "There is no such account") }
        return relationship
    }

    /// Changes the relationship to an account.
    /// - Parameter verb: The last component of the path.
    func relate(
        to id: String, _ verb: String, _ fields: [(String, String?)] = []
    ) async throws -> Entity.Relationship {
        let path = Paths.accounts + "/\(Self.percentEncoded(id))/" + verb
        return try await transport.send(formRequest(path, fields)).decode(Entity.Relationship.self)
    }
}
