import FeedCore
import TestKit
import Testing

struct MediaValueTests {
    static let focuses: [(text: String, x: Double, y: Double)] = [
        ("0,0", 0, 0), ("-0.5,0.25", -0.5, 0.25), ("0.1, -1", 0.1, -1), ("7,-7", 1, -1), ("1e300,0", 1, 0),
        ("0.123456,0", 0.1235, 0),
    ]

    @Test(arguments: focuses) func focusIsParsedAndClamped(row: (text: String, x: Double, y: Double)) throws {
        let focus = try MediaFocus(parsing: row.text)
        #expect(focus == MediaFocus(x: row.x, y: row.y) && focus.x == row.x && focus.y == row.y)
        #expect(MediaFocus(storedX: focus.stored.x, storedY: focus.stored.y) == focus)
    }

    @Test(arguments: ["", "1", "1,2,3", "x,y", ",", "nan,0", "0,inf", "0;0"])
    func malformedFocusIsRefused(text: String) {
        #expect(throws: FeedError.self) { try MediaFocus(parsing: text) }
    }

    @Test func focusOutsideAllNumbersIsStored() {
        #expect(MediaFocus(x: .nan, y: .infinity) == MediaFocus(x: 0, y: 0))
        #expect(MediaFocus(storedX: .max, storedY: .min) == MediaFocus(x: 1, y: -1))
    }

    @Test func descriptionHasALimit() throws {
        var draft = MediaChanges()
        draft.description = String(repeating: "ä", count: 1500)
        try draft.check(MediaLimits())
        draft.description? += "x"
        #expect(throws: FeedError.self) { try draft.check(MediaLimits()) }
        draft.description = "x" + String(repeating: "\u{301}", count: 20_000)
        #expect(throws: FeedError.self) { try draft.check(MediaLimits()) }
    }

    @Test(
        arguments: [
            ("a cat", "a cat"), (" \n a  cat\t", "a  cat"), ("", nil), (" \r\n \u{2003}", nil), ("\u{301}", "\u{301}"),
        ] as [(String, String?)])
    func descriptionHasNoSpaceAround(row: (text: String, stored: String?)) {
        var media = StoredMedia(id: 1, accountID: 2, key: "KEY", createdAt: 0)
        media.description = "old"
        var draft = MediaChanges()
        draft.apply(to: &media)
        #expect(media.description == "old")
        draft.description = row.text
        draft.apply(to: &media)
        #expect(media.description == row.stored)
    }

    @Test func addressesNameOnlyWhatExists() {
        var media = StoredMedia(id: 1, accountID: 2, key: "KEY", createdAt: 0)
        #expect(media.attachment == nil && media.file(named: "image.jpg") == nil)
        let blob = Blob(hash: .zero, size: 1)
        media.content = .init(format: .jpeg, blob: blob, meta: MediaMeta(), blurhash: nil)
        #expect(media.attachment?.path == "/media/KEY/image.jpg" && media.attachment?.previewPath == nil)
        media.thumbnail = .init(blob: blob, format: .webp)
        #expect(media.attachment?.previewPath == "/media/KEY/preview-000000000000.webp")
        #expect(media.file(named: "image.jpg")?.format == .jpeg)
        #expect(media.file(named: "preview-000000000000.webp")?.format == .webp)
        for name in ["", "image.png", "preview-.webp", "IMAGE.JPG", "../image.jpg"] {
            #expect(media.file(named: name) == nil, "\(name)")
        }
    }

    @Test func pictureOfAProfileIsSmall() {
        func blob(_ size: Int64) -> Blob { Blob(hash: .zero, size: size) }
        let limits = MediaLimits()
        let maximum = Int64(limits.profileImageBytes)
        var processed = ProcessedMedia(format: .gif, meta: MediaMeta(), content: blob(maximum))
        func picture(_ image: Int64, _ still: Int64) -> Picture { Picture(image: blob(image), still: blob(still)) }
        #expect(processed.picture(limits) == picture(maximum, maximum))
        processed.content = blob(maximum + 1)
        #expect(processed.picture(limits) == nil)
        processed.thumbnail = blob(5)
        #expect(processed.picture(limits) == picture(5, 5))
        processed.format = .mp4
        #expect(processed.picture(limits) == nil)
    }

