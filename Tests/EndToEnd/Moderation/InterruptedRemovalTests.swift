import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `kill -9` during removals: the next run or the running server completes them.
@Suite(.hangLimit, .serialized)
struct InterruptedRemovalTests {
    private static let statuses = 3000
    private static let replies = 200

    /// bob's question has 1,000 answers by ada; bob has answered 200 of her statuses; they follow each other, and 100
    /// others follow her.
    private static let feed: String = {
        func status(_ number: Int, _ author: String, _ more: String = "") -> String {
            let time = "2023-01-01T\(padded(number / 3600)):\(padded(number / 60 % 60)):\(padded(number % 60))Z"
            return #"{"kind":"status","n":\#(number),"author":"\#(author)","created_at":"\#(time)","#
                + #""text":"\#(author) has number \#(number)"\#(more)}"#
        }
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var lines = ["ada", "bob"].map { #"{"kind":"account","username":"\#($0)"}"# }
        lines += (0..<100).map { #"{"kind":"account","username":"fan\#($0)"}"# }
        lines += (0..<100).map { #"{"kind":"follow","from":"fan\#($0)","to":"ada"}"# }
        lines += [("ada", "bob"), ("bob", "ada")].map { #"{"kind":"follow","from":"\#($0)","to":"\#($1)"}"# }
        lines.append(status(1, "bob"))
        for number in 2..<2 + statuses {
            lines.append(status(number, "ada", number % 3 == 0 ? #","in_reply_to":1"# : ""))
        }
        for number in 0..<replies {
            lines.append(status(2 + statuses + number, "bob", #","in_reply_to":\#(2 + number * 10)"#))
        }
        return lines.joined(separator: "\n") + "\n"
    }()

    @Test(arguments: (0..<UInt64(Soak.rounds(3, soaking: 30))).map { Soak.seed &+ $0 })
    func killedRemovalIsCompleted(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var wasPending = false
        // A removal may be complete before it is killed, above all on a busy machine.
        for _ in 0..<20 where !wasPending {
            wasPending = try await Self.killRemoval(isServed: seed.isMultiple(of: 2), &random)
        }
        #expect(wasPending, "no removal was killed before its end")
    }

    /// Kills the command up to three times. Then the next run completes the removal or, if `isServed`, a server that
    /// runs all the time.
    /// - Returns: Whether the removal was incomplete after one of the kills.
    private static func killRemoval(isServed: Bool, _ random: inout SplitMix64) async throws -> Bool {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        let file = try folder.file("feed.ndjson", feed)
        let imported = try await Tool.run(Programs.feedserver, ["import", file, "--data", data])
        try #require(imported.code == 0, "\(imported.error)")
        let server = isServed ? try await ServerProcess.start(folder: folder) : nil
        var wasPending = false
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            // A number that is too large kills the command when it starts.
            let left = Int.random(in: 1...statuses * 11 / 10, using: &random)
            if try await isPending(data, killedWhenFewerAreLeftThan: left) { wasPending = true }
        }
        if server == nil {
            let done = try await Tool.run(Programs.feedserver, ["account", "remove", "ada", "--yes", "--data", data])
            #expect(done.code == 0 && done.error.contains("removed"), "\(done.error)")
        }
        let running = if let server { server } else { try await ServerProcess.start(folder: folder) }
        // A removal that was killed before its first transaction has not begun.
        let again = try await running.admin("account", "remove", "ada", "--yes")
        #expect(again.code == 0, "\(again.error)")
        try await Wait.until("the removal is complete") {
            try await running.admin("account", "remove", "ada", "--yes").error.contains("already been removed")
        }
        try await check(running)
        try await running.stop()
        return wasPending
    }

    /// Starts a removal and kills it when fewer statuses are left, if it has not ended.
    /// - Returns: Whether the removal has begun and is not complete.
    private static func isPending(_ data: String, killedWhenFewerAreLeftThan left: Int) async throws -> Bool {
        let file = try DatabaseFile(data: data)
        let isKilled = try await KilledCommand.run(["account", "remove", "ada", "--yes", "--data", data]) {
            try file.number(
                "SELECT count(*) FROM status WHERE account_id = (SELECT id FROM account WHERE username = 'ada')") < left
        }
        return try isKilled && file.number("SELECT count(*) FROM account_removal") > 0
    }

    /// Nothing of ada is left, and nothing of bob's is lost.
    private static func check(_ server: ServerProcess) async throws {
        func text(_ path: String) async throws -> String {
            try await RawHTTP.send(port: server.port, "GET", path).text
        }
        let bob = try await text("/api/v1/accounts/lookup?acct=bob")
        for count in ["\"followers_count\":0", "\"following_count\":0", "\"statuses_count\":\(replies + 1)"] {
            #expect(bob.contains(count), "\(bob)")
        }
        let id = try #require(bob.firstMatch(of: /"id":"(\d+)"/)).1
        #expect(try await text("/api/v1/accounts/lookup?acct=fan7").contains("\"following_count\":0"))
        #expect(try await text("/api/v1/instance").contains("\"status_count\":\(replies + 1)"))
        #expect(try await !text("/api/v1/timelines/public?limit=40").contains("ada has number"))
        let newest = try await text("/api/v1/accounts/\(id)/statuses?limit=40")
        #expect(newest.contains("bob has number") && newest.contains("\"in_reply_to_id\":null"))
        #expect(!newest.contains("\"in_reply_to_id\":\""), "replies to deleted statuses have no parent")
        #expect(try await bobsQuestion(id, server).contains("\"replies_count\":0"))
        let accounts = try await server.admin("account", "list", "--json").text.split(separator: "\n")
        let ada = try #require(accounts.first { $0.contains("\"username\":\"ada\"") })
        #expect(ada.contains("\"removed\":true") && ada.contains("\"statuses_count\":0"), "\(ada)")
    }

    /// The oldest status of bob.
    private static func bobsQuestion(_ id: Substring, _ server: ServerProcess) async throws -> String {
        try await RawHTTP.send(port: server.port, "GET", "/api/v1/accounts/\(id)/statuses?limit=1&min_id=1").text
    }
}
