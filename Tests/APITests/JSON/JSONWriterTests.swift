import FeedAPI
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct JSONWriterTests {
    static let texts = [
        "", "plain", "quote \" backslash \\ slash /", "line\nreturn\rtab\tbell\u{7}", "中文 Русский 🎉 e\u{301}",
        String((0..<0x20).compactMap { Unicode.Scalar($0).map(Character.init) }), "\u{2028}\u{7F}\u{9B}",
    ]

    @Test(arguments: texts)
    func stringsRoundTrip(text: String) throws {
        var json = JSONWriter()
        json.array { $0.string(text) }
        #expect(try JSONDecoder().decode([String].self, from: Data(json.bytes)) == [text])
    }

    @Test func commasSeparateMembersAndElements() {
        var json = JSONWriter()
        json.object {
            $0.field("a", 1)
            $0.array("b") {
                $0.int(1)
                $0.object { $0.field("c", true) }
                $0.null()
            }
            $0.empty("d")
            $0.field("e", nil)
            $0.field("f", "x,")
            $0.field("g", id: 5)
        }
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"a":1,"b":[1,{"c":true},null],"d":[],"e":null,"f":"x,","g":"5"}"#)
    }

    @Test(
        arguments: [
            (0, "0.000"), (7, "0.007"), (1500, "1.500"), (-1, "-0.001"), (-12_345, "-12.345"),
            (Int64.max, "9223372036854775.807"), (.min, "-9223372036854775.808"),
        ] as [(Int64, String)])
    func decimalsHaveThreePlaces(thousandths: Int64, text: String) {
        var json = JSONWriter()
        json.array {
            $0.decimal(thousandths: thousandths)
            $0.int(1)
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == "[\(text),1]")
    }

    @Test(
        arguments: [0, 9, 10, -1, -10, 1_234_567_890_123_456_789, .max, .min, .min + 1] as [Int64])
    func numbersAndIDsAreDecimal(number: Int64) {
        var json = JSONWriter()
        json.array {
            $0.int(number)
            $0.int(Int(number))
            $0.id(number)
            $0.object { $0.field("id", id: number) }
        }
        let text = String(number)
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"[\#(text),\#(text),"\#(text)",{"id":"\#(text)"}]"#)
    }

    @Test func timesAndAddressesAreStrings() {
        var json = JSONWriter()
        json.object {
            $0.field("a", time: 1_701_412_795_063)
            $0.field("b", day: -1)
            $0.field("c", time: nil)
            $0.field("d", day: nil)
            $0.key("e")
            $0.address("http://h", "/@", "a\\da", id: 70)
            $0.key("f")
            $0.address("http://h", "/tags/", "%C3%A4")
        }
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"a":"2023-12-01T06:39:55.063Z","b":"1969-12-31","c":null,"d":null,"#
                + #""e":"http://h/@a\\da/70","f":"http://h/tags/%C3%A4"}"#)
    }

    @Test func piecesFormOneString() {
        var json = JSONWriter()
        json.string("http://a\"", "/@", "ada")
        #expect(String(decoding: json.bytes, as: UTF8.self) == #""http://a\"/@ada""#)
    }

    @Test func encodedValuesGetFieldsInTheirGaps() {
        var value = JSONWriter(recordsGaps: true)
        value.object {
            $0.field("a", 1)
            $0.gap()
            $0.object("b") {
                $0.field("c", 2)
                $0.gap()
            }
        }
        var json = JSONWriter()
        json.array {
            $0.encoded(value.bytes)
            $0.encoded(value.bytes, gaps: value.gaps ?? []) { json, gap in json.field("own", gap) }
        }
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"[{"a":1,"b":{"c":2}},{"a":1,"own":0,"b":{"c":2,"own":1}}]"#)
    }

    @Test func onlyThePlaceholderBecomesTheBaseURL() throws {
        var json = JSONWriter()
        json.array { $0.html(#"<a href="~/@ada">~/x</a> &quot;~/y "x"#, base: "http://h") }
        let back = try JSONDecoder().decode([String].self, from: Data(json.bytes))
        #expect(back == [#"<a href="http://h/@ada">~/x</a> &quot;~/y "x"#])
    }
}
