import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

/// Attachments that belong to no status.
@Suite(.hangLimit)
struct MediaStoreTests {
    @Test func attachmentIsStoredAndChanged() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let media = try await store.image(by: ada, "a cat")
        #expect(try await store.media.media(id: media.id, of: ada.id) == media)
        #expect(try await store.media.media(id: media.id, of: bob.id) == nil)
        #expect(try await store.media.publicMedia(key: media.key)?.media == media)
        #expect(try await store.media.publicMedia(key: "guess") == nil)
        let attachment = try #require(media.attachment)
        #expect(attachment.path == "/media/\(media.key)/image.png" && attachment.description == "a cat")
        #expect(attachment.meta == MediaMeta(width: 16, height: 9, thumbnailWidth: 4, thumbnailHeight: 3))
        var draft = MediaChanges()
        draft.description = ""
        draft.focus = MediaFocus(x: -0.25, y: 1)
        let changed = try await store.media.update(media.id, of: ada.id, draft, quota: nil)
        #expect(changed.description == nil && changed.focus == MediaFocus(x: -0.25, y: 1))
        #expect(try await store.media.media(id: media.id, of: ada.id) == changed)
        let refused = await #expect(throws: FeedError.self) {
            try await store.media.update(media.id, of: bob.id, draft, quota: nil)
        }
        #expect(refused?.kind == .notFound)
    }

    @Test func replacedThumbnailIsCollected() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let media = try await store.image(by: ada)
        let name = try #require(media.attachment?.previewPath)
        var draft = MediaChanges()
        draft.thumbnail = StoredMedia.Thumbnail(
            blob: Blob(hash: .starting("", "c"), size: 20), format: .webp)
        let changed = try await store.media.update(media.id, of: ada.id, draft, quota: nil)
        // Addresses are immutable, so the new thumbnail has another one.
        #expect(changed.attachment?.previewPath != name && changed.attachment?.previewPath?.hasSuffix(".webp") == true)
        let replaced = try await store.files.replaced(of: ada.id, limit: 9)
        #expect(replaced.map(\.hash) == media.blobs.suffix(1).map(\.hash))
    }

    @Test func deletedAttachmentsAreCollected() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let media = try await store.image(by: ada)
        let refused = await #expect(throws: FeedError.self) { try await store.media.delete(media.id, of: bob.id) }
        #expect(refused?.kind == .notFound)
        try await store.media.delete(media.id, of: ada.id)
        #expect(try await store.media.media(id: media.id, of: ada.id) == nil)
        #expect(try await store.files.replaced(of: ada.id, limit: 9).map(\.hash) == media.blobs.map(\.hash))
        #expect(try await store.files.used(among: media.blobs.map(\.hash)) == [])
    }

    @Test func unattachedMediaExpiresAfterADay() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let lost = try await store.image(1, by: ada)
        let attached = try await store.image(2, by: ada)
        try await store.post("picture", by: ada, media: [attached])
        store.clock.now += MediaLimits.unattachedLifetime - 1
        #expect(try await store.media.removeExpired() == 0)
        #expect(try await store.media.publicMedia(key: lost.key) != nil)
        store.clock.now += 1
        // At once, and not only when the row is deleted.
        #expect(try await store.media.publicMedia(key: lost.key) == nil)
        #expect(try await store.media.media(id: lost.id, of: ada.id) == nil)
        let refused = await #expect(throws: FeedError.self) { try await store.post("late", by: ada, media: [lost]) }
        #expect(refused?.kind == .invalid)
        #expect(try await store.media.removeExpired() == 1)
        #expect(try await store.media.removeExpired() == 0)
        #expect(try await store.files.replaced(of: ada.id, limit: 9).map(\.hash) == lost.blobs.map(\.hash))
        #expect(try await store.media.publicMedia(key: attached.key) != nil)
    }

    @Test func attachmentsOfSuspendedAccountsAreHiddenAtOnce() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let media = try await store.image(by: ada)
        try await store.post("picture", by: ada, media: [media])
        try await store.moderation.perform(.suspend, on: ada.id)
        #expect(try await store.media.publicMedia(key: media.key) == nil)
        try await store.moderation.perform(.unsuspend, on: ada.id)
        #expect(try await store.media.publicMedia(key: media.key) != nil)
    }

    @Test func attachmentsCountAgainstTheQuota() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        _ = try await store.image(1, by: ada, size: 500, quota: 600)
        #expect(try await store.files.bytes(of: ada.id) == 510)
        let refused = await #expect(throws: FeedError.self) {
            try await store.image(2, by: ada, size: 81, quota: 600)
        }
        #expect(refused?.kind == .quota)
        _ = try await store.image(2, by: ada, size: 80, quota: 600)
        let file = StoredFile(
            name: "a", ownerID: ada.id, blob: Blob(hash: .starting("", "0"), size: 1),
            type: "text/plain",
            modifiedAt: 1)
        let full = await #expect(throws: FeedError.self) { try await store.files.add([file], quota: 600) }
        #expect(full?.kind == .quota)
    }
}