    @Test func pictureThatIsAnimatedHasAStillImage() {
        func blob(_ size: Int64) -> Blob { Blob(hash: .zero, size: size) }
        let limits = MediaLimits()
        let maximum = Int64(limits.profileImageBytes)
        var processed = ProcessedMedia(format: .gif, meta: MediaMeta(), isAnimated: true, content: blob(7))
        // Nothing has decoded it.
        #expect(processed.picture(limits) == Picture(image: blob(7), still: blob(7)))
        processed.thumbnail = blob(5)
        #expect(processed.picture(limits) == Picture(image: blob(7), still: blob(5)))
        #expect(processed.picture(limits)?.blobs == [blob(7), blob(5)])
        processed.content = blob(maximum + 1)
        #expect(processed.picture(limits)?.blobs == [blob(5)])
        processed.isAnimated = false
        processed.content = blob(7)
        #expect(processed.picture(limits)?.blobs == [blob(7)])
    }

    /// A still image never outlives its picture.
    @Test func anotherPictureHasAnotherStillImage() {
        let hashes = ["a", "b", "c"].compactMap { BlobHash(String(repeating: $0, count: 64)) }
        var account = Account(id: 1, username: "ada", createdAt: 0, avatar: hashes[0])
        #expect(account.avatarStatic == nil && account.pictures == [hashes[0]])
        account.avatarStatic = hashes[1]
        account.avatar = hashes[0]
        #expect(account.avatarStatic == hashes[1] && account.pictures == [hashes[0], hashes[1]])
        account.avatar = hashes[2]
        account.header = hashes[2]
        #expect(account.avatarStatic == hashes[2] && account.pictures == [hashes[2]])
        (account.avatar, account.header) = (nil, nil)
        #expect(account.avatarStatic == nil && account.headerStatic == nil && account.pictures.isEmpty)
    }
}

struct AttachmentRuleTests {
    private static func media(
        _ id: Int64, of account: Int64 = 1, on status: Int64? = nil, _ format: MediaFormat? = .png,
        expiresAt: Int64? = 100
    ) -> StoredMedia {
        var media = StoredMedia(id: id, accountID: account, key: "\(id)", createdAt: 0)
        (media.statusID, media.expiresAt) = (status, expiresAt)
        media.content = format.map {
            StoredMedia.Content(
                format: $0, blob: Blob(hash: .zero, size: 1), meta: MediaMeta(), blurhash: nil)
        }
        return media
    }

    struct Row: Sendable {
        let media: [StoredMedia]
        var ids: [Int64]?
        var status: Int64?
        let problem: String?
    }

    static let rows = [
        Row(media: [media(1), media(2)], problem: nil),
        Row(media: [], ids: [7], problem: "Media 7 not found"),
        Row(media: [media(1, of: 2)], problem: "Media 1 not found"),
        Row(media: [media(1, on: 5, expiresAt: nil)], problem: "already attached"),
        Row(media: [media(1, on: 5, expiresAt: nil)], status: 6, problem: "already attached"),
        Row(media: [media(1, on: 5, expiresAt: nil)], status: 5, problem: nil),
        Row(media: [media(1, expiresAt: 10)], problem: "Media 1 not found"),
        Row(media: [media(1, expiresAt: nil)], problem: "Media 1 not found"),
        Row(media: [media(1, nil)], problem: "not finished processing"),
        Row(media: [media(1, .mp4)], problem: nil),
        Row(media: [media(1, .mp4), media(2)], problem: "a video"),
        Row(media: [media(1, .mp3), media(2, .mp3)], problem: "a video"),
    ]

    @Test(arguments: rows) func filesAreAttachedByTheirOwnerOnce(row: Row) throws {
        let found = Dictionary(uniqueKeysWithValues: row.media.map { ($0.id, $0) })
        let ids = row.ids ?? row.media.map(\.id)
        guard let problem = row.problem else {
            return try AttachmentRule.check(ids, found: found, by: 1, to: row.status, at: 10)
        }
        let error = #expect(throws: FeedError.self) {
            try AttachmentRule.check(ids, found: found, by: 1, to: row.status, at: 10)
        }
        #expect(error?.kind == .invalid && error?.message.contains(problem) == true)
    }
}

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
