import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import FeedStore
@testable import FeedWeb

/// After each of many random changes, each cached page equals one that is computed anew.
@Suite(.hangLimit)
struct CachedPageWalkTests {
    private static let paths = [
        "/api/v1/timelines/home?limit=5", "/api/v1/timelines/public?limit=5", "/api/v1/timelines/public?limit=40",
        "/api/v1/timelines/tag/tag?limit=5", "/api/v1/accounts/{1}/statuses?limit=5",
        "/api/v1/accounts/{2}/statuses?exclude_replies=true", "/api/v1/accounts/{1}/statuses?pinned=true",
        "/api/v1/favourites?limit=5", "/api/v1/bookmarks", "/api/v1/timelines/home?limit=3&max_id={old}",
        "/api/v1/timelines/home?limit=3&min_id={old}", "/api/v1/timelines/public?limit=4&since_id={old}",
        "/api/v1/timelines/public?only_media=true&limit=5", "/api/v1/accounts/{1}/statuses?only_media=true",
        "/api/v1/timelines/list/{list0}?limit=5", "/api/v1/timelines/list/{list1}?limit=40",
        "/api/v1/timelines/list/{list0}?limit=3&max_id={old}", "/api/v1/timelines/tag/other?any[]=more&limit=5",
        "/api/v1/timelines/home?limit=40",
        "/api/v1/notifications?limit=5", "/api/v2/notifications?limit=5",
        "/", "/@user1", "/@USER2?limit=3&max_id={old}", "/@user0/{old}", "/@user1/{old}", "/tags/tag",
    ]

    /// The condition that selects among the statuses that may have been added to a home page since it was valid.
    private static let refresh = "WHERE e.id IN ("

    @Test(arguments: [1, 2, 3, 4]) func cachedPagesEqualNewOnes(seed: UInt64) async throws {
        let (store, engine) = try ObservedEngine.store(counting: Self.refresh)
        let test = try TestServices(store: store)
        let seed = seed &* Soak.seed
        var town = try await Town(test, SplitMix64(seed: seed))
        for _ in 0..<40 { _ = try await town.act() }
        let pages = town.pages(Self.paths)
        let fresh = TestClient(test.withoutCaches)
        let cached = TestClient(test.services)
        for _ in 0..<Soak.rounds(15, soaking: 2500) {
            let action = try await town.actSeveralTimes()
            for page in pages {
                let (kept, new) = (try await page.get(from: cached), try await page.get(from: fresh))
                try #require(kept == new, "\(page.path) as \(page.name) after \(action), seed \(seed)")
            }
        }
        #expect(town.successes > town.number / 3, "most actions fail, seed \(seed)")
        #expect(engine.statements > 0, "no home page is refreshed, seed \(seed)")
    }

    /// The same after each transaction of the removal of an account.
    @Test func cachedPagesEqualNewOnesDuringARemoval() async throws {
        let test = try TestServices()
        let seed = Soak.seed
        var town = try await Town(test, SplitMix64(seed: seed))
        for _ in 0..<Soak.rounds(80, soaking: 2000) { _ = try await town.act() }
        #expect(town.successes > town.number / 3, "most actions fail, seed \(seed)")
        let pages = town.pages(Self.paths)
        let removed = try await town.removable()
        let fresh = TestClient(test.withoutCaches)
        let cached = TestClient(test.services)
        func compare(_ step: String) async throws {
            for page in pages {
                let (kept, new) = (try await page.get(from: cached), try await page.get(from: fresh))
                try #require(kept == new, "\(page.path) as \(page.name) after \(step), seed \(seed)")
            }
        }
        try await compare("the start")
        try await test.store.moderation.perform(.remove, on: removed)
        var steps = 0
        repeat {
            try await compare("step \(steps)")
            steps += 1
        } while try await test.store.deletion.step(removed) != .finished
        try await compare("the end")
    }

    /// A page as seen by a viewer.
    private struct ViewedPage: Sendable {
        let path: String
        let name: String
        let token: String?

        /// The status, links, entity tag and body of the response.
        func get(from client: TestClient) async throws -> [String] {
            let headers: HTTPFields = token.map { [.authorization: "Bearer " + $0] } ?? [:]
            return try await client.execute(uri: path, method: .get, headers: headers, body: nil) {
                [
                    "\($0.status.code)", $0.headers[.link] ?? "", $0.headers[.eTag] ?? "",
                    String(buffer: $0.body),
                ]
            }
        }
    }

