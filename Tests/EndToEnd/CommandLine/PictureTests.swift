import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Pictures in the terminal, and the process that decodes them.
@Suite(.hangLimit, .enabled(if: ImageLibrary.areInstalled))
struct PictureTests {
    /// Starts the decoder as `feedclient` does: with regular files as its input and output.
    private static func decode(
        _ file: Data, _ size: (Int, Int), environment: [String: String] = [:]
    ) async throws -> Finished {
        try await Tool.run(
            Programs.feedclient, ["decode-picture", "\(size.0)", "\(size.1)"], input: file,
            environment: environment.merging(["MALLOC_ARENA_MAX": "1"]) { given, _ in given })
    }

    private static let samples: [(Data, (Int, Int))] =
        [
            (SampleImages.png(20, 10), (5, 2)), (SampleImages.png(20, 10, isTransparent: true), (20, 10)),
            (SampleImages.jpeg, (2, 1)), (SampleImages.gif, (1, 1)),
        ] + SampleImages.webP.map { ($0, (1, 1)) }

    @Test(arguments: samples.indices) func everyFormatIsDecoded(_ index: Int) async throws {
        let (file, size) = Self.samples[index]
        let done = try await Self.decode(file, size)
        #expect(done.code == 0 && done.output.count == size.0 * size.1 * 4, "\(done.code) \(done.error)")
    }

    @Test func pixelsAreThoseOfThePicture() async throws {
        let done = try await Self.decode(SampleImages.png(20, 10), (2, 1))
        #expect(Array(done.output) == [0, 0, 0, 255, 255, 255, 255, 255])
    }

    @Test(arguments: [
        Data(), Data("hello".utf8), Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8),
        SampleImages.png(100, 100).prefix(60), SampleImages.jpeg.prefix(40), SampleImages.gif.prefix(12),
        SampleBytes.make(100_000), SampleImages.png(4, 4) + Data(count: 9 << 20),
    ])
    func damagedPicturesAreRefused(_ file: Data) async throws {
        let done = try await Self.decode(file, (4, 4))
        #expect(done.code == 1 && done.output.isEmpty, "\(done.code)")
    }

    @Test(arguments: [(0, 1), (-1, 5), (70_000, 1), (10_000, 10_000)])
    func impossibleSizesAreRefused(_ width: Int, _ height: Int) async throws {
        #expect(try await Self.decode(SampleImages.gif, (width, height)).code == 2)
    }

    @Test func withoutTheLibrariesNothingIsDecoded() async throws {
        let png = try await Self.decode(SampleImages.png(4, 4), (4, 4), environment: ["FEED_WITHOUT": "images"])
        #expect(png.code == 1 && png.output.isEmpty)
        // GIF needs no library.
        #expect(try await Self.decode(SampleImages.gif, (1, 1), environment: ["FEED_WITHOUT": "images"]).code == 0)
    }

    /// A feed with a picture, and one behind a content warning.
    private static func feed() async throws -> (ServerProcess, ClientHome) {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        let path = try home.folder.file("boat.png")
        try SampleImages.png(60, 40).write(to: URL(fileURLWithPath: path))
        let warned = try await home.run("post", "two", "--media", path, "--alt", "hidden", "--spoiler", "cw")
        #expect(warned.code == 0, "\(warned.error)")
        let posted = try await home.run("post", "one", "--media", path, "--alt", "a boat")
        #expect(posted.code == 0, "\(posted.error)")
        return (server, home)
    }

    @Test(arguments: [
        ("blocks", "▀"), ("sixel", "\u{1B}P0;1;0q"), ("kitty", "\u{1B}_Ga=T,f="),
        ("iterm", "\u{1B}]1337;File=inline=1"),
    ])
    func mediaIsShown(name: String, mark: String) async throws {
        let (server, home) = try await Self.feed()
        let shown = try await home.run("timeline", "--images", name)
        #expect(shown.code == 0 && shown.error.isEmpty, "\(shown.error)")
        let text = try #require(shown.text.range(of: "one\n"))
        let end = try #require(shown.text.range(of: "▣ image, 60 × 40: a boat"))
        // Between the text and its description.
        #expect(shown.text[text.upperBound..<end.lowerBound].contains(mark))
        let again = try await home.run("timeline", "--images", name)
        #expect(again.text.contains(mark))
        // Elsewhere, avatars are not shown.
        let showsAvatars = ["kitty", "iterm"].contains(name)
        try await Wait.until("the requests are logged") {
            server.log.contains("path=/media/") && (!showsAvatars || server.log.contains("path=/avatars/"))
        }
        try await server.stop()
        // The picture is loaded once, and what is behind the content warning is not loaded at all.
        #expect(server.log.components(separatedBy: "path=/media/").count == 2)
        #expect(server.log.contains("path=/avatars/") == showsAvatars)
        let offline = try await home.run("timeline", "--offline", "--images", name)
        #expect(offline.code == 0 && offline.text.contains(mark) && offline.text.contains("one\n"), "\(offline.error)")
    }

    @Test func nothingIsLoadedWithoutATerminal() async throws {
        let (server, home) = try await Self.feed()
        for arguments in [
            ["timeline"], ["timeline", "--images", "none"], ["timeline", "--images", "blocks", "--json"],
        ] {
            let done = try await Tool.run(Programs.feedclient, arguments, environment: home.environment)
            #expect(done.code == 0 && !done.text.contains("\u{1B}") && !done.text.contains("▀"), "\(done.error)")
        }
        try await server.stop()
        #expect(!server.log.contains("path=/media/") && !server.log.contains("path=/avatars/"))
    }

    @Test func showAndConversationsShowMedia() async throws {
        let (server, home) = try await Self.feed()
        for id in try await home.run("timeline", "--json").ids() {
            // Show reveals what is behind the content warning.
            let alone = try await home.run("show", id, "--images", "blocks")
            #expect(alone.text.contains("▀"))
            let thread = try await home.run("show", id, "--thread", "--images", "blocks")
            #expect(thread.text.contains("▀"))
            #expect(try await !home.run("show", id).text.contains("▀"))
        }
        try await server.stop()
    }

    /// The description remains when the picture cannot be decoded.
    @Test func undecodablePicturesLeaveTheirDescription() async throws {
        let (server, home) = try await Self.feed()
        let shown = try await Tool.run(
            Programs.feedclient, ["timeline", "--images", "sixel"],
            environment: home.environment.merging(["FEED_WITHOUT": "images"]) { $1 })
        #expect(shown.code == 0 && shown.error.isEmpty && !shown.text.contains("\u{1B}"), "\(shown.error)")
        #expect(shown.text.contains("▣ image, 60 × 40: a boat"))
        try await server.stop()
    }
}
