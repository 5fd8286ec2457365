import FeedAPI
import FeedTerminal
import Foundation
import TestKit
import Testing

@testable import feedclient

@Suite(.hangLimit)
struct AttachmentRendererTests {
    private static func media(
        _ type: String = "image", description: String? = nil, url: String? = "https://feed.test/media/x/a.jpg",
        meta: String = "null"
    ) throws -> Entity.MediaAttachment {
        let json = #"{"id":"1","type":"\#(type)","meta":\#(meta)}"#
        var media = try JSONDecoder().decode(Entity.MediaAttachment.self, from: Data(json.utf8))
        (media.description, media.url) = (description, url)
        return media
    }

    private static func lines(_ media: Entity.MediaAttachment, width: Int = 60) -> [String] {
        AttachmentRenderer(width: width, style: TextStyle(hasColor: false)).lines(media)
    }

    @Test func kindSizeDescriptionAndAddressAreShown() throws {
        let sized = #"{"original":{"width":1200,"height":800}}"#
        let timed = #"{"original":{"width":640,"height":360,"duration":75.2}}"#
        #expect(
            Self.lines(try Self.media(description: "A cat\non a mat", meta: sized)) == [
                "▣ image, 1200 × 800: A cat on a mat", "https://feed.test/media/x/a.jpg",
            ])
        #expect(Self.lines(try Self.media("video", meta: timed)).first == "▶ video, 640 × 360, 1m 16s (no description)")
        #expect(Self.lines(try Self.media("audio", description: " ")).first == "♪ audio (no description)")
        #expect(Self.lines(try Self.media("unknown", url: nil)) == ["▤ file (no description)"])
        #expect(Self.lines(try Self.media("model3d")).first == "▤ model3d (no description)")
    }

    @Test func longDescriptionsAreWrapped() throws {
        let lines = Self.lines(try Self.media(description: String(repeating: "word ", count: 40)), width: 30)
        let text = lines.filter { !$0.hasPrefix("https://") }
        #expect(text.count > 6 && text.allSatisfy { TextWidth.columns(of: $0) <= 30 })
    }

    @Test func mediaFollowsTheText() throws {
        let status = StatusRendererTests.status("<p>look</p>", name: "Ada") {
            $0.media_attachments = [try? Self.media(description: "one"), try? Self.media("audio")].compactMap(\.self)
        }
        #expect(
            StatusRendererTests.render(status, columns: 60) == """
                [A] Ada @ada                                              2h
                    look
                    ▣ image: one
                    https://feed.test/media/x/a.jpg
                    ♪ audio (no description)
                    https://feed.test/media/x/a.jpg
                    iPhone · 111

                """)
    }

    @Test func statusMayConsistOfMediaOnly() throws {
        let media = try Self.media(description: "one")
        let text = StatusRendererTests.render(
            StatusRendererTests.status("", name: "Ada") { $0.media_attachments = [media] }, columns: 60)
        #expect(!text.contains("\n\n    ▣") && text.contains("    ▣ image: one\n"))
    }

    @Test(arguments: [("", true), ("cw", false), ("cw", true)])
    func sensitiveMediaIsHidden(spoiler: String, isSensitive: Bool) throws {
        let media = try Self.media(description: "secret")
        let status = StatusRendererTests.status("<p>text</p>") {
            $0.media_attachments = [media]
            $0.spoiler_text = spoiler
            $0.sensitive = isSensitive
        }
        let hidden = StatusRendererTests.render(status, columns: 80)
        #expect(hidden.contains("▣ image") && !hidden.contains("secret") && !hidden.contains("https://"))
        #expect(hidden.components(separatedBy: "feedclient show 111").count == 2)
        var renderer = StatusRenderer(columns: 80, style: TextStyle(hasColor: false), now: StatusRendererTests.now)
        renderer.revealsSensitive = true
        let shown = renderer.lines(status).joined(separator: "\n")
        #expect(shown.contains("▣ image: secret") && shown.contains("https://feed.test/media/x/a.jpg"))
    }

    @Test func controlCharactersAreRemoved() throws {
        let poison = "x\u{1B}[31m\u{202E}y"
        var media = try Self.media(description: poison, url: poison)
        media.type = poison
        let text = Self.lines(media).joined()
        #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }
}
