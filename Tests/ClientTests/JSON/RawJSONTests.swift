import Foundation
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct RawJSONTests {
    /// Commas, brackets and quotes in strings are text.
    @Test(arguments: [
        ("{}", 2), ("[1,2]", 3), (#"{"a":[1,{}],"b":"[,{\",\\"}"#, 6), (#"[",",""]"#, 3), (#"["\\",1]"#, 3),
    ])
    func valuesAreCounted(_ text: String, count: Int) {
        #expect(RawJSON.hasValues(atMost: count, text.utf8) && !RawJSON.hasValues(atMost: count - 1, text.utf8))
    }

    @Test(
        arguments: [
            ("[]", []), ("[ ]", []), ("[1, {\"a\":[1,2]} ,\"x,]\" , null]", ["1", "{\"a\":[1,2]}", "\"x,]\"", "null"]),
            ("[{\"a\":\"\\\"]\"},{}]", ["{\"a\":\"\\\"]\"}", "{}"]),
        ] as [(String, [String])])
    func arraysAreSplitIntoElements(json: String, parts: [String]) {
        let found = RawJSON.elements(of: Array(json.utf8)).map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        }
        #expect(found == parts)
    }

    @Test func jsonOnOneLineIsEquivalent() throws {
        let json = "{ \"a\" : \"x \\\" \\\\\",\n\"b\": [1 , \"\u{202E}\u{9B}é\"] }"
        let line = RawJSON.line(Array(json.utf8))
        #expect(!line.contains("\n") && line.contains("\\u202e\\u009bé"))
        let one = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
        let other = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
        #expect(one == other)
    }
}
