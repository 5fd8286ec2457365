import FeedAPI
import FeedTerminal
import Foundation
import TestKit
import Testing

@testable import feedclient

@Suite(.hangLimit)
struct RelationshipRendererTests {
    private static func relationship(_ members: String) throws -> Entity.Relationship {
        let json = #"{"id":"1""# + (members.isEmpty ? "" : "," + members) + "}"
        return try JSONDecoder().decode(Entity.Relationship.self, from: Data(json.utf8))
    }

    @Test(
        arguments: [
            ("", "you do not follow each other"), (#""following":true"#, "you follow this account"),
            (#""followed_by":true"#, "follows you"),
            (#""following":true,"followed_by":true,"muting":true"#, "you follow each other · muted by you"),
            (#""requested":true"#, "you do not follow each other · you have asked to follow this account"),
            (
                #""requested_by":true,"blocked_by":true"#,
                "you do not follow each other · asks to follow you · blocks you"
            ),
            (
                #""blocking":true,"muting":true,"muting_expires_at":"2026\u001b[1m","note":"a\nb""#,
                "you do not follow each other · blocked by you · muted by you until 2026[1m · your note: a b"
            ),
        ])
    func relationshipIsDescribed(members: String, text: String) throws {
        #expect(RelationshipRenderer.text(try Self.relationship(members)) == text)
    }

    @Test func accountIsRendered() throws {
        var account = Entity.Account(id: "1", username: "ada", acct: "ada", display_name: "Ada\u{1B}", avatar: nil)
        account.note = "<p>one two</p><p>three</p>"
        (account.statuses_count, account.followers_count, account.bot, account.locked) = (2, 1, true, true)
        account.url = "https://feed.example/@ada"
        let renderer = AccountRenderer(columns: 11, style: TextStyle(hasColor: false))
        let lines = renderer.lines(account, try Self.relationship(#""followed_by":true"#))
        #expect(
            lines == [
                "Ada @ada", "(bot, approves followers)", "one two", "", "three", "follows you", "2 statuses",
                "1 follower", "https://feed.example/@ada",
            ])
        #expect(!renderer.lines(account, nil).contains("follows you"))
    }

    @Test func accountIsOneLinePerParagraphInFiles() throws {
        var account = Entity.Account(id: "1", username: "ada", acct: "ada", display_name: "Zoë", avatar: nil)
        account.note = "<p>" + String(repeating: "wörter ", count: 40) + "</p>"
        (account.statuses_count, account.followers_count) = (2, 1)
        let renderer = AccountRenderer(columns: .max, style: TextStyle(hasColor: false, isASCII: true))
        let note = String(repeating: "worter ", count: 40).trimmingCharacters(in: .whitespaces)
        #expect(renderer.lines(account, nil) == ["Zoe @ada", note, "2 statuses - 1 follower"])
    }
}
