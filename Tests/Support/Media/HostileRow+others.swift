import FeedFiles

extension HostileRow {
    private static let manyBoxes = Array([[UInt8]](repeating: MP4Sample.box("free", []), count: 201_000).joined())
    private static let movie = MP4Sample.movieHeader() + MP4Sample.track()

    static let mp4: [HostileRow] = [
        HostileRow("MP4: box of 4 bytes", MP4Sample.file(movie, after: big(4, 4) + text("free")), .damaged),
        HostileRow(
            "MP4: box longer than the file", MP4Sample.file(movie, after: big(99, 4) + text("mdat")), .incomplete),
        HostileRow(
            "MP4: box of 2⁶⁴ bytes",
            MP4Sample.file(movie, after: big(1, 4) + text("mdat") + [UInt8](repeating: 0xFF, count: 8)), .incomplete),
        HostileRow(
            "MP4: large size of 8 bytes", MP4Sample.file(movie, after: big(1, 4) + text("mdat") + big(8, 8)), .damaged),
        HostileRow("MP4: box longer than its container", MP4Sample.file(movie + big(99, 4) + text("udta")), .damaged),
        HostileRow("MP4: no movie", MP4Sample.brand + MP4Sample.data, .damaged),
        HostileRow("MP4: empty movie", MP4Sample.file(MP4Sample.movieHeader()), .damaged),
        HostileRow("MP4: only data", MP4Sample.file(MP4Sample.movieHeader() + MP4Sample.dataTrack("mett")), .damaged),
        HostileRow("MP4: two movies", MP4Sample.file(movie, after: MP4Sample.box("moov", movie)), .damaged),
        HostileRow("MP4: short header", MP4Sample.file(MP4Sample.box("mvhd", zeros(20))), .damaged),
        HostileRow("MP4: long header", MP4Sample.file(MP4Sample.box("mvhd", zeros(70_000))), .damaged),
        HostileRow("MP4: positions of the camera", MP4Sample.file(movie + MP4Sample.dataTrack("gpmd")), .unsupported),
        HostileRow("MP4: camera motion", MP4Sample.file(movie + MP4Sample.dataTrack("camm")), .unsupported),
        HostileRow(
            "MP4: 201,000 boxes",
            MP4Sample.file(movie, after: manyBoxes),
            .tooLarge),
        HostileRow(sanitized: "MP4: 10,000 nested boxes", MP4Sample.file(movie + MP4Sample.nested(10_000))),
        HostileRow(sanitized: "MP4: movement of a phone", MP4Sample.file(movie + MP4Sample.dataTrack("mett"))),
        HostileRow(
            "MP4: box longer than its track", MP4Sample.file(movie + MP4Sample.box("trak", big(99, 4) + text("udta"))),
            .damaged),
        HostileRow(sanitized: "MP4: unknown box", MP4Sample.file(movie + MP4Sample.box("SECR", secret))),
        HostileRow(sanitized: "MP4: bytes after the last box", MP4Sample.file(movie) + Array(secret.prefix(7))),
    ]

    static let webm: [HostileRow] = [
        HostileRow("WebM: only its head", WebMSample.header(), .damaged),
        HostileRow("WebM: Matroska", WebMSample.file([]).replacing("webm", with: "xebm"), .unsupported),
        HostileRow("WebM: no tracks", WebMSample.file(WebMSample.info()), .damaged),
        HostileRow("WebM: invalid element", WebMSample.file(WebMSample.tracks() + [0, 0, 0]), .damaged),
        HostileRow(
            "WebM: element longer than the file", WebMSample.file(WebMSample.tracks() + [0xEC, 0x90]), .incomplete),
        HostileRow(
            "WebM: element longer than its container",
            WebMSample.file(
                WebMSample.element(0x1654_AE6B, [0xAE, 0x90, 1]) + WebMSample.element(0xEC, zeros(20))), .damaged),
        HostileRow(
            "WebM: tags of unknown size",
            WebMSample.file(WebMSample.tracks() + WebMSample.element(0x1254_C367, secret, isUnknown: true)), .damaged),
        HostileRow(
            sanitized: "WebM: small tags", WebMSample.file(WebMSample.tracks() + [0x12, 0x54, 0xC3, 0x67, 0x80])),
        HostileRow(sanitized: "WebM: script after the end", WebMSample.file(WebMSample.tracks(), after: secret)),
    ]

    static let audio: [HostileRow] = [
        HostileRow("MP3: only a tag", MP3Sample.id3, .unsupported),
        HostileRow(
            "MP3: tag of 256 MiB", text("ID3") + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F] + MP3Sample.frames, .unsupported),
        HostileRow("MP3: sound in FLAC", MP3Sample.id3 + text("fLaC") + zeros(5000), .unsupported),
        HostileRow("MP3: one header", MP3Sample.header + zeros(20), .unsupported),
        HostileRow(sanitized: "MP3: text between frames", MP3Sample.frames + secret + MP3Sample.frames),
        HostileRow(
            sanitized: "MP3: invalid size of a tag",
            MP3Sample.frames + text("ID3") + [4, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF] + secret),
        HostileRow(
            sanitized: "MP3: APE tag of 4 GiB",
            join(
                MP3Sample.frames, text("APETAGEX"), zeros(4), little(0xFFFF_FFFF, 4), zeros(4), little(0xA000_0000, 4),
                zeros(8), secret)),
        HostileRow("Ogg: only a mark", text("OggS"), .incomplete),
        HostileRow("Ogg: wrong checksum", OggSample.opus.changing(40, to: 0x55), .damaged),
        HostileRow(
            "Ogg: Theora", OggSample.file([0x80] + text("theora") + zeros(40), secret, granule: 1), .unsupported),
        HostileRow(
            "Ogg: short comments", OggSample.file(OggSample.opusHead, text("OpusTags") + zeros(7), granule: 1), .damaged
        ),
        HostileRow("Ogg: other comments", OggSample.file(OggSample.opusHead, secret, granule: 1), .damaged),
        HostileRow(
            "Ogg: no sound", OggSample.page(OggSample.opusHead, number: 0, flags: 2), .incomplete),
        HostileRow(
            "Ogg: page without a stream",
            OggSample.page(OggSample.opusHead, number: 0, flags: 2) + OggSample.page([1], number: 1, serial: 8),
            .damaged),
        HostileRow(
            "Ogg: missing page",
            OggSample.page(OggSample.opusHead, number: 0, flags: 2)
                + OggSample.page(text("OpusTags"), number: 1, flags: 1), .damaged),
        HostileRow(
            "Ogg: 65 streams",
            (0..<65).flatMap { OggSample.page(OggSample.opusHead, number: 0, flags: 2, serial: $0) }, .tooLarge),
        HostileRow(
            "Ogg: Vorbis without a sample rate",
            OggSample.file(OggSample.vorbisHead.changing(12, to: 0).changing(13, to: 0), secret, granule: 1), .damaged),
    ]
}
