import AsyncHTTPClient
public import FeedAPI
import NIOHTTP1

extension FeedClient {
    /// Votes in a poll.
    /// - Parameters:
    ///   - id: The id of the status, or that of the poll itself, which differ on some servers.
    ///   - choices: The numbers of the chosen options, from 0.
    /// - Returns: The poll with the new votes, decoded and as the server sent it.
    /// - Throws: ``FeedClientError``; `.notFound` if there is no such poll, `.usage` if it has no such option, and
    ///   `.failed` if the server refuses the vote, because the poll has ended or the account has already voted.
    public func vote(_ choices: [Int], inPollOf id: String) async throws -> (poll: Entity.Poll, json: [UInt8]) {
        let poll = try await poll(of: id)
        guard !choices.isEmpty, choices.allSatisfy(poll.options.indices.contains) else {
            throw FeedClientError(
                .usage, "The poll has no such option",
                hint: poll.options.count == 1 ? "It has 1 option." : "It has \(poll.options.count) options.")
        }
        let request = formRequest(Self.path(poll.id) + "/votes", choices.map { ("choices[]", String($0)) })
        let response = try await transport.send(request)
        return (try response.decode(Entity.Poll.self), response.bytes)
    }

    private func poll(of id: String) async throws -> Entity.Poll {
        do {
            let status = try await status(id).status
            if let poll = status.poll ?? status.reblog?.value.poll { return poll }
            throw FeedClientError(.notFound, "The status has no poll")
        } catch let error as FeedClientError where error.code == .notFound {
            guard let response = try? await transport.send(request(Self.path(id))) else { throw error }
            return try response.decode(Entity.Poll.self)
        }
    }

    private static func path(_ id: String) -> String { "/api/v1/polls/" + percentEncoded(id) }
}
