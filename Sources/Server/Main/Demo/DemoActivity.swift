import FeedCore
import FeedStore

/// What the demo's people do with statuses: boosts, favourites and a poll, which the format of imports does not contain.
struct DemoActivity: Sendable {
    /// The number of newest public statuses that are boosted and favourited.
    private static let statuses = 120
    private static let pollDays: Int64 = 3

    let database: FeedDatabase

    func add() async throws {
        let accounts = try await AccountStore(database).list()
        let page = try await StatusStore(database).timeline(.public, page: Pagination(limit: Self.statuses), for: nil)
        try await react(to: page.entries, accounts)
        try await addPoll(accounts)
    }

    /// All at once, so that they share transactions.
    private func react(to statuses: [Status], _ accounts: [Account]) async throws {
        var random = SeededRandom(seed: 2022)
        let store = StatusStore(database)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for status in statuses {
                let people = accounts.filter { $0.id != status.account.id }.shuffled(using: &random)
                // Most statuses get few reactions, some get many.
                let share = Double.random(in: 0..<1, using: &random)
                let favourites = people.prefix(Int(share * share * 14))
                let boosts = people.suffix(Int(share * share * share * 6))
                for person in favourites {
                    group.addTask { _ = try await store.set(.favourite, true, on: status.id, by: person.id) }
                }
                for person in boosts {
                    group.addTask { _ = try await store.boost(status.id, visibility: nil, by: person.id) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func addPoll(_ accounts: [Account]) async throws {
        guard let author = accounts.first(where: { $0.username == DemoTexts.poll.author }) else { return }
        var draft = StatusDraft(text: DemoTexts.poll.text)
        draft.language = "en"
        draft.poll = PollDraft(
            options: DemoTexts.poll.options, seconds: Self.pollDays * 86_400, isMultiple: false)
        let posting = StatusPosting(
            accounts: AccountStore(database), statuses: StatusStore(database), limits: Limits())
        let status = try await posting.post(draft, by: author)
        for (index, voter) in accounts.enumerated() where voter.id != author.id && index % 2 == 0 {
            _ = try await PollStore(database).vote([index / 2 % draft.optionCount], in: status.id, by: voter.id)
        }
    }
}

extension StatusDraft {
    fileprivate var optionCount: Int { poll?.options.count ?? 1 }
}
