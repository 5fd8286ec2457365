import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

/// A long random walk of relationship changes, compared with a simple model after each step.
@Suite(.hangLimit)
struct FollowWalkTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func everyStepMatchesTheModel(seed: UInt64) async throws {
        let walk = try await FollowWalk()
        var random = SplitMix64(seed: seed)
        var model = FollowModel()
        for number in 0..<250 {
            let step = FollowStep.random(people: FollowWalk.people, using: &random)
            let before = model
            let expected = model.apply(step)
            let (outcome, changes) = try await walk.apply(step)
            let name = Comment(rawValue: "seed \(seed), step \(number): \(step)")
            #expect(outcome == expected, name)
            #expect((changes > 0) == (model != before), name)
            try await walk.check(model, name)
        }
    }
}

struct FollowModel: Equatable {
    struct Pair: Hashable {
        var from: Int
        var to: Int
        var turned: Pair { Pair(from: to, to: from) }
    }

    var follows: Set<Pair> = []
    var requests: Set<Pair> = []
    var blocks: Set<Pair> = []
    var locked: Set<Int> = []

    /// - Returns: The kind of the expected error.
    mutating func apply(_ step: FollowStep) -> FeedError.Kind? {
        let pair = step.pair
        guard pair.from != pair.to || step.verb.isMine else { return .forbidden }
        switch step.verb {
        case .follow:
            guard blocks.isDisjoint(with: [pair, pair.turned]) else { return .forbidden }
            guard !follows.contains(pair) else { return nil }
            if locked.contains(pair.to) {
                requests.insert(pair)
            } else {
                begin(pair)
            }
        case .unfollow: follows.remove(pair); requests.remove(pair)
        case .removeFollower: follows.remove(pair.turned)
        case .accept:
            guard requests.contains(pair.turned) else { return .notFound }
            begin(pair.turned)
        case .reject: return requests.remove(pair.turned) == nil ? .notFound : nil
        case .block:
            blocks.insert(pair)
            follows.subtract([pair, pair.turned])
            requests.subtract([pair, pair.turned])
        case .unblock: blocks.remove(pair)
        case .lock: locked.insert(pair.from)
        case .unlock:
            locked.remove(pair.from)
            for request in requests where request.to == pair.from { begin(request) }
        }
        return nil
    }

    private mutating func begin(_ pair: Pair) {
        requests.remove(pair)
        follows.insert(pair)
    }
}

struct FollowStep: CustomStringConvertible {
    enum Verb: CaseIterable {
        case follow, unfollow, removeFollower, accept, reject, block, unblock, lock, unlock

        /// Whether the step involves no other account.
        var isMine: Bool { self == .lock || self == .unlock }
    }

    var verb: Verb
    var pair: FollowModel.Pair

    var description: String { "\(pair.from) \(verb) \(pair.to)" }

    static func random(people: Int, using random: inout SplitMix64) -> FollowStep {
        // Follows are the most frequent, because otherwise there would be few relationships.
        let verbs = Verb.allCases + [.follow, .follow, .follow, .accept]
        var pair = FollowModel.Pair(
            from: Int.random(in: 0..<people, using: &random), to: Int.random(in: 0..<people, using: &random))
        let verb = verbs[Int.random(in: verbs.indices, using: &random)]
        // Actions on oneself are rejected, and have their own test.
        if pair.from == pair.to, verb != .follow, verb != .block { pair.to = (pair.to + 1) % people }
        return FollowStep(verb: verb, pair: pair)
    }
}

/// Applies the same steps to a real database.
final class FollowWalk {
    static let people = 4

    let store: TestStore
    private let ids: [Int64]

    init() async throws {
        store = try TestStore()
        var ids: [Int64] = []
        for index in 0..<Self.people { ids.append(try await store.account("user\(index)").id) }
        self.ids = ids
    }

    /// - Returns: The kind of the error, and the number of new change log entries.
    func apply(_ step: FollowStep) async throws -> (FeedError.Kind?, Int) {
        let start = try await store.changes.position().sequence
        store.clock.now += 1000
        var outcome: FeedError.Kind?
        do {
            try await perform(step.verb, ids[step.pair.from], ids[step.pair.to])
        } catch let error as FeedError {
            outcome = error.kind
        }
        return (outcome, try await store.kinds(after: start).count)
    }

    private func perform(_ verb: FollowStep.Verb, _ from: Int64, _ to: Int64) async throws {
        switch verb {
        case .follow: try await store.follows.follow(to, by: from)
        case .unfollow: try await store.follows.unfollow(to, by: from)
        case .removeFollower: try await store.follows.removeFollower(to, from: from)
        case .accept: try await store.follows.accept(to, by: from)
        case .reject: try await store.follows.reject(to, by: from)
        case .block: try await store.blocks.block(to, by: from)
        case .unblock: try await store.blocks.unblock(to, by: from)
        case .lock, .unlock: _ = try await store.accounts.update(from) { $0.isLocked = verb == .lock }
        }
    }

    func check(_ model: FollowModel, _ name: Comment) async throws {
        #expect(try await pairs("SELECT follower_id, followee_id FROM follow") == model.follows, name)
        #expect(try await pairs("SELECT follower_id, followee_id FROM follow_request") == model.requests, name)
        #expect(try await pairs("SELECT account_id, target_id FROM block") == model.blocks, name)
        let told = "SELECT from_id, account_id FROM notification WHERE kind = "
        #expect(try await pairs(told + "'follow'") == model.follows, name)
        #expect(try await pairs(told + "'follow_request'") == model.requests, name)
        for (index, id) in ids.enumerated() {
            let account = try #require(try await store.accounts.account(id: id))
            #expect(account.followersCount == model.follows.count { $0.to == index }, name)
            #expect(account.followingCount == model.follows.count { $0.from == index }, name)
            #expect(try await store.follows.requestsCount(to: id) == model.requests.count { $0.to == index }, name)
            try await checkRelationships(of: index, model, name)
        }
    }

    private func checkRelationships(of index: Int, _ model: FollowModel, _ name: Comment) async throws {
        let found = try await store.relationships.relationships(of: ids[index], to: ids)
        #expect(found.map(\.id) == ids, name)
        for (other, relationship) in found.enumerated() {
            let pair = FollowModel.Pair(from: index, to: other)
            #expect((relationship.following != nil) == model.follows.contains(pair), name)
            #expect((relationship.requested != nil) == model.requests.contains(pair), name)
            #expect(relationship.isFollowed == model.follows.contains(pair.turned), name)
            #expect(relationship.isRequested == model.requests.contains(pair.turned), name)
            #expect(relationship.isBlocking == model.blocks.contains(pair), name)
            #expect(relationship.isBlocked == model.blocks.contains(pair.turned), name)
        }
    }

    private func pairs(_ sql: String) async throws -> Set<FollowModel.Pair> {
        let found = try await store.database.read { db in
            try db.fetchAll(SQL(sql: sql)).map { try [$0[0] as Int64, $0[1] as Int64] }
        }
        return Set(
            found.compactMap { pair in
                guard let from = ids.firstIndex(of: pair[0]), let to = ids.firstIndex(of: pair[1]) else { return nil }
                return FollowModel.Pair(from: from, to: to)
            })
    }
}
