import FeedFiles
import TestKit
import Testing

/// The first bytes of a file and the expected type.
struct MediaRow: CustomTestStringConvertible, Sendable {
    let id: String
    let head: [UInt8]
    let name: String
    let type: String

    var testDescription: String { id }

    init(_ id: String, _ head: [UInt8], _ type: String, name: String = "file") {
        self.id = id
        self.head = head
        self.name = name
        self.type = type
    }

    init(_ text: String, _ type: String, name: String = "file") {
        self.init("\(text.prefix(24).debugDescription) \(name)", Array(text.utf8), type, name: name)
    }

    /// The bytes before a signature, such as sizes and versions, then the signature.
    static func box(_ lead: [UInt8], _ mark: String) -> [UInt8] { lead + Array(mark.utf8) + [0, 0, 0, 0] }

    static func riff(_ mark: String) -> [UInt8] { box(Array("RIFF".utf8) + [0x24, 0, 0, 0], mark) }

    static func brand(_ mark: String) -> [UInt8] { box([0, 0, 0, 0x20], "ftyp" + mark) }
}

extension MediaRow {
    static let plain = "text/plain; charset=utf-8"

    static let signatures: [MediaRow] = [
        MediaRow("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], "image/png"),
        MediaRow("JPEG", [0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
        MediaRow("GIF87a", box([], "GIF87a"), "image/gif"),
        MediaRow("GIF89a", box([], "GIF89a"), "image/gif"),
        MediaRow("WebP", riff("WEBP"), "image/webp"),
        MediaRow("WAV", riff("WAVE"), "audio/wav"),
        MediaRow("AVIF", brand("avif"), "image/avif"),
        MediaRow("HEIC", brand("heic"), "image/heic"),
        MediaRow("M4A", brand("M4A "), "audio/mp4"),
        MediaRow("MP4", brand("isom"), "video/mp4"),
        MediaRow("WebM", [0x1A, 0x45, 0xDF, 0xA3, 0x01], "video/webm"),
        MediaRow("Ogg", box([], "OggS"), "audio/ogg"),
        MediaRow("FLAC", box([], "fLaC"), "audio/flac"),
        MediaRow("ID3", box([], "ID3"), "audio/mpeg"),
        MediaRow("MP3", [0xFF, 0xFB, 0x90, 0x64], "audio/mpeg"),
        MediaRow("PDF", box([], "%PDF-1.7"), "application/pdf"),
        MediaRow("gzip", [0x1F, 0x8B, 0x08, 0], "application/gzip"),
        MediaRow("ZIP", [0x50, 0x4B, 0x03, 0x04, 0x14], "application/zip"),
        // The name has no influence.
        MediaRow("PNG named HTML", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png", name: "x.html"),
    ]

    static let active: [MediaRow] = [
        MediaRow("<!DOCTYPE html><title>x</title>", "text/html"),
        MediaRow("<!doctype html>", "text/html", name: "x.txt"),
        MediaRow("<HTML>", "text/html", name: "x.png"),
        MediaRow(" \r\n\t<html>", "text/html", name: "x.csv"),
        MediaRow("<script>alert(1)</script>", "text/html", name: "x.json"),
        MediaRow("<Script src=x>", "text/html"),
        MediaRow("<body onload=x>", "text/html"),
        MediaRow("<iframe src=x>", "text/html"),
        MediaRow("<!-- --><script>", "text/html"),
        MediaRow("<img src=x onerror=x>", "text/html", name: "x.jpg"),
        MediaRow("<svg xmlns=x>", "image/svg+xml", name: "x.png"),
        MediaRow("\n<SVG onload=x>", "image/svg+xml", name: "x.txt"),
        MediaRow("<?xml version=\"1.0\"?><svg>", "application/xml", name: "x.svg"),
        MediaRow("\u{FEFF}<!doctype html>", "text/html", name: "x.txt"),
        MediaRow("\u{FEFF}<?xml version=\"1.0\"?>", "application/xml", name: "x.txt"),
        // A signature at the wrong place does not make a page an image.
        MediaRow("<script>WEBP=1</script>", "text/html", name: "x.webp"),
        MediaRow("<script>WAVE=1</script>", "text/html"),
        MediaRow("<!--ftypisom--><script>", "text/html"),
    ]

    static let texts: [MediaRow] = [
        MediaRow("hello", plain), MediaRow("hello", plain, name: "x.html"), MediaRow("hello", plain, name: "x.png"),
        MediaRow("hello", plain, name: ""), MediaRow("", plain), MediaRow("a < b", plain),
        MediaRow("\u{1B}[1mbold\u{1B}[0m\u{C}", plain), MediaRow("\u{65E5}\u{672C}\u{8A9E}", plain),
        MediaRow("{\"a\":1}", "application/json", name: "x.json"),
        MediaRow("{\"a\":1}", "application/json", name: "X.JSON"),
        MediaRow("a,b", "text/csv; charset=utf-8", name: "x.csv"),
        MediaRow("{\"a\":1}", plain, name: "json.txt"),
    ]

    static let binaries: [MediaRow] = [
        MediaRow("NUL", [0x61, 0x00, 0x62], "application/octet-stream"),
        MediaRow("control", [0x61, 0x01], "application/octet-stream", name: "x.txt"),
        MediaRow("Latin-1", [0x63, 0xE9, 0x20, 0x61, 0x75, 0x20, 0x6C], "application/octet-stream", name: "x.txt"),
        MediaRow("UTF-16", [0xFF, 0xFE, 0x3C, 0x00, 0x68, 0x00], "application/octet-stream", name: "x.html"),
        MediaRow("surrogate", [0xED, 0xA0, 0x80, 0x61, 0x61, 0x61, 0x61], "application/octet-stream"),
        MediaRow("overlong", [0xC0, 0xAF, 0x61, 0x61, 0x61, 0x61], "application/octet-stream"),
    ]

    /// Text of exactly 1024 bytes whose last character is incomplete.
    static let cut: [MediaRow] = [
        ending("\u{E9}", keeping: 1), ending("\u{65E5}", keeping: 1), ending("\u{65E5}", keeping: 2),
        ending("\u{1F469}", keeping: 1), ending("\u{1F469}", keeping: 2), ending("\u{1F469}", keeping: 3),
        ending("\u{1F469}", keeping: 4),
    ]

    private static func ending(_ character: String, keeping count: Int) -> MediaRow {
        let text = Array(String(repeating: "x", count: 1024 - count).utf8)
        return MediaRow("\(character) \(count)", text + Array(character.utf8.prefix(count)), plain)
    }
}

@Suite(.hangLimit)
struct ContentTypeTests {
    static let all: [MediaRow] = [
        MediaRow.signatures, MediaRow.active, MediaRow.texts, MediaRow.binaries, MediaRow.cut,
    ].flatMap(\.self)

    @Test(arguments: all)
    func typeIsDetected(row: MediaRow) {
        #expect(ContentType.sniff(row.head, name: row.name) == row.type)
    }

    /// Uploaded content must not run in this site's origin.
    @Test(arguments: MediaRow.active)
    func activeContentIsNeverInline(row: MediaRow) {
        #expect(!ContentType.isInline(ContentType.sniff(row.head, name: row.name)))
    }

    @Test func onlySafeTypesAreInline() {
        let shown = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "audio/wav", "video/mp4"]
        for type in shown + [MediaRow.plain] { #expect(ContentType.isInline(type), "\(type)") }
        let saved = ["text/html", "image/svg+xml", "application/xml", "application/pdf", "application/octet-stream"]
        for type in saved + ["text/csv; charset=utf-8", ""] { #expect(!ContentType.isInline(type), "\(type)") }
    }

    /// A browser shows a video as a page that loads the address again.
    @Test func onlyRecordingsAreLoadedByAPage() {
        for type in ["video/mp4", "video/webm", "audio/mpeg", "audio/mp4"] {
            let policy = ContentType.securityPolicy(type)
            #expect(policy == "default-src 'none'; media-src 'self'; sandbox allow-same-origin")
        }
        for type in ["image/png", "text/html", "image/svg+xml", MediaRow.plain, ""] {
            #expect(ContentType.securityPolicy(type) == "default-src 'none'; sandbox", "\(type)")
        }
    }

    /// A signature at the very end of the file, or a partial one, must not trap.
    @Test(arguments: MediaRow.signatures)
    func everyPrefixHasAType(row: MediaRow) {
        for count in 0..<row.head.count {
            let type = ContentType.sniff(Array(row.head.prefix(count)), name: row.name)
            #expect(!type.isEmpty)
        }
    }
}
