import AsyncHTTPClient
public import FeedAPI
import NIOHTTP1

extension FeedClient {
    /// Votes in the poll of a status.
    /// - Parameters:
    ///   - id: The id of the status.
    ///   - choices: The numbers of the chosen options, from 0.
    /// - Returns: The poll with the new votes, decoded and as the server sent it.
    /// - Throws: ``FeedClientError``; `.notFound` if the status has no poll, `.usage` if it has no such option, and
    ///   `.failed` if the server refuses the vote, because the poll has ended or the account has already voted.
    public func vote(_ choices: [Int], inPollOf id: String) async throws -> (poll: Entity.Poll, json: [UInt8]) {
        let status = try await status(id).status
        guard let poll = status.poll ?? status.reblog?.value.poll else {
            throw FeedClientError(.notFound, "The status has no poll")
        }
        guard !choices.isEmpty, choices.allSatisfy(poll.options.indices.contains) else {
            throw FeedClientError(
                .usage, "The poll has no such option", hint: "Its options have the numbers 1 to \(poll.options.count).")
        }
        let path = "/api/v1/polls/" + Self.percentEncoded(poll.id) + "/votes"
        let request = formRequest(path, choices.map { ("choices[]", String($0)) })
        let response = try await transport.send(request)
        return (try response.decode(Entity.Poll.self), response.bytes)
    }
}
