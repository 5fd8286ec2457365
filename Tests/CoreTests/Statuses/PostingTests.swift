import FeedCore
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15)))
struct RuleTests {
    @Test(arguments: ["a", "Ada_1", String(repeating: "x", count: 30)])
    func goodNames(name: String) throws { try Username.check(name) }

    @Test(arguments: ["", "a b", "ä", "a-b", "@a", "a\u{0}", String(repeating: "x", count: 31), "../x"])
    func badNames(name: String) { #expect(throws: FeedError.self) { try Username.check(name) } }

    @Test func scopesGrantTheirParts() throws {
        let scopes = try Scopes(parsing: "read write:statuses")
        #expect(
            scopes.allows(word: "read") && scopes.allows(word: "read:accounts") && scopes.allows(word: "write:statuses")
        )
        #expect(!scopes.allows(word: "write") && !scopes.allows(word: "write:media") && !scopes.allows(word: "readx"))
        #expect(throws: FeedError.self) { try Scopes(parsing: "everything") }
        #expect(throws: FeedError.self) { try Scopes(parsing: " ") }
    }

    static let good = [
        #"{"kind":"account","username":"ada"}"#, #"{"kind":"follow","from":"a","to":"b","extra":1}"#,
        #"{"kind":"status","author":"a","created_at":"2023-01-01T00:00:00Z","text":"x","n":1}"#,
    ]

    @Test(arguments: good)
    func readsRecords(line: String) throws { _ = try ImportRecord(line: Data(line.utf8), decoder: JSONDecoder()) }

    @Test(arguments: [
        "", "[]", "nonsense", #"{"kind":"cat"}"#, #"{"kind":"status","author":"a"}"#, #"{"kind":"status","author":5}"#,
        #"{"kind":"account","username":null}"#, #"{"username":"a"}"#,
    ])
    func refusesRecords(line: String) {
        #expect(throws: FeedError.self) { try ImportRecord(line: Data(line.utf8), decoder: JSONDecoder()) }
    }

    @Test func importTimesKeepMilliseconds() throws {
        #expect(try ImportRecord.time("2023-12-01T06:39:55.863Z") == 1_701_412_795_863)
        #expect(try ImportRecord.time("2023-12-01T06:39:55Z") == 1_701_412_795_000)
        #expect(throws: FeedError.self) { try ImportRecord.time("yesterday") }
    }

    @Test func visibilityWords() {
        for visibility in Visibility.allCases { #expect(Visibility(word: visibility.word) == visibility) }
        #expect(Visibility(word: "secret") == nil)
    }
}
