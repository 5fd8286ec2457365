import FeedCore
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct ImportPathTests {
    @Test(arguments: [
        "a.png", "photos/a.png", "a/b/c/d.jpg", "..a.png", "a..", "...", "a b/ü 🎉.gif", "a\\..\\b.png", "~",
    ])
    func pathBelowTheFolderIsAccepted(text: String) throws {
        #expect(try ImportPath(text).description == text)
    }

    @Test(arguments: [
        "", "/", "/etc/passwd", "..", "../a.png", "a/../b.png", "a/..", ".", "./a.png", "a/./b.png", "a//b.png", "a/",
        "//a", "a\u{0}.png", "a/" + String(repeating: "x", count: 256), String(repeating: "ab/", count: 400) + "c",
    ])
    func otherPathIsRefused(text: String) {
        let error = #expect(throws: FeedError.self) { try ImportPath(text) }
        #expect(error?.kind == .malformed)
    }

    /// A mark, a joiner or U+0600 beside a slash forms one character with it.
    @Test(arguments: ["d\u{600}/outside.png", "d/\u{301}outside.png", "d/\u{200D}outside.png", "d/\u{FE0F}\u{600}"])
    func everySlashSeparatesNames(text: String) throws {
        let path = try ImportPath(text)
        #expect(path.names.count == 2 && path.names.allSatisfy { !$0.utf8.contains(UInt8(ascii: "/")) })
        #expect(Array(path.description.utf8) == Array(text.utf8))
    }

    @Test(arguments: ["../\u{301}a.png", "a\u{600}/../b.png", "/\u{FE0F}etc/passwd", "a\u{600}/", "\u{600}/../a.png"])
    func markDoesNotHideASlash(text: String) {
        #expect(throws: FeedError.self) { try ImportPath(text) }
    }

    @Test func mediaOfALineIsChecked() throws {
        var media = ImportRecord.Media(file: "a.png")
        media.description = String(repeating: "x", count: 1500)
        media.focus = [-1, 1]
        let (path, changes) = try media.changes(MediaLimits())
        #expect(path.names == ["a.png"] && changes.focus == MediaFocus(x: -1, y: 1))
        media.description?.append("x")
        #expect(throws: FeedError.self) { try media.changes(MediaLimits()) }
        for focus in [[], [0], [0, 0, 0], [1.1, 0], [0, -2]] as [[Double]] {
            var other = ImportRecord.Media(file: "a.png")
            other.focus = focus
            #expect(throws: FeedError.self, "\(focus)") { try other.changes(MediaLimits()) }
        }
    }

    @Test(arguments: [
        #"{"kind":"account","username":"a","avatar":"x\u0000y"}"#,
        #"{"kind":"status","author":"a","created_at":"2023-01-01T00:00:00Z","text":"t","media":[{"file":"\u0000"}]}"#,
        #"{"kind":"status","author":"a","created_at":"2023-01-01T00:00:00Z","text":"t","media":["a.png"]}"#,
        #"{"kind":"status","author":"a","created_at":"2023-01-01T00:00:00Z","text":"t","media":[{}]}"#,
        #"{"kind":"status","author":"a","created_at":"2023-01-01T00:00:00Z","text":"t","media":{"file":"a"}}"#,
    ])
    func malformedMediaIsRefused(line: String) {
        #expect(throws: FeedError.self) { try ImportRecord(line: Data(line.utf8), decoder: JSONDecoder()) }
    }
}
