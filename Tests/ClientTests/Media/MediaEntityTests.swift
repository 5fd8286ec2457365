import FeedAPI
import Foundation
import TestKit
import Testing

/// Media attachments of other servers, whose members may be missing, `null` or of another type.
@Suite(.hangLimit)
struct MediaEntityTests {
    private static func decode(_ json: String) throws -> Entity.MediaAttachment {
        try JSONDecoder().decode(Entity.MediaAttachment.self, from: Data(json.utf8))
    }

    @Test func allMembersAreDecoded() throws {
        let media = try Self.decode(
            #"""
            {"id":"7","type":"video","url":"http://a/b","preview_url":"http://a/p","remote_url":null,"text_url":null,
            "description":"x","blurhash":"000000","meta":{"original":{"width":640,"height":360,"duration":1.5,
            "frame_rate":"30/1","size":"640x360","aspect":1.78},"small":{"width":64,"height":36},"length":"0:01",
            "focus":{"x":0.5,"y":-1}}}
            """#)
        #expect(media.id == "7" && media.type == "video" && media.url == "http://a/b")
        #expect(media.preview_url == "http://a/p" && media.description == "x" && media.blurhash == "000000")
        #expect(media.meta?.original?.width == 640 && media.meta?.original?.duration == 1.5)
        #expect(media.meta?.small?.height == 36 && media.meta?.focus == Entity.MediaAttachment.Focus(x: 0.5, y: -1))
    }

    @Test(arguments: [
        #"{"id":"7"}"#, #"{"id":"7","type":null,"url":null,"preview_url":null,"meta":null,"description":null}"#,
        #"{"id":"7","type":1,"url":2,"preview_url":{},"meta":[],"description":false,"blurhash":[1]}"#,
        #"{"id":"7","meta":"x"}"#,
    ])
    func onlyTheIDIsRequired(json: String) throws {
        let media = try Self.decode(json)
        #expect(media == Entity.MediaAttachment(id: "7", type: "unknown"))
    }

    @Test(arguments: [
        #"{}"#, #"{"original":null,"small":null,"focus":null}"#, #"{"original":1,"focus":{"x":1}}"#,
        #"{"focus":{"x":"a","y":1}}"#,
    ])
    func partsOfMetaMayBeMissing(meta: String) throws {
        let media = try Self.decode(#"{"id":"7","type":"image","meta":\#(meta)}"#)
        #expect(media.meta != nil && media.meta?.original == nil && media.meta?.focus == nil)
    }

    @Test(arguments: [
        #"{"width":99999999999999999999,"height":1.5,"duration":"1"}"#, #"{"width":null,"height":[],"duration":1e999}"#,
    ])
    func unusableNumbersCountAsMissing(size: String) throws {
        let media = try Self.decode(#"{"id":"7","type":"image","meta":{"small":{"width":1},"original":\#(size)}}"#)
        let original = media.meta?.original
        #expect(original?.width == nil && original?.height == nil && original?.duration == nil)
    }

    /// Servers without media omit the member.
    @Test(
        arguments: [
            ("", nil), (#","media_attachments":null"#, nil), (#","media_attachments":[]"#, 0),
        ] as [(String, Int?)])
    func mediaOfAStatusIsOptional(member: String, count: Int?) throws {
        let json = "\(MediaServer.status("1").dropLast())\(member)}"
        let status = try JSONDecoder().decode(Entity.Status.self, from: Data(json.utf8))
        #expect(status.media_attachments?.count == count)
    }

    @Test func mediaSurvivesEncoding() throws {
        let media = try Self.decode(#"{"id":"7","type":"image","meta":{"original":{"width":3}}}"#)
        let again = try JSONDecoder().decode(Entity.MediaAttachment.self, from: try JSONEncoder().encode(media))
        #expect(again == media)
    }
}
