import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

@Suite(.hangLimit)
struct MuteTests {
    @Test func mutingAgainUpdatesTheMute() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        let start = try await store.changes.position().sequence
        let until = store.clock.now + 60_000
        let mutes = [
            Mute(), Mute(), Mute(hidesNotifications: false), Mute(hidesNotifications: false, expiresAt: until),
            Mute(hidesNotifications: false, expiresAt: until), Mute(),
        ]
        for mute in mutes {
            try await store.mutes.mute(bob.id, by: ada.id, mute)
            #expect(try await store.mutes.mutes(of: ada.id, page: Pagination(limit: 9)).map(\.mute) == [mute])
            #expect(try await store.relationships.relationships(of: ada.id, to: [bob.id]).map(\.mute) == [mute])
        }
        for _ in 0..<2 { try await store.mutes.unmute(bob.id, by: ada.id) }
        #expect(try await store.mutes.mutes(of: ada.id, page: Pagination(limit: 9)).isEmpty)
        #expect(try await store.kinds(after: start) == [.muted, .muted, .muted, .muted, .unmuted])
    }

    /// A mute has no effect once it expires; the change log records the end when the row is deleted.
    @Test func muteExpires() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        var others: [Account] = []
        for index in 0..<3 { others.append(try await store.account("user\(index)")) }
        for (index, other) in others.enumerated() {
            let expiry = index == 2 ? nil : store.clock.now + 1000 * Int64(index + 1)
            try await store.mutes.mute(other.id, by: ada.id, Mute(expiresAt: expiry))
        }
        func muted() async throws -> [Int64] {
            try await store.relationships.relationships(of: ada.id, to: others.map(\.id))
                .filter { $0.mute != nil }.map(\.id)
        }
        let start = try await store.changes.position().sequence
        #expect(try await store.mutes.removeExpired() == 0)
        for ended in 1...2 {
            store.clock.now += 1000
            #expect(try await muted() == others[ended...].map(\.id))
            #expect(try await store.mutes.mutes(of: ada.id, page: Pagination(limit: 9)).count == 3 - ended)
            #expect(try await store.kinds(after: start).count == ended - 1)
            #expect(try await store.mutes.removeExpired() == 1)
            #expect(try await store.mutes.removeExpired() == 0)
            #expect(try await store.kinds(after: start).count == ended)
        }
        let rows = try await store.changes.changes(after: start, limit: 9)
        #expect(rows.map(\.kind) == [.unmuted, .unmuted])
        #expect(rows.map(\.subject) == others[..<2].map(\.id) && rows.allSatisfy { $0.account == ada.id })
        #expect(try await muted() == [others[2].id])
    }
}