    /// Accounts that do random things.
    private struct Town: Sendable {
        private let store: TestStore
        private let emoji: EmojiCatalog
        private var random: SplitMix64
        private var people: [(account: Account, token: String)] = []
        /// The ids of statuses and boosts, some of which have been deleted.
        private var entries: [Int64] = []
        /// Attached files and their owners.
        private var media: [(file: StoredMedia, owner: Int64)] = []
        /// The ids of statuses with polls, some of which have been deleted.
        private var polls: [Int64] = []
        /// A list of each account.
        private var lists: [AccountList] = []
        /// The number of actions, and of those that were not refused.
        private(set) var number = 0
        private(set) var successes = 0

        init(_ test: TestServices, _ random: SplitMix64) async throws {
            store = test.store
            emoji = test.services.emoji
            self.random = random
            for index in 0..<5 { people.append(try await test.account("user\(index)")) }
            for person in people.dropFirst() {
                try await store.follows.follow(person.account.id, by: people[0].account.id)
            }
            for person in people { lists.append(try await store.list(of: person.account)) }
        }

        /// The last account, which is not among the viewers.
        func removable() async throws -> Int64 {
            let last = people[people.count - 1].account.id
            for person in people { try await store.moderation.perform(.unsuspend, on: person.account.id) }
            return last
        }

        /// Every path for every viewer and for anonymous visitors.
        func pages(_ paths: [String]) -> [ViewedPage] {
            paths.flatMap { path in
                let filled = people.indices.reduce(path) {
                    $0.replacing("{\($1)}", with: String(people[$1].account.id))
                        .replacing("{list\($1)}", with: String(lists[$1].id))
                }.replacing("{old}", with: String(entries[entries.count / 2]))
                let viewers = people.prefix(3).map { ($0.account.username, Optional($0.token)) } + [("nobody", nil)]
                return viewers.map { ViewedPage(path: filled, name: $0.0, token: $0.1) }
            }
        }

        /// Does something up to four times, and mostly what adds entries to a home timeline.
        mutating func actSeveralTimes() async throws -> String {
            var actions: [String] = []
            let isQuiet = Bool.random(using: &random)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                actions.append(try await act(isQuiet ? Int.random(in: 0..<8, using: &random) : nil))
            }
            return actions.joined(separator: ", ")
        }

        /// Does one thing. Refusals by the rules are part of the walk.
        /// - Returns: A description of the step, for messages.
        mutating func act(_ chosen: Int? = nil) async throws -> String {
            try await wait(1000)
            number += 1
            let (one, other) = (person(), person())
            let target = entries.randomElement(using: &random) ?? 0
            let action = chosen ?? Int.random(in: 0..<41, using: &random)
            do {
                try await act(action, one, other, target)
                successes += 1
            } catch let error as FeedError {
                #expect([.notFound, .forbidden, .invalid, .conflict].contains(error.kind), "\(error)")
            }
            return "\(number): action \(action) by \(one.username) on \(target) or \(other.username)"
        }

        private mutating func person() -> Account { people[Int.random(in: people.indices, using: &random)].account }

        private mutating func act(_ action: Int, _ one: Account, _ other: Account, _ target: Int64) async throws {
            switch action {
            case 0..<6: try await post(one, other, replyTo: action < 2 ? target : nil)
            case 6, 7: entries.append(try await store.boosts.boost(target, visibility: nil, by: one.id).pageID)
            case 8: _ = try await store.boosts.unboost(target, by: one.id)
            case 9: _ = try await store.statuses.delete(id: target, by: one.id)
            case 10: _ = try await store.statuses.remove(id: target)
            case 11: try await edit(target, one)
            case 12, 13: try await mark(target, one)
            case 14:
                try await store.follows.follow(
                    other.id, by: one.id, FollowUpdate(showsReblogs: Bool.random(using: &random)))
            case 15: try await store.follows.unfollow(other.id, by: one.id)
            case 16: try await store.blocks.block(other.id, by: one.id)
            case 17: try await store.blocks.unblock(other.id, by: one.id)
            case 18:
                let end = Bool.random(using: &random) ? store.clock.now + 3500 : nil
                try await store.mutes.mute(other.id, by: one.id, Mute(expiresAt: end))
            case 19: try await store.mutes.unmute(other.id, by: one.id)
            case 20:
                let name = "Name \(number) :wave:"
                _ = try await store.accounts.update(one.id) { $0.displayName = name }
            case 21, 22: try await describe()
            case 23..<27: try await changeList(one, other)
            case 27, 28: try await followTag(one)
            case 29: _ = try await store.featuredTags.feature("tag\(number)", by: one.id)
            case 30: try await changeEmoji()
            case 31, 32: try await ask(one)
            case 33, 34: try await vote(one)
            case 35: try await closePolls()
            case 36: try await postLater(one, replyTo: target)
            case 37...39:
                // The home pages of a viewer with filters are read from the database each time.
                let viewer = people[Int.random(in: 1..<3, using: &random)].account
                try await filter(target, viewer)
            default: try await suspendOrImport(other)
            }
        }

