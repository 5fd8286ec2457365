import FeedTestSupport
import Foundation
import TestKit
import Testing

/// File operations that fail while a post is stored and sent, and `kill -9` at any of them: it appears once, or its author
/// is told that it has not been sent.
@Suite(.hangLimit)
struct OutboxCrashTests {
    /// A post, and what became of it.
    private struct Outcome {
        let text: String
        let run: FaultyClient.Run
        /// Whether the post must appear, because it was in the outbox, or said to be posted or kept.
        let mustAppear: Bool
    }

    private let people: ClientPeople
    private let client: FaultyClient
    private let picture: [String]

    private var home: ClientHome { people.homes[0] }

    init() async throws {
        people = try await ClientPeople.start("ada")
        client = try await FaultyClient()
        let path = try people.homes[0].folder.file("a.png")
        try SampleImages.png(20, 10).write(to: URL(fileURLWithPath: path))
        picture = ["--media", "a.png", "--alt", "a boat"]
    }

    /// While a disk fails for good, the logins remain readable, or nothing would be sent.
    private static func part(_ fault: FaultyClient.Fault) -> String { fault == .failsForGood ? "/state" : "" }

    @Test(arguments: FaultyClient.Fault.allCases) func postAppearsOnceOrNot(_ fault: FaultyClient.Fault) async throws {
        var outcomes: [Outcome] = []
        for (more, count) in [([], 40), (picture, 10)] as [([String], Int)] {
            let operations = try await client.operations(
                try await home.copy(), ["post", "no fault"] + more, in: Self.part(fault))
            for number in FaultyClient.numbers(of: operations, atMost: count) {
                let text = "post \(outcomes.count) with \(more.count)"
                let copy = try await home.copy()
                let run = try await client.run(
                    copy, ["post", text] + more, in: Self.part(fault), at: number, fault)
                Self.check(run)
                let isStored = try await !copy.outbox().isEmpty
                let isPromised = run.done.code == 0 || run.done.error.contains("kept in the outbox")
                outcomes.append(Outcome(text: text, run: run, mustAppear: isStored || isPromised))
                try await Self.flush(copy, run.note)
            }
        }
        #expect(outcomes.count > 20)
        try await check(outcomes)
    }

    /// The outbox is sent while operations fail. What it held is posted once, now or the next time.
    @Test(arguments: FaultyClient.Fault.allCases, [true, false])
    func storedPostAppearsOnce(_ fault: FaultyClient.Fault, isSent: Bool) async throws {
        let posting = try await client.operations(try await home.copy(), ["post", "no fault"], in: "")
        // The state `new`, before the state `sending` is written; and `sending`, when the server has the post.
        let end =
            isSent ? posting.lastIndex { $0.hasPrefix("unlink ") } : posting.firstIndex { $0.hasPrefix("truncate ") }
        let state = isSent ? "sending" : "new"
        let number = try #require(end) + 1
        let reference = try await stored("flushed", killedAt: number, as: state)
        let flushing = try await client.operations(reference, ["outbox", "flush"], in: Self.part(fault))
        var outcomes: [Outcome] = []
        for point in FaultyClient.numbers(of: flushing, atMost: 12) {
            let text = "stored \(point)"
            let copy = try await stored(text, killedAt: number, as: state)
            let run = try await client.run(copy, ["outbox", "flush"], in: Self.part(fault), at: point, fault)
            Self.check(run)
            try await Self.flush(copy, run.note)
            outcomes.append(Outcome(text: text, run: run, mustAppear: true))
        }
        #expect(outcomes.count > 5)
        try await check(outcomes)
    }

    /// A home whose outbox has a post, because the client was killed.
    private func stored(_ text: String, killedAt number: Int, as state: String) async throws -> ClientHome {
        let copy = try await home.copy()
        let run = try await client.run(copy, ["post", text], in: "", at: number, .kills)
        try #require(try await copy.outbox().map { $0["state"] as? String } == [state], run.note)
        return copy
    }

    private static func check(_ run: FaultyClient.Run) {
        if run.isKilled {
            #expect(run.done.code == 128 + SIGKILL, run.note)
        } else if run.done.code == 0 {
            #expect(!run.done.text.isEmpty || run.done.error.contains("nothing to send"), run.note)
        } else {
            #expect(run.isHit && run.done.code < 128 && run.done.error.contains("error: "), run.note)
        }
    }

    /// Sends the rest without faults.
    private static func flush(_ home: ClientHome, _ note: Comment) async throws {
        let flushed = try await home.run("outbox", "flush")
        #expect(flushed.code == 0, "\(flushed.error) after \(note)")
        #expect(try await home.outbox().isEmpty, note)
    }

    private func check(_ outcomes: [Outcome]) async throws {
        let read = try await home.run("timeline", "@ada", "-n", "10000", "--json")
        try #require(read.code == 0, "\(read.error)")
        let lines = read.text.split(separator: "\n")
        for outcome in outcomes {
            let count = lines.count { $0.contains("<p>\(outcome.text)<") }
            #expect(count <= 1 && (count == 1 || !outcome.mustAppear), "\(count) times: \(outcome.run.note)")
        }
    }
}
