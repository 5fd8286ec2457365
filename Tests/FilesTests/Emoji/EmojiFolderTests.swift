import FeedCore
import FeedFiles
import Foundation
import TestKit
import Testing

@testable import FeedTestSupport

@Suite(.hangLimit)
struct EmojiFolderTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/emoji" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    private func add(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    @Test func imagesBecomeEmoji() throws {
        try add("wave.png", SampleMedia.png(1))
        try add("Cat_9.PNG", SampleMedia.png(2))
        try add("dance.gif", GIFSample.full)
        // The content decides, not the extension.
        try add("other.webp", SampleMedia.png(3))
        let found = EmojiFolder(path)
        #expect(found.skipped == [])
        #expect(found.emoji.all.map(\.fileName) == ["Cat_9.png", "dance.gif", "other.png", "wave.png"])
        #expect(found.emoji["wave"]?.content == SampleMedia.png(1))
        // Without metadata.
        #expect(found.emoji["dance"]?.content == GIFSample.copyOfFull)
        #expect(Set(found.emoji.all.map(\.hash)).count == 4 && found.emoji.all.allSatisfy { $0.hash.count == 32 })
        #expect(EmojiFolder(path).emoji == found.emoji)
        try add("wave.png", SampleMedia.png(9))
        #expect(EmojiFolder(path).emoji["wave"]?.path != found.emoji["wave"]?.path)
    }

    @Test func missingFolderHasNoEmoji() {
        let found = EmojiFolder(path + "/missing")
        #expect(found.emoji.isEmpty && found.skipped == [])
    }

    @Test(arguments: [
        "a.png", "wave", "wa-ve.png", "two words.png", "wäve.png", "wave.png.exe", "wave..png", "x\u{1B}[31m.png",
        "line\nbreak.png", String(repeating: "a", count: 65) + ".png",
    ])
    func hostileNamesAreSkipped(name: String) throws {
        try add(name, SampleMedia.png())
        try add("good.png", SampleMedia.png())
        let found = EmojiFolder(path)
        #expect(found.emoji.all.map(\.shortcode) == ["good"])
        #expect(found.skipped.map(\.name) == [name])
    }

    @Test func filesThatAreNoSmallImagesAreSkipped() throws {
        let manager = FileManager.default
        try add("text.png", Array("hello".utf8))
        try add("empty.png", [])
        try add("large.png", [UInt8](repeating: 0, count: CustomEmoji.maximumBytes + 1))
        try add("wide.png", SampleMedia.png(width: CustomEmoji.maximumSide + 1, height: 1))
        try add("cut.png", Array(SampleMedia.png().dropLast(20)))
        try add("twin.gif", SampleMedia.png())
        try add("twin.png", SampleMedia.png())
        try manager.createDirectory(atPath: path + "/folder.png", withIntermediateDirectories: false)
        try manager.createSymbolicLink(atPath: path + "/link.png", withDestinationPath: path + "/twin.png")
        #expect(mkfifo(path + "/pipe.png", 0o600) == 0)
        try add(".hidden.png", SampleMedia.png())
        let found = EmojiFolder(path)
        #expect(found.emoji.all.map(\.shortcode) == ["twin"])
        #expect(
            found.skipped.map(\.name) == [
                "cut.png", "empty.png", "folder.png", "large.png", "link.png", "pipe.png", "text.png", "twin.png",
                "wide.png",
            ])
        #expect(found.skipped.allSatisfy { !$0.reason.isEmpty })
    }

    @Test func numberOfEmojiIsLimited() throws {
        let image = SampleMedia.png(width: 1, height: 1)
        for number in 0..<CustomEmoji.maximumCount + 2 { try add("e\(1000 + number).png", image) }
        let found = EmojiFolder(path)
        #expect(
            found.emoji.all.count == CustomEmoji.maximumCount
                && found.skipped.map(\.name) == ["e1500.png", "e1501.png"])
    }
}