        private mutating func post(_ one: Account, _ other: Account, replyTo target: Int64?) async throws {
            let visibility = Visibility.allCases[Int.random(in: 0..<4, using: &random)]
            let tag = ["", " #tag", " #Other :wave:", " :cat: #more #tag"][Int.random(in: 0..<4, using: &random)]
            let name = Int.random(in: 0..<3, using: &random) == 0 ? "@\(other.username) " : ""
            let text = "\(name)post \(number)\(tag)"
            var files: [StoredMedia] = []
            if Int.random(in: 0..<3, using: &random) == 0 { files = [try await store.image(by: one)] }
            entries.append(try await store.post(text, by: one, visibility, replyTo: target, media: files).id)
            for file in files { media.append((file: file, owner: one.id)) }
        }

        /// Publishes a scheduled status, and those of accounts that were suspended until now.
        private func postLater(_ one: Account, replyTo target: Int64) async throws {
            let file = try await store.image(by: one)
            try await store.schedule("later \(number) #tag", by: one, in: 5, replyTo: target, media: [file])
            try await wait(300_000)
            try await store.scheduling.publishDue()
        }

        private mutating func ask(_ one: Account) async throws {
            let draft = PollDraft(
                options: ["a", "b", "c \(number)"], seconds: 300, isMultiple: Bool.random(using: &random),
                hidesTotals: Bool.random(using: &random))
            let visibility = Visibility.allCases[Int.random(in: 0..<4, using: &random)]
            let id = try await store.post("question \(number) #tag", by: one, visibility, poll: draft).id
            entries.append(id)
            polls.append(id)
        }

        private mutating func vote(_ one: Account) async throws {
            guard let poll = polls.randomElement(using: &random) else { return }
            _ = try await store.polls.vote([Int.random(in: 0..<3, using: &random)], in: poll, by: one.id)
        }

        /// Lets milliseconds pass. Filters and mutes that are due then expire, as the maintenance does it.
        private func wait(_ time: Int64) async throws {
            store.clock.now += time
            _ = try await store.filters.logExpired()
            _ = try await store.mutes.removeExpired()
        }

        /// Closes ended polls; sometimes, lets time pass until all have ended.
        private mutating func closePolls() async throws {
            if Bool.random(using: &random) { try await wait(300_000) }
            while try await store.polls.closeNext() {}
        }

