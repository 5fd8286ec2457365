import FeedFiles

extension HostileRow {
    static let png: [HostileRow] = [
        HostileRow("PNG: only its signature", PNGSample.signature, .incomplete),
        HostileRow("PNG: 50,000 × 50,000", PNGSample.file(header: PNGSample.header(50_000, 50_000)), .tooLarge),
        HostileRow("PNG: 2³² × 2³²", PNGSample.file(header: PNGSample.header(0xFFFF_FFFF, 0xFFFF_FFFF)), .tooLarge),
        HostileRow("PNG: a very wide line", PNGSample.file(header: PNGSample.header(33_000_000, 1)), .tooLarge),
        HostileRow("PNG: without a width", PNGSample.file(header: PNGSample.header(0, 8)), .damaged),
        HostileRow("PNG: 3 bits", PNGSample.file(header: PNGSample.header(16, 8, depth: 3)), .damaged),
        HostileRow("PNG: color type 7", PNGSample.file(header: PNGSample.header(16, 8, color: 7)), .damaged),
        HostileRow("PNG: palette missing", PNGSample.file(header: PNGSample.header(16, 8, color: 3)), .damaged),
        HostileRow("PNG: two headers", PNGSample.file(PNGSample.header(8, 8)), .damaged),
        HostileRow("PNG: header not first", PNGSample.file(header: []), .damaged),
        HostileRow("PNG: wrong checksum of the header", PNGSample.file().changing(32, to: 0), .damaged),
        HostileRow(
            "PNG: wrong checksum of the data", PNGSample.file().changing(PNGSample.file().count - 13, to: 0x55),
            .damaged),
        HostileRow(
            "PNG: chunk of 4 GiB",
            PNGSample.file([0xFF, 0xFF, 0xFF, 0xFF] + text("tEXt") + secret), .incomplete),
        HostileRow(
            "PNG: chunk with an invalid name", PNGSample.file(big(0, 4) + [0, 0, 0, 0] + zeros(4)), .damaged),
        HostileRow("PNG: no data", PNGSample.file(data: []), .damaged),
        HostileRow(
            "PNG: interrupted data",
            PNGSample.file(data: PNGSample.data + PNGSample.chunk("tEXt", secret) + PNGSample.data), .damaged),
        HostileRow("PNG: unknown critical chunk", PNGSample.file(PNGSample.chunk("CgBI", zeros(4))), .unsupported),
        HostileRow("PNG: palette of 257 colors", PNGSample.file(PNGSample.chunk("PLTE", zeros(771))), .damaged),
        HostileRow("PNG: 10,000 frames", PNGSample.animated(10_000), .tooLarge),
        HostileRow("PNG: fewer frames than stated", PNGSample.animated(2, stated: 3), .damaged),
        HostileRow("PNG: no frames", PNGSample.animated(1, stated: 0), .damaged),
        HostileRow(
            "PNG: frame outside the image", PNGSample.file(PNGSample.animation(1) + PNGSample.frame(0, x: 1)), .damaged),
        HostileRow(
            "PNG: frame at 2³²",
            PNGSample.file(PNGSample.animation(1) + PNGSample.frame(0, 0xFFFF_FFFF, x: 0xFFFF_FFFF)), .damaged),
        HostileRow(
            "PNG: frames out of order",
            PNGSample.file(PNGSample.animation(1) + PNGSample.frame(0), data: PNGSample.data + PNGSample.frameData(5)),
            .damaged),
    ]

    static let pngParts: [HostileRow] = [
        HostileRow(sanitized: "PNG: script after the end", PNGSample.file(after: secret)),
        HostileRow(sanitized: "PNG: profile too short", PNGSample.file(PNGSample.chunk("iCCP", [1, 2, 3]))),
        HostileRow(
            sanitized: "PNG: transparency too long", PNGSample.file(PNGSample.chunk("tRNS", secret + zeros(300)))),
        HostileRow(
            sanitized: "PNG: frames without an animation",
            PNGSample.file(PNGSample.frame(9), data: PNGSample.data + PNGSample.chunk("fdAT", secret))),
        HostileRow(sanitized: "PNG: repeated property", PNGSample.file(PNGSample.kept + PNGSample.kept)),
        HostileRow(
            sanitized: "PNG: a large secret after the orientation",
            PNGSample.file(
                PNGSample.chunk("eXIf", PNGSample.orientation(6) + zeros(200_000) + secret), data: PNGSample.data)),
        HostileRow(
            sanitized: "PNG: Exif data with a wrong checksum",
            PNGSample.file(PNGSample.chunk("eXIf", PNGSample.orientation(6) + secret).dropLast(4) + zeros(4))),
        HostileRow(
            sanitized: "PNG: Exif data of one byte, and twice",
            PNGSample.file(PNGSample.chunk("eXIf", [0x4D]) + PNGSample.chunk("eXIf", secret))),
    ]

