import FeedAPI
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct ISO8601Tests {
    static let valid: [(String, Int64)] = [
        ("1970-01-01T00:00:00Z", 0), ("2023-12-01T06:39:55.863Z", 1_701_412_795_863),
        ("2000-02-29T23:59:59.9Z", 951_868_799_900), ("2023-12-01T07:39:55+01:00", 1_701_412_795_000),
        ("1969-12-31T23:59:59.000Z", -1000), ("2023-12-01 06:39:55Z", 1_701_412_795_000),
        ("2023-12-01T06:39:55.863123Z", 1_701_412_795_863),
    ]

    @Test(arguments: valid)
    func parsesValidTimes(text: String, time: Int64) { #expect(ISO8601.milliseconds(text) == time) }

    @Test(arguments: [
        "", "2023", "2023-13-01T00:00:00Z", "2023-02-30T00:00:00Z", "2023-12-01T24:00:00Z", "2023-12-01T06:39:55",
        "2023-12-01T06:39:55.Z", "2023-12-01T06:39:55Zx", "20231201T063955Z", "２０２３-12-01T06:39:55Z",
        "2023-12-01T06:39:55+0100",
    ])
    func rejectsInvalidTimes(text: String) { #expect(ISO8601.milliseconds(text) == nil) }

    static let written: [(String, Int64)] =
        valid + [
            ("2023-12-01", 1_701_388_800_000), ("2023-12-01T06:39", 1_701_412_740_000),
            ("2023-12-01 06:39", 1_701_412_740_000), ("2023-12-01t06:39:55", 1_701_412_795_000),
            ("2023-12-01T06:39Z", 1_701_412_740_000), ("2023-12-01 06:39 UTC", 1_701_412_740_000),
            ("2023-12-01T07:39:55.863+0100", 1_701_412_795_863), ("2023-12-01T07:39:55+01", 1_701_412_795_000),
            ("2023-12-01T01:09:55-05:30", 1_701_412_795_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("0001-01-01", -62_135_596_800_000),
        ]

    @Test(arguments: written)
    func parsesWrittenTimes(text: String, time: Int64) { #expect(ISO8601.milliseconds(written: text) == time) }

    @Test(arguments: [
        "", "now", "tomorrow", "2023", "2023-12", "2023-13-01", "2023-02-30", "2023-12-01T", "2023-12-01T24:00",
        "2023-12-01T06", "2023-12-01T06:60", "2023-12-01T06:39:55.", "2023-12-01T06:39:55Zx", "20231201T063955Z",
        "２０２３-12-01", "2023-12-01T06:39:55+24:00", "2023-12-01T06:39:55+1:00", "2023-12-01T06:39 CET", "1701412795",
        " 2023-12-01", "2023-12-01\n", "+2h", "2023-12-01T06:39:55.00000000000000000000000000Z", "12023-12-01",
    ])
    func rejectsWrittenTimes(text: String) { #expect(ISO8601.milliseconds(written: text) == nil) }

    @Test func timeWithoutAnOffsetIsInTheGivenZone() {
        let zone = { (local: Int64) -> Int64 in local == 1_701_412_740_000 ? 3_600_000 : 0 }
        #expect(ISO8601.milliseconds(written: "2023-12-01T06:39", zone: zone) == 1_701_409_140_000)
        #expect(ISO8601.milliseconds(written: "2023-12-01T06:39Z", zone: zone) == 1_701_412_740_000)
        #expect(ISO8601.milliseconds(written: "2023-12-01T06:39+00", zone: zone) == 1_701_412_740_000)
    }

    @Test func timesRoundTripOverTwoCenturies() {
        for day in stride(from: Int64(-30_000), through: 60_000, by: 37) {
            let time = day * 86_400_000 + 3_723_004
            #expect(ISO8601.milliseconds(ISO8601.text(milliseconds: time)) == time)
        }
    }

    /// No time that a database can hold ends the process.
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
            (253_402_300_800_000, "10000-01-01T00:00:00.000Z"), (-62_198_755_200_000, "-0001-01-01T00:00:00.000Z"),
            (Int64.max, "292278994-08-17T07:12:55.807Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
        ] as [(Int64, String)])
    func formatsDistantTimes(time: Int64, text: String) {
        #expect(ISO8601.text(milliseconds: time) == text)
        var json = JSONWriter()
        json.day(time)
        #expect(json.bytes.elementsEqual("\"\(text.prefix { $0 != "T" })\"".utf8))
    }

    @Test func formatsClassicTimes() {
        #expect(ISO8601.classicText(milliseconds: 1_701_412_795_863) == "2023-12-01 06:39:55")
    }

    @Test func linkHeadersRoundTrip() {
        let links = LinkHeader(next: "http://h/a?max_id=1", previous: "http://h/a?min_id=2")
        #expect(links.value == "<http://h/a?max_id=1>; rel=\"next\", <http://h/a?min_id=2>; rel=\"prev\"")
        #expect(LinkHeader(links.value ?? "") == links)
        #expect(LinkHeader().value == nil)
        #expect(LinkHeader("nonsense, <x, >y<") == LinkHeader())
    }

    static let links: [(value: String, next: String?, previous: String?)] = [
        ("<n>; rel=next, <p>; rel=prev", "n", "p"), ("<n>; REL=\"NEXT\"", "n", nil), ("<n>;rel = next", "n", nil),
        ("<n>; rel=\"last next\"", "n", nil), ("<b>; rel=\"prev next\"", "b", "b"), ("<p>; rel=previous", nil, "p"),
        ("<n,x;y>; title=\"a, b; \\\" <z>; rel=prev\"; rel=\"next\"", "n,x;y", nil),
        ("<a>; rel=\"nextish\", <n>; rel=next", "n", nil), ("<a>; rel=prev; rel=next, <n>; foo; rel=next", "n", "a"),
        ("<n>; rel=next; anchor=\"#x\"", nil, nil), ("<n>; rel=\"next", "n", nil), ("<n>; title=\"open", nil, nil),
        (", ,<n>; rel=next,", "n", nil), ("<n>; rel=next; title*=UTF-8''x%2c", "n", nil), ("<n", nil, nil),
        ("<n>", nil, nil),
    ]

    @Test(arguments: links) func linksAreReadAsTheirSpecificationSays(
        row: (value: String, next: String?, previous: String?)
    ) {
        #expect(LinkHeader(row.value) == LinkHeader(next: row.next, previous: row.previous))
    }

    /// U+0600 forms one character with the delimiter behind it, a mark with the one before it.
    @Test(arguments: [
        "<http://h/\u{600}>; rel=\"next\", <http://h/b>; rel=\"prev\"",
        "<http://h/\u{600}>; rel=\"next\" \u{600}, <http://h/b>; rel=\"prev\"",
        "<http://h/\u{600}>\u{301}; rel=\"next\"\u{301},\u{301}<http://h/b>;rel=\"prev\"\u{301}",
    ])
    func delimitersOfLinkHeadersAreFoundBesideMarks(value: String) {
        #expect(LinkHeader(value) == LinkHeader(next: "http://h/\u{600}", previous: "http://h/b"))
    }
}