        /// Changes the members or the properties of a list; sometimes, deletes it and creates another one.
        private mutating func changeList(_ one: Account, _ other: Account) async throws {
            guard let index = people.firstIndex(where: { $0.account.id == one.id }) else { return }
            let id = lists[index].id
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4: try await store.lists.add([other.id], to: id, of: one.id)
            case 4: try await store.lists.remove([other.id], from: id, of: one.id)
            case 5, 6:
                let policy = AccountList.RepliesPolicy.allCases.randomElement(using: &random)
                let draft = ListDraft(repliesPolicy: policy, isExclusive: Bool.random(using: &random))
                lists[index] = try await store.lists.update(id, of: one.id, draft)
            default:
                // One list remains; the pages of the others keep the old id and must become 404.
                guard index != 0 else { return }
                try await store.lists.delete(id, of: one.id)
                lists[index] = try await store.list(of: one, [one])
            }
        }

        private mutating func followTag(_ one: Account) async throws {
            let tag = ["tag", "other", "more"][Int.random(in: 0..<3, using: &random)]
            if Int.random(in: 0..<3, using: &random) == 0 {
                try await store.tagFollows.unfollow(tag: tag, by: one.id)
            } else {
                try await store.tagFollows.follow(tag: tag, by: one.id)
            }
        }

        /// Adds, replaces or removes custom emoji, which any page may show.
        private mutating func changeEmoji() async throws {
            let chosen = ["wave", "cat", "dog"].filter { _ in Bool.random(using: &random) }
            let seed = UInt8.random(in: 0..<3, using: &random)
            guard emoji.replace(with: EmojiSet(chosen.map { SampleEmoji.make($0, seed) })) else { return }
            try await store.changes.recordEmojiChange()
        }

        /// Changes the description of a file that some status may show.
        private mutating func describe() async throws {
            guard let (file, owner) = media.randomElement(using: &random) else { return }
            var draft = MediaChanges()
            draft.description = "description \(number)"
            _ = try await store.media.update(file.id, of: owner, draft, quota: nil)
        }

        /// Adds, changes or deletes a filter of a viewer. Some expire soon.
        private mutating func filter(_ target: Int64, _ viewer: Account) async throws {
            let filters = try await store.filters.filters(of: viewer.id)
            let filter = filters.randomElement(using: &random)
            var draft = FilterDraft(title: "filter \(number)")
            let contexts: [Filter.Context] = [.home, .public, .account]
            draft.contexts = Array(contexts.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
            draft.expiry = Bool.random(using: &random) ? .never : .at(store.clock.now + 3500)
            let words = ["post", "edit", "tag", "description", String(Int.random(in: 0...9, using: &random))]
            let keyword = FilterDraft.Keyword(
                text: words.randomElement(using: &random), isWholeWord: Bool.random(using: &random))
            switch (Int.random(in: 0..<6, using: &random), filter) {
            case (0, let filter?): try await store.filters.delete(filter.id, of: viewer.id)
            case (1, let filter?): _ = try await store.filters.update(filter.id, of: viewer.id, draft)
            case (2, let filter?): _ = try await store.filters.add(keyword, to: filter.id, of: viewer.id)
            case (3, let filter?): _ = try await store.filters.add(status: target, to: filter.id, of: viewer.id)
            case (4, let filter?):
                guard let first = filter.keywords.first else { return }
                try await store.filters.deleteKeyword(first.id, of: viewer.id, endsFilter: Bool.random(using: &random))
            default:
                draft.keywords = [keyword]
                _ = try await store.filters.create(draft, by: viewer.id)
            }
        }

        private mutating func edit(_ target: Int64, _ one: Account) async throws {
            var draft = StatusDraft(
                text: "edit \(number)" + ["", " #tag", " #more"][Int.random(in: 0..<3, using: &random)])
            draft.visibility = .public
            if Int.random(in: 0..<3, using: &random) == 0 {
                draft.poll = PollDraft(options: ["a", "b", "d"], seconds: 400)
            }
            let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
            _ = try await posting.edit(target, to: draft, by: one)
            if draft.poll != nil { polls.append(target) }
        }

        private mutating func mark(_ target: Int64, _ one: Account) async throws {
            let mark = [StatusMark.favourite, .bookmark, .pin, .conversationMute][Int.random(in: 0..<4, using: &random)]
            _ = try await store.statuses.set(mark, Int.random(in: 0..<3, using: &random) > 0, on: target, by: one.id)
        }

        private mutating func suspendOrImport(_ other: Account) async throws {
            switch Int.random(in: 0..<7, using: &random) {
            case 0:
                try await store.importLines(
                    """
                    {"kind":"status","n":\(number),"author":"\(other.username)","created_at":"2023-01-01T00:00:00Z","text":"old \(number)"}
                    """)
            case 1: try await store.moderation.perform(.suspend, on: other.id)
            case 2: for person in people { try await store.moderation.perform(.unsuspend, on: person.account.id) }
            case 3, 4: try await store.moderation.perform(.silence, on: other.id)
            default: for person in people { try await store.moderation.perform(.unsilence, on: person.account.id) }
            }
        }
    }
}

extension TestServices {
    /// The same services with caches that keep nothing.
    fileprivate var withoutCaches: Services {
        var values = ReloadableSettings.Values()
        (values.site, values.limits) = (services.site.settings.site, services.limits)
        values.limits.cacheBytes = 0
        var site = services.site
        site.settings = ReloadableSettings(values)
        var others = Services(
            stores: services.stores, blobs: services.blobs, login: services.login, site: site, clock: services.clock,
            log: services.log)
        others.emoji = services.emoji
        return others
    }
}
