import FeedAPI
import FeedClientKit
import TestKit
import Testing

@testable import feedclient

/// `profile --set KEY=VALUE`.
@Suite(.hangLimit)
struct ProfileSettingTests {
    private static func draft(_ texts: [String], fields: [Entity.Profile.Field]? = nil) throws -> ProfileChanges {
        var draft = ProfileChanges()
        draft.fields = fields
        for text in texts { try ProfileSetting(text).apply(to: &draft) }
        return draft
    }

    @Test func valuesAreAssigned() throws {
        let draft = try Self.draft([
            "display_name=Ada = first", "note=", "locked=true", "bot=no", "avatar=me.png", "header=",
            "privacy=unlisted", "language=de", "sensitive=1",
        ])
        #expect(draft.displayName == "Ada = first" && draft.note == "")
        #expect(draft.isLocked == true && draft.isBot == false && draft.isSensitive == true)
        #expect(draft.isDiscoverable == nil && draft.fields == nil)
        #expect(draft.avatar == .file("me.png") && draft.header == .removed)
        #expect(draft.visibility == "unlisted" && draft.language == "de")
    }

    @Test func rowsAreChangedAddedAndRemoved() throws {
        let rows = [("Web", "a"), ("Mail", "b")].map { Entity.Profile.Field(name: $0.0, value: $0.1) }
        let changed = try Self.draft(["field.web=c", "field.Mail=", "field.New=d=e", "field.None="], fields: rows)
        #expect(changed.fields == [.init(name: "Web", value: "c"), .init(name: "New", value: "d=e")])
        #expect(try Self.draft(["field.Web=", "field.Mail="], fields: rows).fields == [])
    }

    @Test(arguments: ["display_name", "=x", "nonsense=1", "locked=maybe", "privacy=direct", "field.=x", ""])
    func impossibleChangesAreUsageErrors(text: String) {
        #expect(throws: FeedClientError.self) { _ = try Self.draft([text]) }
    }

    @Test func everyKeyHasAnEffect() throws {
        for key in ProfileSetting.keys {
            let value = key == "privacy" ? "private" : "true"
            #expect(try Self.draft(["\(key)=\(value)"]) != ProfileChanges(), "\(key)")
        }
    }
}
