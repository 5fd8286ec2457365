import FeedCore
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct RuleTests {
    @Test(arguments: ["a", "Ada_1", String(repeating: "x", count: 30)])
    func validUsernamesAreAccepted(name: String) throws { try Username.check(name) }

    @Test(arguments: ["", "a b", "ä", "a-b", "@a", "a\u{0}", String(repeating: "x", count: 31), "../x"])
    func invalidUsernamesAreRejected(name: String) { #expect(throws: FeedError.self) { try Username.check(name) } }

    @Test func broadScopeIncludesItsParts() throws {
        let scopes = try ScopeSet(parsing: "read write:statuses")
        #expect(
            scopes.allows(name: "read") && scopes.allows(name: "read:accounts") && scopes.allows(name: "write:statuses")
        )
        #expect(!scopes.allows(name: "write") && !scopes.allows(name: "write:media") && !scopes.allows(name: "readx"))
        #expect(throws: FeedError.self) { try ScopeSet(parsing: "everything") }
        #expect(throws: FeedError.self) { try ScopeSet(parsing: " ") }
    }

    static let good = [
        #"{"kind":"account","username":"ada"}"#, #"{"kind":"follow","from":"a","to":"b"}"#,
        #"{"kind":"status","author":"a","created_at":"2023-01-01T00:00:00Z","text":"x"}"#,
    ]

    @Test(arguments: good)
    func validRecordsAreParsed(line: String) throws {
        _ = try ImportRecord(line: Data(line.utf8), decoder: JSONDecoder())
    }

    @Test(arguments: [
        "", "[]", "nonsense", #"{"kind":"cat"}"#, #"{"kind":"status","author":"a"}"#, #"{"kind":"status","author":5}"#,
        #"{"kind":"account","username":null}"#, #"{"username":"a"}"#,
    ])
    func invalidRecordsAreRejected(line: String) {
        #expect(throws: FeedError.self) { try ImportRecord(line: Data(line.utf8), decoder: JSONDecoder()) }
    }

    @Test func importTimesKeepMilliseconds() throws {
        #expect(try ImportRecord.time("2023-12-01T06:39:55.863Z") == 1_701_412_795_863)
        #expect(try ImportRecord.time("2023-12-01T06:39:55Z") == 1_701_412_795_000)
        #expect(throws: FeedError.self) { try ImportRecord.time("yesterday") }
    }

    @Test func visibilityNamesRoundTrip() {
        for visibility in Visibility.allCases { #expect(Visibility(apiName: visibility.apiName) == visibility) }
        #expect(Visibility(apiName: "secret") == nil)
    }
}
