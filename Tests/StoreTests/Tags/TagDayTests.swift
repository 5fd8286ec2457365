import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct TagDayTests {
    private static func today(_ tag: String, _ store: TestStore) async throws -> [Int] {
        let history = try #require(try await store.tags.histories(of: [tag]).first)
        return [history.uses[0].uses, history.uses[0].accounts]
    }

    @Test func publicUsesAreCountedOncePerAccountAndDay() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        #expect(try await Self.today("tag", store) == [0, 0])
        let first = try await store.post("#tag #Tag", by: ada)
        try await store.post("again #TAG", by: ada)
        for visibility in [Visibility.unlisted, .followers, .direct] {
            try await store.post("#tag", by: ada, visibility)
        }
        #expect(try await Self.today("tag", store) == [2, 1])
        try await store.post("#tag", by: bob)
        #expect(try await Self.today("tag", store) == [3, 2])
        _ = try await store.statuses.delete(id: first.id, by: ada.id)
        #expect(try await Self.today("tag", store) == [2, 2])
        store.clock.now += TagUse.milliseconds
        try await store.post("#tag", by: ada)
        let uses = try #require(try await store.tags.histories(of: ["tag"]).first).uses
        #expect(uses.map(\.uses) == [1, 2, 0, 0, 0, 0, 0] && uses.map(\.accounts) == [1, 2, 0, 0, 0, 0, 0])
    }

    @Test func editsMoveUsesToOtherHashtags() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let status = try await store.post("#one #two", by: ada)
        let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
        _ = try await posting.edit(status.id, to: StatusDraft(text: "#Two #three"), by: ada)
        for (tag, uses) in [("one", [0, 0]), ("two", [1, 1]), ("three", [1, 1])] {
            #expect(try await Self.today(tag, store) == uses, "\(tag)")
        }
        // Nothing is counted for a day that no history shows.
        store.clock.now += 10 * TagUse.milliseconds
        _ = try await posting.edit(status.id, to: StatusDraft(text: "#four"), by: ada)
        let rows = try await store.database.read {
            try $0.fetchOne("SELECT count(*) FROM tag_day WHERE tag = 'four'", as: Int.self)
        }
        #expect(rows == 0)
    }

    @Test func oldDaysAreForgotten() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await store.post("#tag", by: ada)
        #expect(try await store.tags.pruneUses() == 0)
        store.clock.now += (TagHistory.days + 1) * TagUse.milliseconds
        try await store.post("#tag", by: ada)
        #expect(try await store.tags.pruneUses() == 1)
        #expect(try await Self.today("tag", store) == [1, 1])
    }

    /// Compares the counts with a recount after random posts, edits and deletions.
    @Test func countsEqualARecount() async throws {
        let store = try TestStore()
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        var people: [Account] = []
        for name in ["ada", "bob", "cleo"] { people.append(try await store.account(name)) }
        let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
        var statuses: [(id: Int64, author: Account)] = []
        for number in 0..<Soak.rounds(300, soaking: 5000) {
            store.clock.now += 1000
            let text = "\(number) " + ["#a", "#b", "#a #b", "#c #A", "none"][Int.random(in: 0..<5, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let author = people[number % people.count]
                let visibility = Visibility.allCases[Int.random(in: 0..<4, using: &random)]
                statuses.append((try await store.post(text, by: author, visibility).id, author))
            case 2:
                guard let (id, author) = statuses.randomElement(using: &random) else { continue }
                _ = try await posting.edit(id, to: StatusDraft(text: text), by: author)
            default:
                guard !statuses.isEmpty else { continue }
                let (id, author) = statuses.remove(at: Int.random(in: statuses.indices, using: &random))
                _ = try await store.statuses.delete(id: id, by: author.id)
            }
        }
        #expect(try await AccountDeletionWorld.wrongConversationsAndUses(store) == [], "seed \(seed)")
    }
}
