import FeedAPI
import FeedTerminal
import Foundation
import TestKit
import Testing

@testable import feedclient

@Suite(.hangLimit)
struct AccountRendererTests {
    private static func account(_ more: String) throws -> Entity.Account {
        let json = #"{"id":"1","username":"ada","acct":"ada","display_name":"Ada","note":"<p>Hi</p>"\#(more)}"#
        return try JSONDecoder().decode(Entity.Account.self, from: Data(json.utf8))
    }

    private static func lines(_ account: Entity.Account, columns: Int = 40) -> [String] {
        AccountRenderer(columns: columns, style: TextStyle(hasColor: false)).lines(account, nil)
    }

    /// Values are HTML of any server; ✓ marks a verified link.
    @Test func tableIsShown() throws {
        let account = try Self.account(
            #","fields":[{"name":"Web","value":"<a href=\"https://a.test/\">a.test</a>","verified_at":"2026-01-01T00:00:00Z"},"#
                + #"{"name":"\u001b[31mPet","value":"a cat that likes to sleep on keyboards","verified_at":null}]"#)
        #expect(
            Self.lines(account) == [
                "Ada @ada", "Hi", "Web: a.test ✓", "[31mPet: a cat that likes to sleep on", "keyboards",
            ])
        #expect(Self.lines(account, columns: .max).last == "[31mPet: a cat that likes to sleep on keyboards")
        for more in ["", #","fields":null"#, #","fields":[]"#, #","fields":"x""#, #","fields":[7,{"name":"a"}]"#] {
            #expect(Self.lines(try Self.account(more)) == ["Ada @ada", "Hi"], "\(more)")
        }
    }

    @Test(arguments: [
        (1, "1 status · 1 follower · 1 following"), (0, "0 statuses · 0 followers · 0 following"),
        (2, "2 statuses · 2 followers · 2 following"),
    ])
    func countsAgreeWithTheirNouns(count: Int, text: String) throws {
        let names = ["statuses_count", "followers_count", "following_count"]
        let account = try Self.account(names.map { #","\#($0)":\#(count)"# }.joined())
        #expect(Self.lines(account).last == text)
    }
}
