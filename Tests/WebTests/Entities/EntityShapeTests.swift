import Foundation
import Testing

/// The checker itself detects faults.
@Suite struct EntityShapeTests {
    private static let good = #"{"id":"1","username":"ada","acct":"ada","url":"http://feed.test/@ada"}"#

    static let rows: [(json: String, problem: String?)] = [
        (good, nil),
        (#"{"id":1,"username":"ada","acct":"ada","url":"http://feed.test/@ada"}"#, "mention.id is no id"),
        (#"{"id":"x","username":"ada","acct":"ada","url":"http://feed.test/@ada"}"#, "mention.id is no id"),
        (#"{"id":"01","username":"ada","acct":"ada","url":"http://feed.test/@ada"}"#, "mention.id is no id"),
        (#"{"id":"1","username":null,"acct":"ada","url":"http://feed.test/@ada"}"#, "mention.username is no text"),
        (#"{"id":"1","acct":"ada","url":"http://feed.test/@ada"}"#, "mention.username is missing"),
        (#"{"id":"1","username":"ada","acct":"ada","url":"/@ada"}"#, "mention.url is no address"),
        (
            #"{"id":"1","username":"ada","acct":"ada","url":"http://feed.test/@ada","password":"x"}"#,
            "mention.password is not documented"
        ),
    ]

    @Test(arguments: rows)
    func problemsAreDetected(row: (json: String, problem: String?)) throws {
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(row.json.utf8))
        let problems = EntityShape.mention.check(json)
        if let problem = row.problem {
            #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
        } else {
            #expect(problems.isEmpty, "\(problems)")
        }
    }

    static let values: [(shape: Shape, json: String, isRight: Bool)] = [
        (.time, #""2024-01-31T23:59:59.999Z""#, true), (.time, #""2024-01-31T23:59:59Z""#, false),
        (.time, #""2024-01-31T23:59:59.999+00:00""#, false), (.time, "1", false), (.day, #""2024-01-31""#, true),
        (.day, #""2024-01-31T00:00:00.000Z""#, false), (.flag, "true", true), (.flag, "1", false),
        (.flag, #""true""#, false), (.count, "0", true), (.count, "-1", false), (.count, "1.5", false),
        (.count, "true", false), (.integer, "-1", true), (.orNull(.text), "null", true), (.text, "null", false),
        (.list(.count), "[1,2]", true), (.list(.count), "[1,null]", false), (.list(.count), "null", false),
        (.emptyList, "[]", true), (.emptyList, "[1]", false), (.emptyObject, "{}", true),
        (.emptyObject, "[]", false), (.word(["a"]), #""a""#, true), (.word(["a"]), #""b""#, false),
        (.object(["a": .own(.flag)]), "{}", false), (.object(["a": .may(.flag)]), "{}", true),
        (.webSocket, #""ws://x""#, true), (.webSocket, #""http://x""#, false), (.null, "0", false),
    ]

    @Test(arguments: values)
    func typesAreChecked(row: (shape: Shape, json: String, isRight: Bool)) throws {
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(row.json.utf8))
        #expect(row.shape.check(json, hasToken: true).isEmpty == row.isRight)
    }

    @Test func viewerMembersRequireAToken() throws {
        let shape = Shape.object(["a": .own(.flag)])
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(#"{"a":true}"#.utf8))
        #expect(shape.check(json, hasToken: true).isEmpty)
        #expect(shape.check(json, hasToken: false) == [".a is there without a token"])
    }

    @Test func repeatedKeysAreDetected() {
        #expect(RepeatedKeys.find(in: #"{"a":1,"b":{"a":[{"c":"x:\"c\":"},{"c":2}]}}"#.utf8).isEmpty)
        #expect(RepeatedKeys.find(in: #"{"a":1,"b":{"c":1,"c":2},"a":3}"#.utf8) == ["c", "a"])
    }
}
