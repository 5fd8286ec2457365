import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// A random walk of votes, edits and ends of polls, compared with a simple model after each step.
@Suite(.hangLimit)
struct PollWalkTests {
    private static let titles = [["a", "b"], ["a", "b", "c"], ["c", "b", "a"]]

    /// The expected state of a poll.
    private struct Model {
        var titles: [String]
        var isMultiple: Bool
        var end: Int64
        var isClosed = false
        /// The chosen options by voter.
        var votes: [Int64: Set<Int>] = [:]

        /// - Returns: Whether the vote is accepted.
        mutating func vote(_ choices: [Int], by voter: Int64, author: Int64, at now: Int64) -> Bool {
            let before = votes[voter] ?? []
            guard voter != author, now < end, !isClosed, choices.allSatisfy(titles.indices.contains),
                before.isDisjoint(with: choices), isMultiple || before.count + choices.count == 1
            else { return false }
            votes[voter] = before.union(choices)
            return true
        }

        func poll(_ id: Int64, for viewer: Int64?) -> Poll {
            let options = titles.enumerated().map { number, title in
                Poll.Option(title: title, votesCount: votes.values.count { $0.contains(number) })
            }
            return Poll(
                id: id, options: options, isMultiple: isMultiple, expiresAt: end, isExpired: isClosed,
                votersCount: votes.count, ownVotes: viewer.flatMap { votes[$0] }.map { $0.sorted() } ?? [])
        }
    }

    private struct Walk {
        let store: TestStore
        var random: SplitMix64
        var people: [Account] = []
        var polls: [Int64: Model] = [:]
        let posting: StatusPosting

        init(seed: UInt64) async throws {
            store = try TestStore()
            random = SplitMix64(seed: seed)
            posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
            for number in 0..<4 { people.append(try await store.account("user\(number)")) }
        }

        private mutating func draft() -> PollDraft {
            PollDraft(
                options: PollWalkTests.titles.randomElement(using: &random) ?? [],
                seconds: Int64.random(in: 300...400, using: &random), isMultiple: Bool.random(using: &random))
        }

        /// The first account asks, the others vote.
        mutating func step() async throws {
            store.clock.now += Int64.random(in: 1...10_000, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: try await ask()
            case 1: try await edit()
            case 2: try await close()
            default: try await vote()
            }
        }

        private mutating func ask() async throws {
            let draft = draft()
            let id = try await store.post("poll", by: people[0], poll: draft).id
            polls[id] = Model(
                titles: draft.options, isMultiple: draft.isMultiple, end: draft.end(from: store.clock.now))
        }

        private mutating func edit() async throws {
            guard let id = polls.keys.sorted().randomElement(using: &random), var model = polls[id] else { return }
            var status = StatusDraft(text: "poll")
            let new = draft()
            status.poll = new
            _ = try await posting.edit(id, to: status, by: people[0])
            if model.titles != new.options || model.isMultiple != new.isMultiple { model.votes = [:] }
            (model.titles, model.isMultiple, model.isClosed) = (new.options, new.isMultiple, false)
            model.end = new.end(from: store.clock.now)
            polls[id] = model
        }

        private mutating func close() async throws {
            while try await store.polls.closeNext() {}
            let now = store.clock.now
            for (id, model) in polls where model.end <= now { polls[id]?.isClosed = true }
        }

        private mutating func vote() async throws {
            guard let id = polls.keys.sorted().suffix(3).randomElement(using: &random),
                let voter = people.randomElement(using: &random), var model = polls[id]
            else { return }
            let choices = Array(Set((0..<2).map { _ in Int.random(in: 0..<4, using: &random) })).sorted()
            let isAccepted = model.vote(choices, by: voter.id, author: people[0].id, at: store.clock.now)
            polls[id] = model
            do {
                _ = try await store.polls.vote(choices, in: id, by: voter.id)
                #expect(isAccepted, "accepted \(choices)")
            } catch let error as FeedError {
                #expect(error.kind == .invalid && !isAccepted, "\(choices): \(error)")
            }
        }

        func check(_ name: Comment) async throws {
            for viewer in [nil] + people.map(\.id) {
                let found = try await store.statuses.statuses(ids: polls.keys.sorted(), for: viewer)
                #expect(found.count == polls.count, name)
                for status in found { #expect(status.poll == polls[status.id]?.poll(status.id, for: viewer), name) }
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func everyStepMatchesTheModel(seed: UInt64) async throws {
        let seed = seed &* Soak.seed
        var walk = try await Walk(seed: seed)
        for number in 0..<Soak.rounds(150, soaking: 2000) {
            try await walk.step()
            try await walk.check("seed \(seed), step \(number)")
        }
    }
}