/// Uploads that are processed after the response.
@Suite(.hangLimit)
struct PendingMediaTests {
    private static let processed = ProcessedMedia(
        format: .mp4, meta: MediaMeta(width: 640, height: 360, milliseconds: 1500),
        content: Blob(hash: .starting("", "d"), size: 9))

    @Test func pendingUploadIsCompleted() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        var draft = MediaChanges()
        draft.description = "a film"
        let pending = try await store.media.create(nil, draft, by: ada.id, quota: nil)
        #expect(pending.attachment == nil && !pending.hasFailed(at: store.clock.now))
        let early = await #expect(throws: FeedError.self) { try await store.post("soon", by: ada, media: [pending]) }
        #expect(early?.kind == .invalid && early?.message.contains("not finished processing") == true)
        let done = try #require(try await store.media.complete(pending.id, Self.processed, MediaChanges(), quota: nil))
        #expect(done.attachment?.kind == .video && done.description == "a film" && done.key == pending.key)
        #expect(try await store.media.complete(pending.id, Self.processed, MediaChanges(), quota: nil) == nil)
        #expect(try await store.post("now", by: ada, media: [done]).media == [done.attachment].compactMap(\.self))
    }

    @Test func thumbnailSentMeanwhileIsKept() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let pending = try await store.media.create(nil, MediaChanges(), by: ada.id, quota: nil)
        func draft(_ digit: Character) -> MediaChanges {
            var draft = MediaChanges()
            draft.thumbnail = .init(blob: Blob(hash: .starting("", digit), size: 5), format: .png)
            return draft
        }
        _ = try await store.media.update(pending.id, of: ada.id, draft("a"), quota: nil)
        let done = try await store.media.complete(pending.id, Self.processed, draft("b"), quota: nil)
        #expect(done?.thumbnail == draft("a").thumbnail)
        let replaced = try await store.files.replaced(of: ada.id, limit: 9)
        #expect(replaced.map(\.hash) == [.starting("b", "b")])
    }

    @Test func pendingUploadFails() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let pending = try await store.media.create(nil, MediaChanges(), by: ada.id, quota: nil)
        try await store.media.fail(pending.id, "broken")
        let failed = try #require(try await store.media.media(id: pending.id, of: ada.id))
        #expect(failed.failure == "broken" && failed.hasFailed(at: store.clock.now))
        let lost = try await store.media.create(nil, MediaChanges(), by: ada.id, quota: nil)
        // The server that processed it has ended.
        #expect(lost.hasFailed(at: store.clock.now + MediaLimits.processingTime))
    }

    @Test func uploadDeletedMeanwhileIsNotCompleted() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let pending = try await store.media.create(nil, MediaChanges(), by: ada.id, quota: nil)
        try await store.media.delete(pending.id, of: ada.id)
        #expect(try await store.media.complete(pending.id, Self.processed, MediaChanges(), quota: nil) == nil)
    }
}
