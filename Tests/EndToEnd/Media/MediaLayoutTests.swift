import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// The pages of statuses with media in a browser that runs no scripts.
@Suite(.hangLimit)
struct MediaLayoutTests {
    /// The layout of the browser, in CSS pixels.
    private struct Layout: Decodable, Equatable {
        struct Box: Decodable, Equatable {
            let left, top, width, height: Double
        }

        let gallery: Box
        let pictures: [Box]
        /// The top of what follows the gallery.
        let next: Double
    }

    private static let drawing =
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='300' height='200'/%3E"

    private static func page(_ count: Int, meta: MediaMeta) throws -> String {
        var status = Status(
            id: 7, account: Account(id: 1, username: "ada", createdAt: 0), createdAt: 0, text: "look",
            content: "<p>look</p>")
        status.media = (1...count).map {
            MediaAttachment(
                id: Int64($0), kind: .image, format: .jpeg, path: drawing, description: "Picture \($0)",
                focus: MediaFocus(x: -1, y: 0.5), blurhash: "000000", meta: meta)
        }
        let site = try TestServices().services.site
        let edition = try site.assets.edition()
        var context = PageContext(site: site.settings.site, edition: edition, base: "")
        context.show(PageThread(status, in: nil))
        let style = String(decoding: try #require(edition.files["style.css"]), as: UTF8.self)
        return String(decoding: context.html(), as: UTF8.self)
            .replacing(/<link rel="stylesheet"[^>]*>/, with: "<style>\(style)</style>")
            .replacing(/<script[^>]*><\/script>/, with: "")
    }

    /// Lays out pages in frames that run no scripts.
    private static func layouts(_ pages: [String], width: Int) async throws -> [Layout] {
        let folder = try TemporaryFolder()
        let list = String(decoding: try JSONEncoder().encode(pages), as: UTF8.self).replacing("<", with: "\\u003C")
        let path = try folder.file("page.html", measuring(list, width: width))
        let done = try await Tool.run(
            "chromium",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--user-data-dir=" + folder.path + "/profile", "--virtual-time-budget=60000", "--dump-dom",
                "file://" + path,
            ])
        let start = try #require(done.text.range(of: "<pre id=\"layouts\">"), "\(done.error.suffix(500))")
        let text = done.text[start.upperBound...].prefix { $0 != "<" }
        return try JSONDecoder().decode([Layout].self, from: Data(text.utf8))
    }

    private static func measuring(_ pages: String, width: Int) -> String {
        """
        <!doctype html><meta charset="utf-8"><title>layouts</title><pre id="layouts"></pre><script>
        const pages = \(pages);
        const box = element => {
          const found = element.getBoundingClientRect();
          return {left: found.left, top: found.top, width: found.width, height: found.height};
        };
        const measure = page => new Promise(resolve => {
          const frame = document.createElement("iframe");
          frame.sandbox = "allow-same-origin";
          frame.width = \(width);
          frame.height = 3000;
          frame.srcdoc = page;
          frame.onload = () => resolve({
            gallery: box(frame.contentDocument.querySelector(".gallery")),
            pictures: [...frame.contentDocument.querySelectorAll(".picture")].map(box),
            next: frame.contentDocument.querySelector(".stamp").getBoundingClientRect().top
          });
          document.body.append(frame);
        });
        Promise.all(pages.map(measure)).then(layouts => {
          document.getElementById("layouts").textContent = JSON.stringify(layouts);
        });
        </script>
        """
    }

    private static let isInstalled = Tool.isInstalled("chromium")

    /// On a phone and on a wide screen, before and after the pictures have loaded.
    @Test(
        .enabled(if: isInstalled, "chromium is not installed: apt-get install chromium"), arguments: [360, 1200])
    func nothingMovesWhenPicturesLoad(width: Int) async throws {
        let counts = [1, 2, 3, 4]
        let loaded = try counts.map { try Self.page($0, meta: MediaMeta(width: 3000, height: 2000)) }
        let waiting = loaded.map { $0.replacing(Self.drawing.replacing("'", with: "&#39;"), with: "") }
        let layouts = try await Self.layouts(loaded + waiting, width: width)
        try #require(layouts.count == 2 * counts.count)
        for (index, count) in counts.enumerated() {
            let (after, before) = (layouts[index], layouts[index + counts.count])
            #expect(after == before, "\(count) pictures")
            #expect(after.pictures.count == count && after.next >= after.gallery.top + after.gallery.height)
            Self.checkGrid(after, count)
        }
    }

    /// The pictures fill the gallery, do not overlap, and stay inside it.
    private static func checkGrid(_ layout: Layout, _ count: Int) {
        let (frame, boxes) = (layout.gallery, layout.pictures)
        for box in boxes {
            #expect(box.left >= frame.left - 1 && box.left + box.width <= frame.left + frame.width + 1)
            #expect(box.top >= frame.top - 1 && box.top + box.height <= frame.top + frame.height + 1)
        }
        let area = boxes.reduce(0) { $0 + $1.width * $1.height }
        #expect(area > 0.95 * frame.width * frame.height && area <= 1.001 * frame.width * frame.height, "\(count)")
        if count == 1 { #expect(abs(frame.width / frame.height - 1.5) < 0.02) }
    }
}
