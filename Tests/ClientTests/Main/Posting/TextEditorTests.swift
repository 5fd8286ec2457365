import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import feedclient

/// The file that the user edits.
@Suite(.hangLimit)
struct TextEditorTests {
    @Test func fileIsPrivateAndRemoved() throws {
        let folder = try TemporaryFolder()
        let mode = try folder.file("mode")
        let command = #"sh -c 'stat -c %a "$0" > \#(mode); cat "$0" >> \#(mode); echo new > "$0"'"#
        let editor = try #require(TextEditor(environment: ["EDITOR": command]))
        #expect(try editor.edit("old", in: folder.path + "/state") == "new\n")
        #expect(try String(contentsOfFile: mode, encoding: .utf8) == "600\nold")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state").isEmpty)
    }

    @Test func unwritableFolderIsADiskError() throws {
        let editor = try #require(TextEditor(environment: ["EDITOR": "true"]))
        #expect(throws: (any Error).self) { try editor.edit("old", in: "/dev/null/state") }
    }
}
