import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct PageMediaTests {
    private static func image(_ number: Int64 = 1, _ change: (inout MediaAttachment) -> Void = { _ in })
        -> MediaAttachment
    {
        var media = MediaAttachment(
            id: number, kind: .image, format: .jpeg, path: "/media/key\(number)/a.jpg",
            previewPath: "/media/key\(number)/small.jpg", description: "Picture \(number)",
            focus: MediaFocus(x: -0.5, y: 1), blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
            meta: MediaMeta(width: 1200, height: 800))
        change(&media)
        return media
    }

    private static func file(_ kind: MediaKind, _ format: MediaFormat, _ description: String? = nil)
        -> MediaAttachment
    {
        MediaAttachment(
            id: 9, kind: kind, format: format, path: "/media/key/f.\(format.fileExtension)", description: description)
    }

    /// The page of a status with media.
    private static func page(_ media: [MediaAttachment], spoiler: String = "", isSensitive: Bool = false) throws
        -> String
    {
        let author = Account(id: 1, username: "ada", createdAt: 0)
        var status = Status(
            id: 7, account: author, createdAt: 0, text: "look", content: "<p>look</p>", spoilerText: spoiler,
            sensitive: isSensitive)
        status.media = media
        let site = try TestServices().services.site
        var context = PageContext(site: site.settings.site, edition: try site.assets.edition(), base: "")
        context.show(PageThread(status, in: nil))
        return String(decoding: context.html(), as: UTF8.self)
    }

    /// The part of a page from `start` up to `end`.
    private static func part(_ page: String, from start: String, to end: String) throws -> String {
        let begin = try #require(page.range(of: start), "\(start)")
        let rest = page[begin.lowerBound...]
        return String(rest[..<(try #require(rest.range(of: end), "\(end)")).upperBound])
    }

    @Test func imageHasSizeTextColorAndFocus() throws {
        let page = try Self.page([Self.image()])
        let picture = try Self.part(page, from: "<a class=\"picture", to: "</a>")
        for part in [
            "/media/1\"", "src=\"/media/key1/small.jpg\"", "alt=\"Picture 1\"",
            "width=\"1200\" height=\"800\"", "fill=\"#979695\"", "class=\"u-photo focus-x-25 focus-y-0\"",
            "loading=\"lazy\"",
        ] { #expect(picture.contains(part), "\(part): \(picture)") }
        #expect(page.contains("<div class=\"gallery gallery-1\">") && !page.contains("<details"))
        for part in ["{{", "}}", "\n\n", "Optional(", "style=", "picture-label"] {
            #expect(!page.contains(part), "\(part)")
        }
    }

    /// Also, nothing is taken from the status around the file.
    @Test func missingValuesLeaveNoTrace() throws {
        let page = try Self.page([MediaAttachment(id: 1, kind: .image, format: .gif, path: "/media/k/a.gif")])
        let picture = try Self.part(page, from: "<a class=\"picture", to: "</a>")
        #expect(
            picture == "<a class=\"picture\" href=\"/@ada/7/media/1\"><img class=\"u-photo focus-x-50 focus-y-50\" "
                + "src=\"/media/k/a.gif\" alt=\"Image without a description\" loading=\"lazy\" decoding=\"async\">"
                + "<span class=\"picture-label\" aria-hidden=\"true\">GIF</span></a>")
    }

    @Test(arguments: 1...6) func galleryFitsTheNumberOfPictures(count: Int) throws {
        let page = try Self.page((1...count).map { Self.image(Int64($0)) })
        #expect(page.contains("<div class=\"gallery gallery-\(min(count, 4))\">"))
        #expect(page.components(separatedBy: "<img class=\"u-photo focus-").count == count + 1)
        #expect(page.contains("alt=\"Picture \(count)\""))
    }

    @Test func unusableSizesAreLeftOut() throws {
        for meta in [MediaMeta(width: 5), MediaMeta(width: 0, height: 3), MediaMeta(width: 4, height: -1)] {
            let page = try Self.page([Self.image { $0.meta = meta }])
            #expect(!(try Self.part(page, from: "<a class=\"picture", to: "</a>")).contains(" width=\"4\""))
            #expect(page.contains("alt=\"Picture 1\" loading"))
        }
    }

    @Test func textIsEscaped() throws {
        let hostile = #"" onerror="alert(1)"><script>'&"#
        let page = try Self.page([
            Self.image {
                $0.description = hostile
                $0.blurhash = hostile
                $0.path = "/media/" + hostile
            }
        ])
        #expect(!page.contains("<script>'") && !page.contains("\" onerror") && !page.contains("fill="))
        #expect(page.contains("alt=\"&quot; onerror=&quot;alert(1)&quot;&gt;&lt;script&gt;&#39;&amp;\""))
    }

    @Test func videoAndAudioHaveControls() throws {
        var video = Self.file(.video, .mp4, "A boat")
        video.meta = MediaMeta(width: 640, height: 360, milliseconds: 1500)
        let page = try Self.page([video])
        #expect(
            try Self.part(page, from: "<video", to: "</video>")
                == "<video class=\"u-video\" src=\"/media/key/f.mp4\" aria-label=\"A boat\" width=\"640\" height=\"360\""
                + " controls preload=\"metadata\" playsinline></video>")
        video.previewPath = "/media/key/p.jpg"
        #expect(try Self.page([video]).contains(" poster=\"/media/key/p.jpg\""))
        let sound = try Self.page([Self.file(.audio, .ogg)])
        #expect(
            sound.contains(
                "<audio class=\"u-audio\" src=\"/media/key/f.ogg\" aria-label=\"Recording without a description\" "
                    + "controls preload=\"metadata\"></audio>"))
        #expect(!sound.contains("class=\"gallery"))
        let other = try Self.page([Self.file(.unknown, .ogg, "A model")])
        #expect(other.contains("<p class=\"recording\"><a href=\"/media/key/f.ogg\">A model</a></p>"))
    }

    @Test func sensitiveMediaIsBehindAClick() throws {
        let page = try Self.page([Self.image(), Self.image(2)], isSensitive: true)
        let hidden = try Self.part(page, from: "<details class=\"spoiler\"><summary>", to: "</details>")
        #expect(hidden.contains("Sensitive media</span> 2 images</summary>") && hidden.contains("class=\"gallery"))
        #expect(!hidden.contains("<p>look</p>") && page.components(separatedBy: "<details").count == 2)
        // Images in closed details load when they are shown.
        #expect(!page.contains("<details open"))
    }

    @Test(arguments: [true, false]) func contentWarningHidesMediaToo(isSensitive: Bool) throws {
        let page = try Self.page([Self.image()], spoiler: "cw", isSensitive: isSensitive)
        let hidden = try Self.part(page, from: "<details class=\"spoiler\"><summary", to: "</details>")
        #expect(hidden.contains("<p>look</p>") && hidden.contains("class=\"gallery"))
        #expect(page.components(separatedBy: "<details").count == 2)
    }

    @Test func sensitiveTextAloneNeedsNoClick() throws {
        let page = try Self.page([], isSensitive: true)
        #expect(!page.contains("<details") && !page.contains("class=\"gallery") && page.contains("<p>look</p>"))
    }

    @Test func linksShowTheFirstImageUnlessItIsHidden() throws {
        let site = try TestServices().services.site
        let author = Account(id: 1, username: "ada", createdAt: 0)
        for (spoiler, isSensitive) in [("", false), ("cw", false), ("", true)] {
            var context = PageContext(
                site: site.settings.site, edition: try site.assets.edition(), base: "http://a.test")
            var status = Status(
                id: 7, account: author, createdAt: 0, text: spoiler.isEmpty ? "" : "the secret", content: "",
                spoilerText: spoiler, sensitive: isSensitive)
            status.media = [Self.file(.video, .mp4), Self.image { $0.description = "\"x\"" }]
            context.setPreview(of: status)
            let page = String(decoding: context.html(), as: UTF8.self)
            let isShown = spoiler.isEmpty && !isSensitive
            #expect(page.contains("og:image\" content=\"http://a.test/media/key1/small.jpg\">") == isShown)
            #expect(page.contains("og:image:alt\" content=\"&quot;x&quot;\">") == isShown)
            let description = spoiler.isEmpty ? "1 image, 1 video" : "Content warning: cw"
            #expect(page.contains("og:description\" content=\"\(description)\">"))
            #expect(page.contains("name=\"description\" content=\"\(description)\">") && !page.contains("secret"))
        }
    }

    @Test(
        arguments: [
            (nil, 50, 50), (MediaFocus(x: 0, y: 0), 50, 50), (MediaFocus(x: -1, y: 1), 0, 0),
            (MediaFocus(x: 1, y: -1), 100, 100), (MediaFocus(x: 0.5, y: 0.5), 75, 25),
            (MediaFocus(x: 0.04, y: -0.06), 50, 55), (MediaFocus(x: 9, y: -9), 100, 100),
            (MediaFocus(x: .nan, y: .infinity), 50, 50),
        ] as [(MediaFocus?, Int, Int)])
    func focusIsAPosition(focus: MediaFocus?, x: Int, y: Int) {
        let position = FocusPosition(focus)
        #expect(position.x == x && position.y == y)
    }

    /// The policy of the pages permits no inline styles, so the style must have a class for each position.
    @Test func styleHasAClassForEachFocus() throws {
        let edition = try TestServices().services.site.assets.edition()
        let style = String(decoding: try #require(edition.files["style.css"]), as: UTF8.self)
        for axis in ["x", "y"] {
            for value in stride(from: 0, through: 100, by: FocusPosition.step) where value != 50 {
                #expect(style.contains("\n.focus-\(axis)-\(value) { --\(axis): \(value)%; }\n"))
            }
        }
        #expect(style.contains("object-position: var(--x, 50%) var(--y, 50%);"))
    }

    @Test func summaryCountsKinds() {
        let files = [Self.image(), Self.file(.video, .mp4), Self.image(2), Self.file(.audio, .mp3)]
        #expect(MediaText.summary(of: files) == "2 images, 1 video, 1 recording")
        #expect(MediaText.summary(of: [Self.image()]) == "1 image")
    }

    @Test func policyPermitsMediaOfThisServerOnly() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        let status = try await test.store.post("hello", by: ada)
        let client = TestClient(test.services)
        for path in ["/", "/@ada", "/@ada/\(status.id)"] {
            try await client.execute(uri: path, method: .get) { response in
                let policy = response.headers[.contentSecurityPolicy] ?? ""
                let rules = policy.components(separatedBy: "; ")
                for rule in [
                    "default-src 'none'", "img-src 'self' data:", "media-src 'self'", "style-src 'self'",
                    "script-src 'self'",
                ] { #expect(rules.contains(rule), "\(path): \(policy)") }
            }
        }
    }
}
