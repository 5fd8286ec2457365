import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Connections that break while a post is sent, and clients that are killed: it appears exactly once.
@Suite(.hangLimit)
struct LostResponseTests {
    static let faults: [LossyProxy.Fault] = [.losesRequest, .losesResponse, .responds(502), .responds(503)]

    @Test(arguments: faults.indices) func lostPostIsSentAgainWithItsKey(index: Int) async throws {
        try await OutboxFixture.run { fixture in
            fixture.proxy.fail(Self.faults[index])
            let lost = try await fixture.home.run("post", "hello")
            #expect([5, 75].contains(lost.code) && lost.error.contains("kept in the outbox"), "\(lost.error)")
            #expect(try await fixture.entries().map { $0["state"] as? String } == ["sending"])
            let sent = try await fixture.home.run("outbox", "flush")
            #expect(sent.code == 0 && sent.text.contains("/@ada/"), "\(sent.error)")
            #expect(fixture.proxy.posts == 2)
            #expect(try await fixture.entries().isEmpty)
            #expect(try await fixture.count("hello") == 1)
        }
    }

    /// What a server has done although its response was lost is neither done again nor reported as a failure.
    @Test func actionWithALostResponseIsDoneOnce() async throws {
        try await OutboxFixture.run { fixture in
            try await fixture.server.addAccount("bob")
            let bob = try ClientHome()
            #expect(try await bob.login(fixture.server, "bob").code == 0)
            let poll = try await bob.run("post", "which?", "--poll", "a", "--poll", "b").id()
            let own = try await fixture.home.run("post", "a mistake").id()
            let rows: [(line: String, command: [String])] = [
                ("POST /api/v1/polls/", ["poll", "vote", poll, "2"]), ("DELETE /api/v1/statuses/", ["delete", own]),
                ("POST /api/v1/lists ", ["lists", "create", "Sailors"]),
                ("POST /api/v1/lists/", ["lists", "add", "Sailors", "@ada"]),
                ("DELETE /api/v1/lists/", ["lists", "delete", "Sailors"]),
                ("POST /api/v1/accounts/", ["block", "@bob"]),
            ]
            for row in rows {
                fixture.proxy.fail(.losesResponse, row.line)
                let lost = try await fixture.home.run(row.command)
                #expect(lost.code == 5 && lost.error.contains("kept in the outbox"), "\(row) \(lost.error)")
                let sent = try await fixture.home.run("outbox", "flush")
                #expect(sent.code == 0 && !sent.text.isEmpty, "\(row) \(sent.error)")
                #expect(try await fixture.entries().isEmpty)
            }
            #expect(try await fixture.home.run("lists").error.contains("no lists yet"))
            #expect(try await fixture.home.run("show", own).code == 3)
            #expect(try await fixture.home.run("blocked").text.contains("@bob"))
        }
    }

    @Test func tooManyRequestsLeaveNoDoubt() async throws {
        try await OutboxFixture.run { fixture in
            fixture.proxy.fail(.responds(429))
            let later = try await fixture.home.run("post", "hello")
            #expect(later.code == 75 && later.error.contains("kept in the outbox"), "\(later.error)")
            #expect(try await fixture.entries().map { $0["state"] as? String } == ["new"])
            #expect(try await fixture.home.run("timeline").error.contains("sent from the outbox"))
            #expect(try await fixture.count("hello") == 1)
        }
    }

    /// GoToSocial ignores the key: a post that is found among the statuses of the account is not sent again.
    @Test func otherServersAreSearched() async throws {
        try await OutboxFixture.run(version: "0.17.3+git-abcdef") { fixture in
            fixture.proxy.fail(.losesResponse)
            #expect(try await fixture.home.run("post", "hello", "@ada").code == 5)
            let found = try await fixture.home.run("outbox", "flush")
            #expect(found.code == 0 && found.text.contains("/@ada/"), "\(found.error)")
            #expect(fixture.proxy.posts == 1)
            #expect(try await fixture.entries().isEmpty)
        }
    }

    @Test func postInDoubtWaitsForTheUser() async throws {
        try await OutboxFixture.run(version: "0.17.3+git-abcdef") { fixture in
            fixture.proxy.fail(.losesRequest)
            #expect(try await fixture.home.run("post", "hello").code == 5)
            let read = try await fixture.home.run("timeline")
            #expect(read.code == 0 && read.error.contains("is in the outbox (unclear)"), "\(read.error)")
            for _ in 0..<2 {
                let doubt = try await fixture.home.run("outbox", "flush")
                #expect(doubt.code == 1 && doubt.error.contains("may be on the server already"), "\(doubt.error)")
            }
            let again = try await fixture.home.run("post", "hello")
            #expect(again.code == 1 && again.error.contains("outbox drop"), "\(again.error)")
            #expect(fixture.proxy.posts == 1)
            let id = try #require(try await fixture.entries().first?["id"] as? String)
            let sent = try await fixture.home.run("outbox", "flush", id)
            #expect(sent.code == 0, "\(sent.error)")
            #expect(try await fixture.count("hello") == 1)
        }
    }

    /// The client is killed while the request, or its response, is on its way.
    @Test(arguments: [true, false], [nil, "0.17.3"] as [String?])
    func killedPostAppearsOnce(arrives: Bool, version: String?) async throws {
        try await OutboxFixture.run(version: version) { fixture in
            fixture.proxy.fail(arrives ? .holdsResponse : .holdsRequest)
            let client = try RunningClient(fixture.home, "post", "hello")
            try await Wait.until("the request is held back") { fixture.proxy.held > 0 }
            _ = try await client.stop(SIGKILL)
            #expect(try await fixture.entries().map { $0["state"] as? String } == ["sending"])
            let sent = try await fixture.home.run("outbox", "flush")
            let isUnclear = version != nil && !arrives
            #expect(sent.code == (isUnclear ? 1 : 0), "\(sent.error)")
            #expect(try await fixture.count("hello") == (isUnclear ? 0 : 1))
            #expect(try await fixture.entries().count == (isUnclear ? 1 : 0))
        }
    }

    /// `kill -9` at random moments: what was in the outbox appears once, anything else at most once.
    @Test func postsKilledAtRandomAppearAtMostOnce() async throws {
        try await OutboxFixture.run { fixture in
            let seed = Soak.seed
            var random = SplitMix64(seed: seed)
            var stored = 0
            for round in 0..<Soak.rounds(12, soaking: 200) {
                let client = try RunningClient(fixture.home, "post", "round\(round)")
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
                _ = try await client.stop(SIGKILL)
                let wasStored = try await !fixture.entries().isEmpty
                let isPrinted = !client.output.isEmpty
                #expect(try await fixture.home.run("outbox", "flush").code == 0)
                let count = try await fixture.count("round\(round)")
                #expect(count <= 1 && (count == 1 || !wasStored && !isPrinted), "seed \(seed), round \(round)")
                stored += wasStored ? 1 : 0
            }
            print("kill -9: \(stored) posts were found in the outbox")
            #expect(try await fixture.entries().isEmpty)
        }
    }
}
