import FeedCore
import FeedFiles
import Testing

@Suite struct MediaReportTests {
    static let reports = [
        MediaReport(
            .processed(
                .jpeg, MediaMeta(width: 4000, height: 3000, thumbnailWidth: 554, thumbnailHeight: 415),
                blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj")),
        MediaReport(.processed(.gif, MediaMeta(width: 16, height: 8), isAnimated: true, blurhash: nil)),
        MediaReport(.processed(.mp3, MediaMeta(milliseconds: 12_345), blurhash: nil), missingRestrictions: ["seccomp"]),
        MediaReport(.refused(MediaError(.damaged, "The \"file\" is damaged", hint: "Try another."))),
        MediaReport(.refused(MediaError(.failed, "fsync")), missingRestrictions: ["nice", "seccomp"]),
    ]

    @Test(arguments: reports) func aReportIsReadAsItWasWritten(_ report: MediaReport) {
        #expect(MediaReport(parsing: report.line) == report)
    }

    @Test(arguments: [
        "", "\n", "{}\n", "[]\n", #"{"format":"jpeg"}"# + "\n", #"{"format":"exe","missingRestrictions":[]}"# + "\n",
        #"{"format":"jpeg","width":0,"missingRestrictions":[]}"# + "\n",
        #"{"format":"jpeg","width":99999999999,"missingRestrictions":[]}"# + "\n",
        #"{"format":"jpeg","milliseconds":-1,"missingRestrictions":[]}"# + "\n",
        #"{"format":"gif","isAnimated":2,"missingRestrictions":[]}"# + "\n",
        #"{"format":"jpeg","blurhash":"<script>","missingRestrictions":[]}"# + "\n",
        #"{"error":"x","kind":"unknown","missingRestrictions":[]}"# + "\n",
        // Without a line feed it may be incomplete.
        #"{"format":"jpeg","missingRestrictions":[]}"#,
    ])
    func anythingElseIsNoReport(_ text: String) {
        #expect(MediaReport(parsing: Array(text.utf8)) == nil)
    }

    @Test func aLongLineIsNoReport() {
        let hint = String(repeating: "x", count: MediaReport.maximumBytes)
        #expect(MediaReport(parsing: MediaReport(.refused(MediaError(.damaged, "x", hint: hint))).line) == nil)
    }

    @Test func messagesAreShortAndHaveNoControlCharacters() {
        let fault = MediaError(.damaged, "a\u{1B}[31m\n\u{202E}b" + String(repeating: "c", count: 1000))
        guard case .refused(let read) = MediaReport(parsing: MediaReport(.refused(fault)).line)?.result else {
            Issue.record("not a refusal")
            return
        }
        #expect(read.message.hasPrefix("a[31mb") && read.message.count == 300)
    }

    @Test func limitsArePassedAsArguments() {
        var limits = MediaLimits()
        (limits.imageBytes, limits.videoBytes, limits.pixels, limits.thumbnailPixels) = (1, 2, 3, 4)
        let words = MediaArguments(limits).words
        #expect(words == ["process-media", "1", "2", "3", "4"])
        #expect(MediaArguments(words.dropFirst().compactMap { Int($0) })?.limits == limits)
        for numbers in [[], [1, 2, 3], [1, 2, 3, 4, 5], [0, 1, 1, 1], [1, 1, 1, .max]] {
            #expect(MediaArguments(numbers) == nil)
        }
    }
}
