import FeedFiles

extension HostileRow {
    private typealias Sample = JPEGSample

    static let jpeg: [HostileRow] = [
        HostileRow("JPEG: only its start", [0xFF, 0xD8, 0xFF], .incomplete),
        HostileRow("JPEG: ends in a table", Array(Sample.file().prefix(40)), .incomplete),
        HostileRow("JPEG: ends in a scan", Array(Sample.file().dropLast(2)), .incomplete),
        HostileRow("JPEG: 50,000 × 50,000", Sample.image(Sample.frame(50_000, 50_000)), .tooLarge),
        HostileRow("JPEG: without a height", Sample.image(Sample.frame(16, 0)), .damaged),
        HostileRow("JPEG: without a width", Sample.image(Sample.frame(0, 16)), .damaged),
        HostileRow(
            "JPEG: more components than stated",
            Sample.image(Sample.segment(0xC0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0, 2, 0x11, 0])), .damaged),
        HostileRow(
            "JPEG: 255 components", Sample.image(Sample.segment(0xC0, [8, 0, 8, 0, 8, 255] + zeros(765))), .damaged),
        HostileRow("JPEG: short frame header", Sample.image(Sample.segment(0xC0, [8, 0])), .damaged),
        HostileRow("JPEG: two frames", Sample.image(Sample.frame(16, 8) + Sample.frame(8, 8)), .damaged),
        HostileRow(
            "JPEG: frame after a scan",
            Sample.file(between: Sample.frame(60_000, 60_000) + Sample.scanHeader + Sample.data), .damaged),
        HostileRow("JPEG: image in the image", Sample.file(between: Sample.file()), .damaged),
        HostileRow("JPEG: lossless", Sample.image(Sample.frame(16, 8, marker: 0xC3)), .unsupported),
        HostileRow("JPEG: arithmetic", Sample.image(Sample.frame(16, 8, marker: 0xC9)), .unsupported),
        HostileRow("JPEG: 12 bits", Sample.image(Sample.frame(16, 8, bits: 12)), .unsupported),
        HostileRow("JPEG: length 0", Sample.start + [0xFF, 0xE1, 0, 0] + Sample.file(), .damaged),
        HostileRow("JPEG: length 1", Sample.start + [0xFF, 0xE1, 0, 1] + Sample.file(), .damaged),
        HostileRow("JPEG: length 65,535", Sample.start + [0xFF, 0xE1, 0xFF, 0xFF] + Sample.file(), .incomplete),
        HostileRow("JPEG: huge table", Sample.file(Sample.segment(0xDB, zeros(60_000))), .damaged),
        HostileRow("JPEG: no scan", Sample.start + Sample.frame(16, 8) + Sample.end, .damaged),
        HostileRow("JPEG: no frame", Sample.start + Sample.scanHeader + Sample.data + Sample.end, .damaged),
        HostileRow(
            "JPEG: short scan header", Sample.start + Sample.frame(16, 8) + Sample.segment(0xDA, []) + Sample.end,
            .damaged),
        HostileRow("JPEG: 101 scans", Sample.scans(101), .tooLarge),
        HostileRow("JPEG: HTML with its signature", [0xFF, 0xD8, 0xFF] + text("<html>") + secret, .incomplete),
    ]

    /// Segments from which nothing is kept.
    static let ignoredSegments: [[UInt8]] = [
        Sample.exif(orientation: 9), Sample.exif(orientation: 0), Sample.exif(orientation: 265),
        Sample.exif(orientation: 6, directory: 0x7FFF_FFFF), Sample.exif(orientation: 6, directory: 0xFFFF_FFFF),
        Sample.exif(orientation: 6, isBig: false, directory: 0xFFFF_FFFE), Sample.exif(orientation: 6, directory: 200),
        Sample.exif(orientation: 6, entries: 0), Sample.segment(0xE1, text("Exif\0\0")),
        Sample.segment(0xE1, text("Exif\0\0MM") + [0, 42]), Sample.segment(0xE1, []),
        Sample.segment(0xE0, text("JFIF\0")), Sample.segment(0xEE, text("Adobe")),
        Sample.profile(1, of: 2), Sample.profile(2, of: 2), Sample.profile(0, of: 0), Sample.profile(2, of: 1),
        Sample.profile() + Sample.profile(), Sample.profile(stated: 0xFFFF_FFFF), Sample.profile(stated: 0),
        Sample.profile(size: 100), Sample.segment(0xE2, text("ICC_PROFILE\0")),
        Sample.segment(0xE2, text("ICC_PROFILE\0") + [1, 1]), Sample.profile(1, of: 3) + Sample.profile(3, of: 3),
    ]

    static let jpegParts: [HostileRow] =
        ignoredSegments.enumerated().map { index, segment in
            HostileRow(sanitized: "JPEG: ignored segment \(index)", Sample.file(segment))
        } + [
            HostileRow(
                sanitized: "JPEG: 65,535 Exif entries", Sample.file(Sample.exif(orientation: 6, entries: 65_535))),
            HostileRow(sanitized: "JPEG: second image after the end", Sample.file(after: Sample.file() + secret)),
            HostileRow(sanitized: "JPEG: ZIP after the end", Sample.file(after: [0x50, 0x4B, 3, 4] + secret)),
            HostileRow(sanitized: "JPEG: script in a comment", Sample.file(Sample.comment)),
            HostileRow(sanitized: "JPEG: text between segments", Sample.file(Sample.segment(0xEC, []) + secret)),
            HostileRow(sanitized: "JPEG: text after a marker without data", Sample.file(between: [0xFF, 1] + secret)),
            HostileRow(sanitized: "JPEG: script in a restart marker", Sample.file([0xFF, 0xD3] + secret)),
            HostileRow(sanitized: "JPEG: fill bytes", Sample.file([UInt8](repeating: 0xFF, count: 1000))),
        ]
}
