/// Hand-built MP4 files.
enum MP4Sample {
    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { big(content.count + 8, 4) + text(type) + content }

    static let brand = box("ftyp", text("isom") + zeros(4) + text("isommp41"))
    private static let time = big(0xDEAD_BEEF, 4)
    private static let noTime = zeros(4)

    static func movieHeader(_ time: [UInt8] = MP4Sample.time, scale: Int = 600, duration: Int = 1500) -> [UInt8] {
        box("mvhd", join(zeros(4), time, time, big(scale, 4), big(duration, 4), zeros(80)))
    }

    static func trackHeader(_ time: [UInt8] = MP4Sample.time, isTurned: Bool = false) -> [UInt8] {
        let one = big(0x1_0000, 4)
        let upright = join(one, zeros(12), one, zeros(16))
        let matrix = isTurned ? join(zeros(4), one, zeros(4), one, zeros(20)) : upright
        return box("tkhd", join(zeros(4), time, time, zeros(28), matrix, big(320 << 16, 4), big(240 << 16, 4)))
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

    /// What remains of ``full``.
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
    static func handlerOnly(_ type: String) -> [UInt8] { box("trak", trackHeader() + box("mdia", handler(type))) }

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
}
