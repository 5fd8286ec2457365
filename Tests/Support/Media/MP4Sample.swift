/// Hand-built MP4 files.
enum MP4Sample {
    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { big(content.count + 8, 4) + text(type) + content }

    static let brand = box("ftyp", text("isom") + zeros(4) + text("isommp41"))
    private static let time = big(0xDEAD_BEEF, 4)
    private static let noTime = zeros(4)

    static func movieHeader(_ time: [UInt8] = MP4Sample.time, scale: Int = 600, duration: Int = 1500) -> [UInt8] {
        box("mvhd", join(zeros(4), time, time, big(scale, 4), big(duration, 4), zeros(80)))
    }

    static func trackHeader(_ time: [UInt8] = MP4Sample.time, isTurned: Bool = false, id: Int = 0) -> [UInt8] {
        let one = big(0x1_0000, 4)
        let upright = join(one, zeros(12), one, zeros(16))
        let matrix = isTurned ? join(zeros(4), one, zeros(4), one, zeros(20)) : upright
        let start = join(zeros(4), time, time, big(id, 4), zeros(24))
        return box("tkhd", join(start, matrix, big(320 << 16, 4), big(240 << 16, 4)))
    }

    static func handler(_ type: String, _ name: [UInt8] = secret) -> [UInt8] {
        box("hdlr", zeros(8) + text(type) + zeros(12) + name)
    }

    static func samples(_ name: [UInt8]) -> [UInt8] {
        let entry = join(
            text("avc1"), zeros(42), Array(name.prefix(32)), zeros(32 - min(32, name.count)), zeros(4))
        return box("stbl", box("stsd", join(zeros(4), big(1, 4), big(entry.count + 4, 4), entry)))
    }

    static func track(_ type: String = "vide", isTurned: Bool = false) -> [UInt8] {
        let header = box("mdhd", zeros(4) + time + time + zeros(12))
        return box(
            "trak",
            trackHeader(isTurned: isTurned) + box("udta", secret)
                + box("mdia", header + handler(type) + box("minf", samples(secret))) + box("meta", secret))
    }

    static let data = box("mdat", [1, 2, 3, 4])

    static func file(_ content: [UInt8], before: [UInt8] = [], after: [UInt8] = MP4Sample.data) -> [UInt8] {
        brand + before + box("moov", content) + after
    }

    static let full = file(
        movieHeader() + track() + box("udta", box("meta", box("loci", secret))) + box("uuid", secret),
        before: box("uuid", secret) + box("free", secret),
        after: data + box("meta", secret) + big(1, 4) + text("uuid") + big(16 + secret.count, 8) + secret)

    /// The copy of ``full``.
    static let copyOfFull: [UInt8] = {
        let free = box("free", zeros(secret.count))
        let header = box("mdhd", zeros(24))
        let media = box(
            "mdia", header + handler("vide", zeros(secret.count)) + box("minf", samples([])))
        let track = box("trak", trackHeader(noTime) + free + media + free)
        return file(
            movieHeader(noTime) + track + box("free", zeros(secret.count + 16)) + free, before: free + free,
            after: data + free + big(1, 4) + text("free") + big(16 + secret.count, 8) + zeros(secret.count))
    }()
}

extension MP4Sample {
    /// A track without samples.
    static func handlerOnly(_ type: String, _ time: [UInt8] = MP4Sample.time) -> [UInt8] {
        box("trak", trackHeader(time) + box("mdia", handler(type, [])))
    }

    /// A track whose samples are data.
    static func dataTrack(_ format: String) -> [UInt8] {
        let samples = box("stsd", zeros(4) + big(1, 4) + box(format, zeros(8) + secret))
        return box("trak", trackHeader() + box("mdia", handler("meta") + box("minf", box("stbl", samples))))
    }

    /// `udta` boxes inside each other.
    static func nested(_ depth: Int) -> [UInt8] {
        let lengths = (1...depth).reversed().flatMap { big(8 * $0 + secret.count, 4) + text("udta") }
        return lengths + secret
    }

    /// A movie in fragments of 600 units, which are a second.
    /// - Parameters:
    ///   - header: The duration that the header states.
    ///   - starts: The times at which the fragments start.
    static func fragmented(header: Int, fragments starts: [Int]) -> [UInt8] {
        let media = box("mdia", mediaHeader + handler("vide") + box("minf", samples(secret)))
        let track = box("trak", trackHeader(id: 7) + media)
        let defaults = box("trex", join(zeros(4), big(7, 4), big(1, 4), big(200, 4), zeros(8)))
        let fragments = starts.enumerated().flatMap { fragment($0.offset, at: $0.element) + data }
        return file(movieHeader(duration: header) + track + box("mvex", defaults), after: fragments)
    }

    private static let mediaHeader = box("mdhd", zeros(12) + big(600, 4) + zeros(8))

    /// The duration of the samples is that of the track, of the fragment, or of each sample.
    private static func fragment(_ number: Int, at start: Int) -> [UInt8] {
        let (header, time, run): ([UInt8], [UInt8], [UInt8])
        switch number {
        case 0:
            header = join(big(0x2_0000, 4), big(7, 4))
            time = join(zeros(4), big(start, 4))
            run = join(big(0x201, 4), big(3, 4), zeros(4), big(4, 4), big(4, 4), big(4, 4))
        case 1:
            header = join(big(0x2_002B, 4), big(7, 4), zeros(8), big(1, 4), big(300, 4), zeros(4))
            time = join(big(1 << 24, 4), big(start, 8))
            run = join(big(0x205, 4), big(2, 4), zeros(8), big(4, 4), big(4, 4))
        default:
            header = join(big(0x2_0000, 4), big(7, 4))
            time = join(zeros(4), big(start, 4))
            run = join(big(0x301, 4), big(2, 4), zeros(4), big(250, 4), big(4, 4), big(350, 4), big(4, 4))
        }
        return box("moof", box("traf", box("tfhd", header) + box("tfdt", time) + box("trun", run)))
    }

    /// A track whose sample entry has a name and other boxes, and whose samples are said to be in another file.
    /// - Parameter entry: The entry without boxes and without its size.
    static func described(_ handler: String, _ entry: [UInt8], isBlank: Bool = false) -> [UInt8] {
        let names = ["name", "uuid", "udta", "meta"]
        let texts = names.flatMap { isBlank ? box("free", zeros(secret.count)) : box($0, secret) }
        let content = join(entry, texts, box("colr", zeros(11)))
        let samples = box("stsd", join(zeros(4), big(1, 4), big(content.count + 4, 4), content))
        let address = box("url ", zeros(4) + (isBlank ? zeros(secret.count) : secret))
        let source = box("dinf", box("dref", join(zeros(4), big(2, 4), address, box("url ", big(1, 4)))))
        let media = self.handler(handler, zeros(0)) + box("minf", source + box("stbl", samples))
        return box("trak", trackHeader(noTime) + box("mdia", media))
    }

    /// Entries of video, sound, sound in QuickTime, and time codes.
    static let entries: [(handler: String, entry: [UInt8])] = [
        ("vide", text("avc1") + zeros(78)), ("soun", text("mp4a") + zeros(28)),
        ("soun", text("mp4a") + zeros(8) + big(1, 2) + zeros(34)),
        ("soun", text("mp4a") + zeros(8) + big(2, 2) + zeros(54)), ("tmcd", text("tmcd") + zeros(26)),
    ]
}
