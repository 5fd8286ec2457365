import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// A long random walk of follows, blocks and changes of lists, whose members are compared with a simple model after each
/// step.
@Suite(.hangLimit)
struct ListWalkTests {
    private struct Pair: Hashable {
        let from: Int
        let to: Int
        var turned: Pair { Pair(from: to, to: from) }
    }

    /// Each account has one list; the members are pairs of owner and member.
    private struct Model {
        var follows: Set<Pair> = []
        var members: Set<Pair> = []
        var blocks: Set<Pair> = []

        mutating func end(_ pair: Pair) {
            follows.remove(pair)
            members.remove(pair)
        }

        /// - Returns: The kind of the expected error.
        mutating func apply(_ verb: Verb, _ pair: Pair) -> FeedError.Kind? {
            switch verb {
            case .follow:
                guard pair.from != pair.to, blocks.isDisjoint(with: [pair, pair.turned]) else { return .forbidden }
                follows.insert(pair)
            case .unfollow: end(pair)
            case .removeFollower: end(pair.turned)
            case .block:
                guard pair.from != pair.to else { return .forbidden }
                blocks.insert(pair)
                for ended in [pair, pair.turned] { end(ended) }
            case .unblock: blocks.remove(pair)
            case .add:
                guard pair.from == pair.to || follows.contains(pair) else { return .notFound }
                guard members.insert(pair).inserted else { return .invalid }
            case .remove: members.remove(pair)
            }
            return nil
        }
    }

    private enum Verb: CaseIterable { case follow, unfollow, removeFollower, block, unblock, add, remove }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func membersMatchTheModel(seed: UInt64) async throws {
        let store = try TestStore()
        var random = SplitMix64(seed: seed)
        var (people, lists): ([Account], [AccountList]) = ([], [])
        for number in 0..<4 {
            people.append(try await store.account("user\(number)"))
            lists.append(try await store.list(of: people[number]))
        }
        var model = Model()
        let verbs = Verb.allCases + [.follow, .follow, .add, .add]
        for number in 0..<300 {
            let verb = verbs[Int.random(in: verbs.indices, using: &random)]
            let pair = Pair(from: Int.random(in: 0..<4, using: &random), to: Int.random(in: 0..<4, using: &random))
            // Ending a follow of oneself has its own test.
            if pair.from == pair.to, [.unfollow, .removeFollower].contains(verb) { continue }
            let expected = model.apply(verb, pair)
            let (one, other) = (people[pair.from].id, people[pair.to].id)
            let outcome = await Self.perform(verb, one, other, lists[pair.from].id, store)
            let name = Comment(rawValue: "seed \(seed), step \(number): \(pair.from) \(verb) \(pair.to)")
            #expect(outcome == expected, name)
            for (owner, list) in lists.enumerated() {
                let members = model.members.filter { $0.from == owner }.map { people[$0.to].id }
                #expect(try await store.lists.memberIDs(of: list.id) == Set(members), name)
            }
        }
        #expect(!model.members.isEmpty)
    }

    private static func perform(
        _ verb: Verb, _ one: Int64, _ other: Int64, _ list: Int64, _ store: TestStore
    ) async -> FeedError.Kind? {
        do {
            switch verb {
            case .follow: try await store.follows.follow(other, by: one)
            case .unfollow: try await store.follows.unfollow(other, by: one)
            case .removeFollower: try await store.follows.removeFollower(other, from: one)
            case .block: try await store.blocks.block(other, by: one)
            case .unblock: try await store.blocks.unblock(other, by: one)
            case .add: try await store.lists.add([other], to: list, of: one)
            case .remove: try await store.lists.remove([other], from: list, of: one)
            }
            return nil
        } catch {
            return (error as? FeedError)?.kind
        }
    }
}
