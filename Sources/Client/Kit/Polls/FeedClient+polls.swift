import AsyncHTTPClient
public import FeedAPI
import NIOHTTP1

/// A poll that has not been posted yet.
public struct PollDraft: Codable, Sendable, Equatable {
    /// The texts of the options; most servers accept two to four of 50 characters.
    public var options: [String]
    /// The time in seconds from the publication to the end of the poll.
    public var seconds: Int
    /// Whether a voter may choose several options.
    public var isMultiple = false
    /// Whether the votes for each option stay hidden until the poll has ended.
    public var hidesTotals = false

    public init(options: [String], seconds: Int = 86_400) {
        self.options = options
        self.seconds = seconds
    }

    /// The fields of a form.
    var fields: [(String, String?)] {
        options.map { ("poll[options][]", $0) } + [
            ("poll[expires_in]", String(seconds)), ("poll[multiple]", String(isMultiple)),
            ("poll[hide_totals]", String(hidesTotals)),
        ]
    }
}

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

    /// A poll with its present votes, decoded and as the server sent it.
    /// - Parameter id: As in ``vote(_:inPollOf:)``.
    func currentPoll(of id: String) async throws -> (poll: Entity.Poll, json: [UInt8]) {
        let response = try await transport.send(request(Self.path(try await poll(of: id).id)))
        return (try response.decode(Entity.Poll.self), response.bytes)
    }

    private func poll(of id: String) async throws -> Entity.Poll {
        do {
            let status = try await status(id).status
            if let poll = status.poll ?? status.reblog?.value.poll { return poll }
            throw FeedClientError(.notFound, "The status has no poll")
        } catch let error as FeedClientError where error.code == .notFound {
            do {
                return try await transport.send(request(Self.path(id))).decode(Entity.Poll.self)
            } catch let second as FeedClientError where second.code == .notFound {
                throw error
            }
        }
    }

    private static func path(_ id: String) -> String { Paths.polls + "/" + percentEncoded(id) }
}
