import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct BackupCopyRuleTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let expected, source, target: Int64?
        let rule: BackupCopyRule

        var testDescription: String { "\(expected ?? -1) \(source ?? -1) \(target ?? -1)" }

        init(_ expected: Int64?, _ source: Int64?, _ target: Int64?, _ rule: BackupCopyRule) {
            self.expected = expected
            self.source = source
            self.target = target
            self.rule = rule
        }
    }

    @Test(arguments: [
        Row(5, 5, nil, .copy), Row(5, 5, 5, .skip), Row(5, 5, 4, .copy), Row(5, nil, 5, .skip),
        Row(5, nil, 4, .missing), Row(5, nil, nil, .missing), Row(5, 4, nil, .copy), Row(5, 4, 5, .skip),
        // Avatars, whose size is unknown.
        Row(nil, 5, nil, .copy), Row(nil, 5, 5, .skip), Row(nil, 5, 4, .copy), Row(nil, nil, 4, .skip),
        Row(nil, nil, nil, .missing), Row(0, 0, 0, .skip), Row(0, 0, nil, .copy),
    ])
    func onlyBlobsThatTheTargetLacksAreCopied(row: Row) {
        #expect(BackupCopyRule.decide(expected: row.expected, source: row.source, target: row.target) == row.rule)
    }

    @Test func tallyCountsEachOutcome() {
        var tally = BlobTally()
        let blob = BlobReference(hash: .zero, size: nil, name: "a")
        for outcome in [BlobCopyOutcome.copied(5), .skipped(7), .missing, .damaged] { tally.add(outcome, of: blob) }
        #expect(tally.copied == 1 && tally.copiedBytes == 5 && tally.skipped == 1 && tally.skippedBytes == 7)
        #expect(tally.failed == [blob, blob] && tally.count == 4 && tally.bytes == 12)
    }

    @Test(arguments: [
        ("/data", "/data", true), ("/data", "/data/backup", true), ("/data/backup", "/data", true),
        ("/data", "/data2", false), ("/data", "/backup/data", false), ("/", "/data", true), ("/a/b", "/a/c", false),
        ("/data/", "/data/x", true), ("/data", "/data/\u{301}x", true), ("/data\u{600}/x", "/data\u{600}", true),
        ("/\u{E9}", "/e\u{301}/x", false),
    ])
    func nestedFoldersAreRecognized(first: String, second: String, overlap: Bool) {
        #expect(FolderNesting.overlap(first, second) == overlap)
    }

    @Test(arguments: [
        (String(repeating: "0f", count: 32), true), (String(repeating: "0F", count: 32), false), ("", false),
        (String(repeating: "0", count: 63), false), (String(repeating: "0", count: 65), false),
        (String(repeating: "g", count: 64), false), ("../" + String(repeating: "0", count: 61), false),
    ])
    func hashesAreLowercaseHexadecimal(text: String, isValid: Bool) { #expect((BlobHash(text) != nil) == isValid) }
}