    static let gif: [HostileRow] = [
        HostileRow("GIF: only its head", GIFSample.head(16, 8), .incomplete),
        HostileRow(
            "GIF: 10,000 frames", GIFSample.file((0..<10_000).flatMap { _ in GIFSample.frame(1, 1) }), .tooLarge),
        HostileRow("GIF: 50,000 × 50,000", GIFSample.head(50_000, 50_000) + GIFSample.frame() + [0x3B], .tooLarge),
        HostileRow(
            "GIF: many large frames",
            GIFSample.head(5000, 6000) + (0..<67).flatMap { _ in GIFSample.frame(5000, 6000) } + [0x3B], .tooLarge),
        HostileRow("GIF: empty image", GIFSample.head(0, 0) + GIFSample.frame(0, 0) + [0x3B], .damaged),
        HostileRow("GIF: first frame of 4 gigapixels", GIFSample.file(GIFSample.frame(65_535, 65_535)), .tooLarge),
        HostileRow("GIF: first frame far outside the image", GIFSample.file(GIFSample.frame(x: 65_535)), .tooLarge),
        HostileRow(
            "GIF: later frame of 4 gigapixels",
            GIFSample.file(GIFSample.frame() + GIFSample.frame(65_535, 65_535)), .tooLarge),
        HostileRow("GIF: empty frame", GIFSample.file(GIFSample.frame(0, 8)), .damaged),
        HostileRow("GIF: no frame", GIFSample.file(GIFSample.comment), .damaged),
        HostileRow("GIF: codes of 12 bits", GIFSample.file(GIFSample.frame(codeSize: 12)), .damaged),
        HostileRow("GIF: unknown block", GIFSample.file(GIFSample.frame() + [0x99]), .damaged),
        HostileRow("GIF: ends in a frame", GIFSample.head(16, 8) + GIFSample.frame().dropLast(2), .incomplete),
        HostileRow("GIF: invalid control", GIFSample.file([0x21, 0xF9, 9] + zeros(10)), .damaged),
        HostileRow(sanitized: "GIF: script in a comment", GIFSample.file(GIFSample.comment + GIFSample.frame())),
        HostileRow(sanitized: "GIF: script after the end", GIFSample.file(GIFSample.frame(), after: secret)),
    ]

    static let webp: [HostileRow] = [
        HostileRow("WebP: longer than the file", WebPSample.file(WebPSample.lossy(), size: 5000), .incomplete),
        HostileRow("WebP: 4 GiB", WebPSample.file(WebPSample.lossy(), size: 0xFFFF_FFFF), .incomplete),
        HostileRow("WebP: size 0", WebPSample.file(WebPSample.lossy(), size: 0), .damaged),
        HostileRow("WebP: 16,383 × 16,383", WebPSample.file(WebPSample.lossy(16_383, 16_383)), .tooLarge),
        HostileRow("WebP: empty image", WebPSample.file(WebPSample.lossy(0, 0)), .damaged),
        HostileRow(
            "WebP: 2²⁴ × 2²⁴",
            WebPSample.file(WebPSample.canvas(1 << 24, 1 << 24, flags: 0) + WebPSample.lossy()), .tooLarge),
        HostileRow(
            "WebP: image larger than stated",
            WebPSample.file(WebPSample.canvas(flags: 0) + WebPSample.lossy(16_383, 16_383)), .damaged),
        HostileRow("WebP: no key frame", WebPSample.file(WebPSample.lossy(tag: 0x11)), .damaged),
        HostileRow("WebP: image of 4 bytes", WebPSample.file(WebPSample.chunk("VP8 ", zeros(4))), .damaged),
        HostileRow("WebP: metadata first", WebPSample.file(WebPSample.metadata + WebPSample.lossy()), .damaged),
        HostileRow("WebP: two images", WebPSample.file(WebPSample.lossy() + WebPSample.lossy()), .damaged),
        HostileRow("WebP: no image", WebPSample.file(WebPSample.canvas(flags: 0)), .damaged),
        HostileRow(
            "WebP: chunk longer than the file",
            WebPSample.file(WebPSample.lossy() + text("EXIF") + little(0xFFFF_FFFF, 4)), .damaged),
        HostileRow(
            "WebP: 10,000 frames",
            WebPSample.file(
                WebPSample.canvas(flags: 2) + WebPSample.animation + (0..<10_000).flatMap { _ in WebPSample.frame() }),
            .tooLarge),
        HostileRow(
            "WebP: frame outside the image",
            WebPSample.file(WebPSample.canvas(flags: 2) + WebPSample.animation + WebPSample.frame(x: 1)), .damaged),
        HostileRow(
            "WebP: frame with another size",
            WebPSample.file(
                WebPSample.canvas(flags: 2) + WebPSample.animation + WebPSample.frame(WebPSample.lossy(800, 800))),
            .damaged),
        HostileRow(
            "WebP: metadata in a frame",
            WebPSample.file(
                WebPSample.canvas(flags: 2) + WebPSample.animation
                    + WebPSample.frame(WebPSample.lossy() + WebPSample.metadata)), .damaged),
        HostileRow(
            "WebP: frames without an animation",
            WebPSample.file(WebPSample.canvas(flags: 0) + WebPSample.frame()), .damaged),
        HostileRow(
            sanitized: "WebP: invalid profile",
            WebPSample.file(WebPSample.canvas(flags: 0x20) + WebPSample.chunk("ICCP", secret) + WebPSample.lossy())),
        HostileRow(sanitized: "WebP: script after the end", WebPSample.file(WebPSample.lossy(), after: secret)),
    ]
}
