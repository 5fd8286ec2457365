import FeedCore
import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct ProfileTests {
    /// Otherwise, only followers would find anything.
    @Test func newAccountsAreIndexable() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await store.importLines(#"{"kind":"account","username":"bob"}"#)
        #expect(ada.privacy == .indexable && ada.isFoundByAll)
        #expect(try await store.accounts.account(named: "bob")?.privacy == .indexable)
    }

    @Test func onlyGivenFieldsChange() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        _ = try await store.account("bob")
        let start = try await store.changes.position().sequence
        let rule = ProfileEditing(accounts: store.accounts, limits: Limits())
        var draft = ProfileChanges()
        draft.displayName = "Ada <b>"
        draft.note = "I know @bob\n#maths"
        draft.fields = [.init(name: "Site", value: "https://ada.example/?a=1&b=2"), .init(name: "", value: "")]
        draft.isLocked = true
        draft.defaultVisibility = .unlisted
        draft.defaultLanguage = "de"
        let edited = try await rule.edit(draft, of: ada.id)
        #expect(try await store.accounts.account(id: ada.id) == edited)
        #expect(edited.displayName == "Ada <b>" && edited.isLocked && !edited.isBot && edited.isDiscoverable)
        #expect(edited.note == "I know @bob\n#maths" && edited.noteHTML.contains("href=\"~/@bob\""))
        #expect(edited.fields.map(\.name) == ["Site"])
        #expect(edited.fields[0].html.hasPrefix("<a href=\"https://ada.example/?a=1&amp;b=2\""))
        #expect(edited.defaultVisibility == .unlisted && edited.defaultLanguage == "de" && !edited.defaultSensitive)
        #expect(try await rule.edit(ProfileChanges(), of: ada.id) == edited)
        #expect(try await rule.edit(draft, of: ada.id) == edited)
        var other = ProfileChanges()
        other.isBot = true
        other.defaultLanguage = ""
        var expected = edited
        expected.isBot = true
        expected.defaultLanguage = nil
        #expect(try await rule.edit(other, of: ada.id) == expected)
        #expect(try await store.kinds(after: start) == [.accountUpdated, .accountUpdated])
    }

    @Test func timeZoneThemeAndLanguageAreStoredAndReset() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        #expect(ada.timeZone == nil && ada.theme == nil && ada.language == nil)
        let rule = ProfileEditing(accounts: store.accounts, limits: Limits())
        var draft = ProfileChanges()
        (draft.timeZone, draft.theme, draft.pageLanguage) = ("Asia/Tokyo", "dark", "zh-Hans")
        let edited = try await rule.edit(draft, of: ada.id)
        #expect(edited.timeZone == "Asia/Tokyo" && edited.theme == .dark && edited.language == .chinese)
        #expect(try await store.accounts.account(id: ada.id) == edited)
        #expect(try await rule.edit(ProfileChanges(), of: ada.id) == edited)
        (draft.timeZone, draft.theme, draft.pageLanguage) = ("", "", "")
        let reset = try await rule.edit(draft, of: ada.id)
        #expect(reset.timeZone == nil && reset.theme == nil && reset.language == nil)
    }

    /// Unlocking an account accepts all pending requests.
    @Test func unlockingAcceptsAllPendingRequests() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await store.lock(ada)
        for index in 0..<4 { try await store.follows.follow(ada.id, by: try await store.account("user\(index)").id) }
        #expect(try await store.follows.requestsCount(to: ada.id) == 4)
        try await store.lock(ada, false)
        #expect(try await store.follows.requestsCount(to: ada.id) == 0)
        #expect(try await store.accounts.account(id: ada.id)?.followersCount == 4)
    }
}
