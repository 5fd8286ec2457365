import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

/// Media of statuses, their edits and their deletion.
@Suite(.hangLimit)
struct AttachingTests {
    private static func posting(_ store: TestStore) -> StatusPosting {
        StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
    }

    private static func edit(
        _ status: Status, _ text: String, _ media: [StoredMedia], by author: Account, in store: TestStore,
        _ changes: [Int64: MediaChanges] = [:]
    ) async throws -> Status {
        var draft = StatusDraft(text: text)
        draft.mediaIDs = media.map(\.id)
        draft.mediaChanges = changes
        store.clock.now += 1000
        return try await posting(store).edit(status.id, to: draft, by: author)
    }

    @Test func statusHasItsFilesInTheirOrder() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        var media: [StoredMedia] = []
        for seed in 1...4 { media.append(try await store.image(UInt8(seed), by: ada, "picture \(seed)")) }
        media.reverse()
        let status = try await store.post("", by: ada, media: media)
        let wanted = media.compactMap(\.attachment)
        #expect(status.media == wanted)
        #expect(try await store.statuses.status(id: status.id, for: bob.id)?.media == wanted)
        let page = try await store.timelines.timeline(.public, page: Pagination(limit: 5), for: nil)
        #expect(page.entries.map(\.media) == [wanted])
        let boost = try await store.boosts.boost(status.id, visibility: nil, by: bob.id)
        #expect(boost.media == wanted && boost.boost != nil)
        for one in media { #expect(try await store.media.publicMedia(key: one.key)?.media.statusID == status.id) }
    }

    /// Nothing is stored or attached if one of the files is refused.
    @Test func refusedFilesLeaveEverythingUsable() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let own = try await store.image(1, by: ada)
        let foreign = try await store.image(2, by: bob)
        let taken = try await store.image(3, by: ada)
        try await store.post("first", by: ada, media: [taken])
        let unknown = StoredMedia(id: 99, accountID: ada.id, key: "", createdAt: 0)
        let sequence = try await store.changes.position().sequence
        for other in [foreign, taken, unknown] {
            let refused = await #expect(throws: FeedError.self) {
                try await store.post("no", by: ada, media: [own, other])
            }
            #expect(refused?.kind == .invalid && refused?.message.contains("\(other.id)") == true)
        }
        #expect(try await store.changes.position().sequence == sequence)
        #expect(try await store.post("yes", by: ada, media: [own]).media.count == 1)
    }

    @Test func filesAreReplacedByAnEditAndKeptInTheHistory() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let (first, second) = (try await store.image(1, by: ada, "one"), try await store.image(2, by: ada, "two"))
        let status = try await store.post("v1", by: ada, media: [first])
        var change = MediaChanges()
        change.description = "zwei"
        let edited = try await Self.edit(status, "v1", [second], by: ada, in: store, [second.id: change])
        #expect(edited.media.map(\.description) == ["zwei"] && edited.editedAt != nil)
        let again = try await Self.edit(status, "v1", [second, first], by: ada, in: store)
        #expect(again.media.map(\.id) == [second.id, first.id])
        let bare = try await Self.edit(status, "v1", [], by: ada, in: store)
        #expect(bare.media == [])
        let history = try #require(try await store.edits.history(of: status.id, for: nil)).edits
        #expect(history.map { $0.media.map(\.description) } == [["one"], ["zwei"], ["zwei", "one"], []])
        // Nothing has changed.
        let same = try await Self.edit(status, "v1", [], by: ada, in: store)
        #expect(same == bare)
        // The files of former versions are served, but belong to no other status.
        #expect(try await store.media.publicMedia(key: first.key) != nil)
        let refused = await #expect(throws: FeedError.self) { try await store.post("new", by: ada, media: [first]) }
        #expect(refused?.kind == .invalid)
    }

    @Test func changedDescriptionIsLoggedForItsStatus() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let media = try await store.image(by: ada)
        let sequence = try await store.changes.position().sequence
        var draft = MediaChanges()
        draft.description = "before"
        _ = try await store.media.update(media.id, of: ada.id, draft, quota: nil)
        #expect(try await store.kinds(after: sequence) == [])
        let status = try await store.post("picture", by: ada, media: [media])
        let start = try await store.changes.position().sequence
        draft.description = "after"
        _ = try await store.media.update(media.id, of: ada.id, draft, quota: nil)
        _ = try await store.media.update(media.id, of: ada.id, draft, quota: nil)
        let changes = try await store.changes.changes(after: start, limit: 9)
        #expect(changes.map(\.kind) == [.mediaUpdated] && changes[0].subject == status.id)
        #expect(try await store.statuses.status(id: status.id, for: nil)?.media.map(\.description) == ["after"])
        let refused = await #expect(throws: FeedError.self) { try await store.media.delete(media.id, of: ada.id) }
        #expect(refused?.kind == .invalid)
    }

    /// Delete and redraft.
    @Test func filesOfADeletedStatusGetNewAddresses() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let media = try await store.image(by: ada, "cat")
        let status = try await store.post("picture", by: ada, media: [media])
        store.clock.now += 10 * MediaLimits.unattachedLifetime
        let deleted = try #require(try await store.statuses.delete(id: status.id, by: ada.id))
        #expect(try await store.media.publicMedia(key: media.key) == nil)
        let left = try #require(try await store.media.media(id: media.id, of: ada.id))
        #expect(left.key != media.key && deleted.media == [left.attachment].compactMap(\.self))
        #expect(try await store.post("again", by: ada, media: [left]).media.map(\.description) == ["cat"])
    }

    @Test func filesOfAStatusThatTheOperatorDeletesAreDeleted() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let media = try await store.image(by: ada)
        let status = try await store.post("spam", by: ada, media: [media])
        _ = try await store.statuses.remove(id: status.id)
        #expect(try await store.media.media(id: media.id, of: ada.id) == nil)
        #expect(try await store.files.replaced(of: ada.id, limit: 9).map(\.hash) == media.blobs.map(\.hash))
    }

    @Test func removedAccountLosesItsFilesAndPictures() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let (attached, lost) = (try await store.image(1, by: ada), try await store.image(2, by: ada))
        try await store.post("picture", by: ada, media: [attached])
        _ = try await store.accounts.update(ada.id) {
            ($0.avatar, $0.header) = (.starting("e"), .starting("f"))
        }
        try await store.moderation.perform(.remove, on: ada.id)
        #expect(try await store.deletion.complete(ada.id))
        let wanted = (attached.blobs + lost.blobs).map(\.hash) + ["e", "f"].map { .starting($0) }
        let replaced = try await store.files.replaced(of: ada.id, limit: 99).map(\.hash)
        #expect(Set(replaced) == Set(wanted))
        #expect(try await store.files.used(among: wanted) == [])
    }

    @Test func replacedPicturesOfAProfileAreCollected() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let hashes = ["a", "b", "c"].map { BlobHash.starting($0) }
        _ = try await store.accounts.update(ada.id) { ($0.avatar, $0.header) = (hashes[0], hashes[1]) }
        #expect(try await store.files.used(among: hashes) == [hashes[0], hashes[1]])
        let account = try await store.accounts.update(ada.id) { ($0.avatar, $0.header) = (hashes[2], nil) }
        #expect(account.avatar == hashes[2] && account.header == nil)
        #expect(try await store.files.replaced(of: ada.id, limit: 9).map(\.hash) == [hashes[0], hashes[1]])
    }

    @Test func stillImagesAreStoredAndReplacedWithTheirPictures() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let hashes = ["a", "b", "c", "d"].map { BlobHash.starting($0) }
        let set = try await store.accounts.update(ada.id) {
            ($0.avatar, $0.header) = (hashes[0], hashes[2])
            ($0.avatarStatic, $0.headerStatic) = (hashes[1], hashes[3])
        }
        #expect(set.avatarStatic == hashes[1] && set.headerStatic == hashes[3])
        #expect(try await store.files.used(among: hashes) == Set(hashes))
        try await store.accounts.setAvatar(hashes[2], of: ada.id)
        #expect(try await store.accounts.account(id: ada.id)?.avatarStatic == hashes[2])
        #expect(try await store.files.replaced(of: ada.id, limit: 9).map(\.hash) == [hashes[0], hashes[1]])
        try await store.moderation.perform(.remove, on: ada.id)
        #expect(
            try await store.files.replaced(of: ada.id, limit: 9).map(\.hash)
                == [hashes[0], hashes[1], hashes[2], hashes[3]])
        #expect(try await store.files.used(among: hashes) == [])
    }

    @Test func picturesWithoutAStillImageAreFound() async throws {
        let store = try TestStore()
        let people = [try await store.account("ada"), try await store.account("bob"), try await store.account("eve")]
        _ = try await store.account("zoe")
        for person in people {
            _ = try await store.accounts.update(person.id) { ($0.avatar, $0.header) = (.starting("a"), .starting("b")) }
        }
        #expect(try await store.accounts.withoutStill(after: 0) == nil)
        try await store.database.commits.write {
            try $0.execute("UPDATE account SET avatar_static = NULL WHERE username <> 'ada'")
            try $0.execute("UPDATE account SET header_static = NULL WHERE username = 'ada'")
        }
        try await store.moderation.perform(.suspend, on: people[1].id)
        let first = try #require(try await store.accounts.withoutStill(after: 0))
        #expect(first.username == "ada" && first.avatarStatic != nil && first.headerStatic == nil)
        #expect(try await store.accounts.withoutStill(after: first.id)?.username == "eve")
        #expect(try await store.accounts.withoutStill(after: people[2].id) == nil)
    }
}

