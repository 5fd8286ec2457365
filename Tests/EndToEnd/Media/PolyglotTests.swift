import Foundation
import TestKit
import Testing

@testable import FeedTestSupport

/// Media files that are pages and scripts at the same time, opened in a browser.
@Suite(.hangLimit, .enabled(if: Tool.isInstalled("chromium"), "chromium is not installed"))
struct PolyglotTests {
    /// Reports that it has run, however it was opened.
    private static func page(_ name: String) -> [UInt8] {
        let action = "document.documentElement.dataset.ran='\(name)';top.postMessage('ran \(name)','*')"
        return text("<html><script>\(action)</script><svg onload=\"\(action)\">")
    }

    /// Files that contain a page where metadata is, where pixels or sound are, and after their end.
    private static let files: [(name: String, bytes: [UInt8])] = {
        let (hidden, shown) = (page("hidden"), page("shown"))
        let scan = JPEGSample.scanHeader + shown
        return [
            (
                "jpeg",
                JPEGSample.start + JPEGSample.segment(0xFE, hidden) + JPEGSample.quantization + JPEGSample.frame(16, 8)
                    + JPEGSample.huffman + scan + JPEGSample.end + hidden
            ),
            (
                "png",
                PNGSample.file(
                    PNGSample.chunk("tEXt", hidden), data: PNGSample.chunk("IDAT", shown), after: hidden)
            ),
            (
                "gif",
                join(
                    GIFSample.head(16, 8), [0x21, 0xFE, UInt8(hidden.count)], hidden, [0],
                    [0x2C, 0, 0, 0, 0, 16, 0, 8, 0, 0, 2, UInt8(shown.count)], shown,
                    [0, 0x3B],
                    hidden)
            ),
            ("webp", WebPSample.file(WebPSample.lossy(rest: shown), after: hidden)),
            (
                "mp4",
                MP4Sample.file(
                    MP4Sample.movieHeader() + MP4Sample.track() + MP4Sample.box("udta", hidden),
                    after: MP4Sample.box("mdat", shown))
            ),
            ("webm", WebMSample.file(WebMSample.tracks(), after: hidden)),
            ("mp3", MP3Sample.id3 + MP3Sample.header + shown + zeros(413 - shown.count) + MP3Sample.frames + hidden),
            ("ogg", OggSample.file(OggSample.opusHead, text("OpusTags") + zeros(8) + shown, granule: 1, after: hidden)),
        ]
    }()

    private static func chromium(_ address: String, _ folder: TemporaryFolder) async throws -> String {
        let done = try await Tool.run(
            "chromium",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--user-data-dir=\(folder.path)/profile", "--virtual-time-budget=20000", "--dump-dom", address,
            ])
        return done.text
    }

    /// The addresses of the files that the server accepts, and those whose content still contains a page.
    private static func uploaded(_ server: FileServer) async throws -> (addresses: [String], withPage: Int) {
        var (addresses, withPage): ([String], Int) = ([], 0)
        for (name, bytes) in files {
            let response = try await server.upload(Data(bytes))
            guard response.status == 200 else {
                #expect(response.status == 422, "\(name): \(response.text)")
                continue
            }
            let media = try FileServer.decode(response, as: ShownMedia.self)
            let address = try #require(media.url)
            let content = try await server.fetch(address).body
            #expect(content.range(of: Data("ran hidden".utf8)) == nil, "\(name)")
            if content.range(of: Data("ran shown".utf8)) != nil { withPage += 1 }
            addresses.append(address)
        }
        return (addresses, withPage)
    }

    @Test func nothingRunsWhenAFileIsOpened() async throws {
        // Decoders would refuse the pages that are in the place of pixels.
        let server = try await FileServer.start(environment: ["FEED_WITHOUT": "images"])
        let (addresses, withPage) = try await Self.uploaded(server)
        // Pixels are not encoded again, so that only headers can protect the browser.
        #expect(addresses.count >= 6 && withPage >= 3, "\(addresses.count) addresses, \(withPage) with a page")
        let folder = try TemporaryFolder()
        let page = try folder.file("page.html", Self.embedding(addresses))
        let dump = try await Self.chromium("file://" + page, folder)
        // The page notices what runs: a frame of its own.
        let ran = try #require(dump.firstMatch(of: /<pre id="ran">([^<]*)<\/pre>/), "\(dump.suffix(500))").1
        #expect(Set(ran.split(separator: ",")) == ["ran control"], "\(ran)")
        for address in addresses {
            let dump = try await Self.chromium(address, folder)
            #expect(dump.contains("<html") && !dump.contains("data-ran="), "\(address): \(dump.suffix(500))")
        }
    }

    /// A page that opens each address in every way.
    private static func embedding(_ addresses: [String]) -> String {
        let control = String(decoding: page("control"), as: UTF8.self)
            .replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        let parts = addresses.map {
            """
            <iframe src="\($0)"></iframe><object data="\($0)"></object><embed src="\($0)">
            <object data="\($0)" type="text/html"></object><script src="\($0)"></script>
            <script type="module" src="\($0)"></script><link rel="stylesheet" href="\($0)">
            """
        }
        return """
            <!doctype html><meta charset="utf-8"><title>polyglots</title><pre id="ran"></pre><script>
            const ran = new Set();
            addEventListener("message", event => {
              ran.add(String(event.data));
              document.getElementById("ran").textContent = [...ran].join(",");
            });
            </script>
            <iframe srcdoc="\(control)"></iframe>
            \(parts.joined(separator: "\n"))
            """
    }
}
