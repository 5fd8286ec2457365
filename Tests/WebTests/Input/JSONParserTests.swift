import FeedCore
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// JSON bodies (RFC 8259): valid ones are read, all others rejected.
@Suite(.hangLimit)
struct JSONParserTests {
    private static func read(_ bytes: [UInt8]) throws -> RequestParameters {
        try bytes.withUnsafeBufferPointer { try JSONParser.read($0) }
    }

    private static func read(_ text: String) throws -> RequestParameters { try read(Array(text.utf8)) }

    @Test(arguments: [
        (#"{"a":"x"}"#, "x"), (" \t\r\n{ \"a\" : \"x\" } \n", "x"), (#"{"a":"\u00e9\n\"\\\/"}"#, "é\n\"\\/"),
        (#"{"a":"\ud83d\ude00"}"#, "😀"), (#"{"a":"😀"}"#, "😀"), (#"{"\u0061":"x"}"#, "x"), (#"{"a":0}"#, "0"),
        (#"{"a":-0}"#, "-0"), (#"{"a":9223372036854775808}"#, "9223372036854775808"), (#"{"a":1.50}"#, "1.50"),
        (#"{"a":1e400}"#, "1e400"), (#"{"a":-12.5E-3}"#, "-12.5E-3"), (#"{"a":true}"#, "true"),
        (#"{"a":false}"#, "false"), (#"{"b":{"a":1},"a":"x"}"#, "x"), (#"{"a":"x","a":"y"}"#, "y"), (#"{"a":""}"#, ""),
        (#"{"a":"\u007f"}"#, "\u{7F}"), (#"{"a":"\ufeff"}"#, "\u{FEFF}"),
    ])
    func valuesAreReadVerbatim(json: String, expected: String) throws {
        let found = try #require(try Self.read(json)["a"])
        #expect(Array(found.utf8) == Array(expected.utf8))
    }

    @Test func objectsAndArraysBecomeFormFields() throws {
        let values = try Self.read(
            #"{"poll":{"options":["x","y"],"expires_in":60},"fields":[{"name":"n","value":"v"},{"name":"m"}],"#
                + #""media_ids":["1",2,true,null],"none":[],"nothing":{},"deep":{"a":{"b":{"c":{"d":1},"e":2}}}}"#)
        #expect(values.all("poll[options]") == ["x", "y"] && values["poll[expires_in]"] == "60")
        #expect(try values.objects("fields") == [["name": "n", "value": "v"], ["name": "m"]])
        #expect(values.all("media_ids") == ["1", "2", "true"])
        #expect(values.isEmptyList("none") && values.isEmptyList("nothing") && !values.isEmptyList("absent"))
        #expect(values["deep[a][b][e]"] == "2" && !values.hasMembers(of: "deep[a][b][c]"))
    }

    static let refused = [
        "", " ", "{", "}", "[]", "[1]", "\"a\"", "1", "null", "{}x", "{}{}", "{\"a\"}", "{\"a\":}", "{a:1}", "{'a':1}",
        #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1 "b":2}"#, #"{"a":[1,]}"#, #"{"a":[,1]}"#, #"{"a":[1 2]}"#, #"{"a":[1}"#,
        #"{"a":{"b":1]}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":-}"#, #"{"a":1e}"#,
        #"{"a":1e+}"#, #"{"a":0x1}"#, #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":tru}"#, #"{"a":True}"#,
        #"{"a":nullx}"#, #"{"a":"x}"#, "{\"a\":\"x\ny\"}", "{\"a\":\"\t\"}", #"{"a":"\x41"}"#, #"{"a":"\u12"}"#,
        #"{"a":"\u12G4"}"#, #"{"a":"\ud800"}"#, #"{"a":"\udc00"}"#, #"{"a":"\ud800\ud800"}"#, #"{"a":"\ud800x"}"#,
        #"{"a":1} /* no */"#, "// no\n{}", "\u{FEFF}{}", #"{"a":1}"# + "\u{0}",
        String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40),
        #"{"a":"# + String(repeating: "[", count: 100_000), #"{"a\#(String(repeating: "x", count: 200))":1}"#,
    ]

    @Test(arguments: refused)
    func invalidJSONIsRejected(json: String) {
        let error = #expect(throws: FeedError.self) { try Self.read(json) }
        #expect(error?.kind == .malformed)
    }

    @Test(
        arguments: [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func invalidUTF8IsRejected(bytes: [UInt8]) {
        #expect(throws: FeedError.self) { try Self.read(Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)) }
        #expect(throws: FeedError.self) { try Self.read(Array(#"{"a":"\n"#.utf8) + bytes + Array(#""}"#.utf8)) }
    }

    /// A body that would block an event loop for a tenth of a second if it were read completely. Its end, which is not
    /// JSON, is never reached.
    @Test func excessiveValuesAreRejectedEarly() {
        let body = #"{"a":["# + Array(repeating: #"{"b":1}"#, count: 30_000).joined(separator: ",") + "x"
        let error = #expect(throws: FeedError.self) { try Self.read(body) }
        #expect(error?.kind == .tooLarge)
    }

    @Test(arguments: [#"{"a":"x\u0000y"}"#, #"{"a\u0000":"x"}"#, #"{"a":{"b":["\u0000"]}}"#])
    func nulIsDetected(json: String) throws {
        let error = #expect(throws: FeedError.self) { try Self.read(json).withoutNUL() }
        #expect(error?.kind == .invalid)
    }
}
