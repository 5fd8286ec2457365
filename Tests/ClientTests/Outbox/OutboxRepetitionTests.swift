import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedClientKit

/// What an action does after a lost response: the server may have performed it, and then refuses it or does not find
/// what it is about.
@Suite(.hangLimit)
struct OutboxRepetitionTests {
    private static let account = OutboxAccount(server: "http://127.0.0.1", username: "ada")
    private static let bob = #"{"id":"2","username":"bob","acct":"bob","display_name":""}"#
    private static let lists = #"[{"id":"5","title":"Sailors"}]"#

    private typealias Row = (line: String, response: @Sendable () -> Response)

    private static func row(_ line: String, _ json: String) -> Row { (line, { MediaServer.json(json) }) }

    private static func lost(_ line: String) -> Row { (line, { MediaServer.error(.badGateway, "lost") }) }

    /// Performs an action whose first response is lost.
    /// - Returns: The result of the second attempt, and all requests.
    private static func repeated(
        _ action: OutboxAction, _ responses: [Row]
    ) async throws -> (result: OutboxResult, lines: [String]) {
        let folder = try TemporaryFolder()
        let server = MediaServer(special: responses)
        let result = try await server.run { client in
            let outbox = Outbox(folder: folder.path)
            let first = try await outbox.add(OutboxPost(action), for: account)
            let lost = try await first.send(with: client)
            #expect(lost.isWaiting && lost.entry.state.name == "sending", "\(lost)")
            return try await first.send(with: client)
        }
        return (result, server.lines)
    }

    private static func delivered(_ result: OutboxResult) -> ActionResult? {
        if case .delivered(_, let sent) = result { sent } else { nil }
    }

    @Test func deletedStatusStaysDeleted() async throws {
        let path = "DELETE /api/v1/statuses/7"
        let (result, lines) = try await Self.repeated(.delete(id: "7"), [Self.lost(path)])
        guard case .deleted("7", nil)? = Self.delivered(result) else {
            Issue.record("\(result)")
            return
        }
        #expect(lines == [path, path])
    }

    /// Without an earlier attempt, there is no such status.
    @Test func unknownStatusIsNotDeleted() async throws {
        let folder = try TemporaryFolder()
        try await MediaServer().run { client in
            let outbox = Outbox(folder: folder.path)
            let result = try await outbox.add(OutboxPost(.delete(id: "7")), for: Self.account).send(with: client)
            guard case .refused(_, let error as FeedClientError) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(error.code == .notFound && error.message == "No status 7")
            #expect(try await outbox.entries().isEmpty)
        }
        #expect(DraftStore(folder: folder.path).drafts().isEmpty)
    }

    /// The server refuses a second vote; whether it is the same shows the poll.
    @Test(arguments: [([0], true), ([1], false)]) func voteCountsOnce(own: [Int], isSame: Bool) async throws {
        let status = String(MediaServer.status("7").dropLast())
        let poll = #"{"id":"8","options":[{"title":"a"},{"title":"b"}],"voted":true,"own_votes":\#(own)}"#
        let (result, lines) = try await Self.repeated(
            .vote([0], inPollOf: "7"),
            [
                Self.row("GET /api/v1/statuses/7", status + #","poll":\#(poll)}"#),
                Self.lost("POST /api/v1/polls/8/votes"),
                Self.row("GET /api/v1/statuses/7", status + #","poll":\#(poll)}"#),
                ("POST /api/v1/polls/8/votes", { MediaServer.error(.unprocessableContent, "You have already voted") }),
                Self.row("GET /api/v1/statuses/7", status + #","poll":\#(poll)}"#),
                Self.row("GET /api/v1/polls/8", poll),
            ])
        #expect(lines.count == 6)
        if isSame {
            guard case .voted(let poll, _)? = Self.delivered(result) else {
                Issue.record("\(result)")
                return
            }
            #expect(poll.own_votes == [0])
        } else {
            guard case .refused(_, let error as FeedClientError) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(error.message == "You have already voted")
        }
    }

    /// A choice that the poll does not have is refused, and does not wait forever.
    @Test func voteForAMissingOptionIsRefused() async throws {
        let folder = try TemporaryFolder()
        let status = String(MediaServer.status("7").dropLast()) + #","poll":{"id":"8","options":[{"title":"a"}]}}"#
        let server = MediaServer(special: [Self.row("GET /api/v1/statuses/7", status)])
        try await server.run { client in
            let outbox = Outbox(folder: folder.path)
            let post = OutboxPost(.vote([3], inPollOf: "7"))
            let result = try await outbox.add(post, for: Self.account).send(with: client)
            guard case .refused(_, let error as FeedClientError) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(error.code == .usage)
            #expect(try await outbox.entries().isEmpty)
        }
    }

    @Test func listIsCreatedOnce() async throws {
        let change = OutboxAction.changeList(.create(title: "Sailors", repliesPolicy: nil, exclusive: false))
        let (result, lines) = try await Self.repeated(
            change, [Self.lost("POST /api/v1/lists"), Self.row("GET /api/v1/lists", Self.lists)])
        guard case .list(let list, _)? = Self.delivered(result) else {
            Issue.record("\(result)")
            return
        }
        #expect(list?.id == "5" && lines == ["POST /api/v1/lists", "GET /api/v1/lists"])
    }

    @Test func listIsDeletedOnce() async throws {
        let (result, _) = try await Self.repeated(
            .changeList(.delete("Sailors")),
            [
                Self.row("GET /api/v1/lists", Self.lists), Self.lost("DELETE /api/v1/lists/5"),
                Self.row("GET /api/v1/lists", "[]"),
            ])
        guard case .list(nil, [])? = Self.delivered(result) else {
            Issue.record("\(result)")
            return
        }
    }

    /// Some servers refuse to add a member again.
    @Test func memberIsAddedOnce() async throws {
        let (result, lines) = try await Self.repeated(
            .changeList(.add(["bob"], to: "Sailors")),
            [
                Self.row("GET /api/v1/lists", Self.lists), Self.row("GET /api/v1/accounts/lookup", Self.bob),
                Self.lost("POST /api/v1/lists/5/accounts"), Self.row("GET /api/v1/lists", Self.lists),
                Self.row("GET /api/v1/accounts/lookup", Self.bob),
                Self.row("GET /api/v1/lists/5/accounts", "[\(Self.bob)]"),
            ])
        guard case .list(let list, let members)? = Self.delivered(result) else {
            Issue.record("\(result)")
            return
        }
        #expect(list?.title == "Sailors" && members.map(\.acct) == ["bob"])
        #expect(lines.count { $0.hasPrefix("POST") } == 1)
    }
}
