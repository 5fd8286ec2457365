/// Hand-built WebM files.
enum WebMSample {
    /// An element with a size of `sizeLength` bytes; `nil` for content of unknown size.
    static func element(_ id: Int, _ content: [UInt8], sizeLength: Int = 1, isUnknown: Bool = false) -> [UInt8] {
        let idBytes = big(id, 4).drop { $0 == 0 }
        let size = isUnknown ? (1 << (7 * sizeLength)) - 1 : content.count
        return idBytes + big(size | 1 << (7 * sizeLength), sizeLength) + content
    }

    static func header(_ type: String = "webm") -> [UInt8] {
        element(0x1A45_DFA3, element(0x4286, [1]) + element(0x4282, text(type)) + element(0x4287, [4]))
    }

    /// 2.5 seconds.
    static let duration = element(0x4489, big(Int(Float(2500).bitPattern), 4))

    static func info(_ duration: [UInt8] = WebMSample.duration, name: [UInt8] = secret) -> [UInt8] {
        element(
            0x1549_A966,
            element(0x2AD7B1, big(1_000_000, 3)) + duration + element(0x4D80, name) + element(0x5741, name)
                + (name == secret ? element(0x7BA9, secret) + element(0x4461, zeros(8)) : []),
            sizeLength: 8)
    }

    static let video = element(0xE0, element(0xB0, big(320, 2)) + element(0xBA, big(240, 2)))

    static func tracks(_ extra: [UInt8] = WebMSample.element(0x536E, secret)) -> [UInt8] {
        element(0x1654_AE6B, element(0xAE, element(0xD7, [1]) + element(0x83, [1]) + extra + video), sizeLength: 2)
    }

    static let tags = element(0x1254_C367, secret)
    static let block = element(0xE7, [0]) + element(0xA3, [0x81, 0, 0, 0x80, 9, 9, 9])

    static func file(_ content: [UInt8], isUnknown: Bool = false, after: [UInt8] = []) -> [UInt8] {
        header() + element(0x1853_8067, content, sizeLength: 8, isUnknown: isUnknown) + after
    }

    static let full = file(
        info() + tracks() + element(0x1F43_B675, block, sizeLength: 8) + tags + element(0x1941_A469, secret),
        after: secret)

    /// A group with a block at a time relative to that of its cluster.
    static func group(at time: Int) -> [UInt8] { element(0xA0, element(0xA1, [0x81] + big(time, 2) + zeros(30))) }

    /// As browsers record it. Its last block starts after 2.033 seconds.
    static let live = file(
        info([]) + tracks() + element(0x1F43_B675, block, sizeLength: 8, isUnknown: true)
            + element(
                0x1F43_B675, element(0xE7, big(2000, 2)) + group(at: 33) + group(at: -33), sizeLength: 8,
                isUnknown: true) + tags,
        isUnknown: true)
}

extension WebMSample {
    static func void(_ total: Int) -> [UInt8] {
        total < 9 ? element(0xEC, zeros(total - 2)) : element(0xEC, zeros(total - 9), sizeLength: 8)
    }

    /// The copy of ``full``.
    static let copyOfFull: [UInt8] = {
        let blank = zeros(secret.count)
        let names = element(0x4D80, blank) + element(0x5741, blank)
        let voids = void(secret.count + 3) + void(11)
        let info = element(
            0x1549_A966, element(0x2AD7B1, big(1_000_000, 3)) + duration + names + voids, sizeLength: 8)
        let cluster = element(0x1F43_B675, block, sizeLength: 8)
        return file(info + tracks(void(secret.count + 3)) + cluster + void(tags.count) + void(secret.count + 5))
    }()

    /// Vorbis, whose headers contain comments.
    static let sound = vorbis(
        comments: join([3], text("vorbis"), big(32, 4), secret, zeros(300), [1]), info: info())

    static let copyOfSound: [UInt8] = {
        let names = element(0x4D80, zeros(secret.count)) + element(0x5741, zeros(secret.count))
        let info = join(
            element(0x2AD7B1, big(1_000_000, 3)), duration, names, void(secret.count + 3), void(11))
        let comments = join([3], text("vorbis"), zeros(8), [1], zeros(secret.count + 296))
        return vorbis(comments: comments, info: element(0x1549_A966, info, sizeLength: 8))
    }()

    /// - Parameter comments: 256 to 509 bytes.
    private static func vorbis(comments: [UInt8], info: [UInt8]) -> [UInt8] {
        let identification = join([1], text("vorbis"), zeros(23))
        let lengths: [UInt8] = [2, UInt8(identification.count), 255, UInt8(comments.count - 255)]
        let setup = join(lengths, identification, comments, [5], text("vorbis"), zeros(9))
        let track = join(
            element(0xD7, [1]), element(0x83, [2]), element(0x86, text("A_VORBIS")),
            element(0x63A2, setup, sizeLength: 2))
        let tracks = element(0x1654_AE6B, element(0xAE, track, sizeLength: 2), sizeLength: 2)
        return file(info + tracks + element(0x1F43_B675, block, sizeLength: 8))
    }
}
