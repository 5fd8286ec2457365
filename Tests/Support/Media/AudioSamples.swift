/// Hand-built MP3 files.
enum MP3Sample {
    /// 128 kbit/s and 44.1 kHz: 417 bytes.
    static let header: [UInt8] = [0xFF, 0xFB, 0x90, 0x64]
    static let frame = header + [UInt8](repeating: 7, count: 413)
    static let information = header + zeros(32) + text("Xing") + zeros(377)
    static let id3 = text("ID3") + [4, 0, 0, 0, 0, 0, UInt8(secret.count)] + secret
    static let id3v1 = text("TAG") + secret + zeros(125 - secret.count)

    /// An APEv2 tag with header and footer.
    static let ape: [UInt8] = {
        let size = join(little(2000, 4), little(secret.count + 32, 4), little(1, 4))
        let header = join(text("APETAGEX"), size, little(0xA000_0000, 4), zeros(8))
        return join(header, secret, text("APETAGEX"), size, little(0x8000_0000, 4), zeros(8))
    }()

    static let frames = information + frame + frame + frame
    static let full = id3 + frames + ape + id3v1
}

/// Hand-built Ogg files.
enum OggSample {
    static func page(
        _ packet: [UInt8], number: Int, flags: UInt8 = 0, granule: Int = 0, serial: Int = 7
    ) -> [UInt8] {
        let segments = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        let head = join(text("OggS"), [0, flags], little(granule, 8), little(serial, 4), little(number, 4))
        let tail = [UInt8(segments.count)] + segments + packet
        return join(head, little(Int(checksum(head + zeros(4) + tail)), 4), tail)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 0 ? 0 : 0x04C1_1DB7) }
        }
    }

    static let opusHead = join(text("OpusHead"), [1, 2], little(312, 2), little(48_000, 4), [0, 0, 0])
    static let vorbisHead = join([1], text("vorbis"), zeros(4), [2], little(44_100, 4), zeros(12), [0xB8, 1])

    private static let comments =
        join(little(4, 4), text("Lavf"), little(1, 4), little(secret.count, 4), secret)

    static func file(_ head: [UInt8], _ tags: [UInt8], granule: Int, after: [UInt8] = []) -> [UInt8] {
        page(head, number: 0, flags: 2) + page(tags, number: 1)
            + page(zeros(300), number: 2, flags: 4, granule: granule) + after
    }

    static let opus = file(opusHead, text("OpusTags") + comments, granule: 120_312, after: secret)
    static let copyOfOpus = file(opusHead, text("OpusTags") + zeros(comments.count), granule: 120_312)

    static let vorbis = file(vorbisHead, join([3], text("vorbis"), comments, [1]), granule: 110_250)
    static let copyOfVorbis = file(
        vorbisHead, join([3], text("vorbis"), zeros(8), [1], zeros(comments.count - 8)), granule: 110_250)
}