/// Timelines of statuses with media.
@Suite(.hangLimit)
struct MediaTimelineTests {
    @Test func onlyStatusesWithMediaAreListed() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let picture = try await store.post("picture #tag", by: ada, media: [try await store.image(1, by: ada)])
        _ = try await store.post("text #tag", by: ada)
        let hidden = try await store.post(
            "hidden #tag", by: ada, .followers, media: [try await store.image(2, by: ada)])
        _ = try await store.boosts.boost(picture.id, visibility: nil, by: bob.id)
        var tags = TagFilter(any: ["tag"])
        tags.onlyMedia = true
        var account = AccountFilter()
        account.onlyMedia = true
        for viewer in [nil, bob.id] {
            for timeline in [Timeline.publicMedia, .tags(tags), .account(ada.id, account)] {
                let page = try await store.timelines.timeline(timeline, page: Pagination(limit: 9), for: viewer)
                #expect(page.entries.map(\.id) == [picture.id], "\(timeline)")
            }
            let boosts = try await store.timelines.timeline(
                .account(bob.id, account), page: Pagination(limit: 9), for: viewer)
            #expect(boosts.entries.isEmpty)
        }
        try await store.follows.follow(ada.id, by: bob.id)
        let page = try await store.timelines.timeline(
            .account(ada.id, account), page: Pagination(limit: 9), for: bob.id)
        #expect(page.entries.map(\.id) == [hidden.id, picture.id])
        account.tag = "tag"
        let tagged = try await store.timelines.timeline(.account(ada.id, account), page: Pagination(limit: 9), for: nil)
        #expect(tagged.entries.map(\.id) == [picture.id])
    }
}
