import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct BlurhashColorTests {
    private static func hash(_ color: String, size: Character = "0", rest: Int = 0) -> String {
        "\(size)0" + color + String(repeating: "0", count: rest)
    }

    /// The smallest hash, of one component, has six digits; the others contain the examples of the algorithm's page.
    @Test(
        arguments: [
            ("LEHV6nWB2yk8pyo0adR*.7kCMdnj", "#979695"), ("LGF5]+Yk^6#M@-5c,1J5@[or[Q6.", "#837e98"),
            ("L6PZfSi_.AyE_3t7t7R**0o#DgR4", "#ddd9d5"), (hash("0000"), "#000000"), (hash("0001"), "#000001"),
            (hash("002%"), "#0000e6"), (hash("TSUA"), "#ffffff"), (hash("0000", size: "~", rest: 0), nil),
            (hash("0000", size: "|", rest: 160), "#000000"),
        ] as [(String, String?)])
    func averageIsTheFirstComponent(hash: String, color: String?) {
        #expect(BlurhashColor.average(of: hash) == color, "\(hash)")
    }

    @Test(arguments: [
        "", "0", "00000", "00TSUB", "00~~~~", "0000000", "10000", "L6PZfSi_.AyE_3t7t7R**0o#DgR", "00 000", "00\"000",
        "00000\u{E9}", "0000\u{E9}", "00<000", "\u{1F600}\u{1F600}", String(repeating: "0", count: 100_000),
        "~" + String(repeating: "0", count: 165),
    ])
    func otherTextHasNoColor(text: String) { #expect(BlurhashColor.average(of: text) == nil, "\(text.prefix(40))") }
}
