/// The header of an MPEG audio frame, layer III (ISO/IEC 11172-3, 2.4.1.3).
struct MP3Frame {
    private static let rates = [44_100, 48_000, 32_000]
    /// Kilobits per second.
    private static let bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let lowBitrates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

    /// The number of bytes, with the header.
    let length: Int
    /// The number of samples per channel.
    let samples: Int64
    /// Samples per second.
    let rate: Int
    /// What all frames of a file have in common: version and sample rate.
    let key: Int

    /// - Returns: `nil` if the bytes do not start with a header. A frame with a bitrate of its own has no known length.
    init?(_ bytes: some BidirectionalCollection<UInt8>) {
        let header = bytes.big(0, 4)
        let (version, layer) = (header >> 19 & 3, header >> 17 & 3)
        let (bitrate, rate) = (header >> 12 & 15, header >> 10 & 3)
        guard bytes.prefix(4).count == 4, header >> 21 == 0x7FF, version != 1, layer == 1, (1...14).contains(bitrate),
            rate < 3, header & 3 != 2
        else { return nil }
        let isFirst = version == 3
        self.rate = Self.rates[rate] / (isFirst ? 1 : version == 2 ? 2 : 4)
        let kilobits = isFirst ? Self.bitrates[bitrate] : Self.lowBitrates[bitrate]
        length = (isFirst ? 144 : 72) * kilobits * 1000 / self.rate + (header >> 9 & 1)
        samples = isFirst ? 1152 : 576
        key = (header >> 17) << 2 | rate
    }

    /// Whether a frame contains no sound but the properties of the file. They are 32, 17 or 9 bytes after the header.
    static func isInformation(_ bytes: ArraySlice<UInt8>) -> Bool {
        [36, 21, 13].contains { ["Xing", "Info"].contains(bytes.text($0, 4)) }
    }
}

/// Tags that surround the sound.
enum MP3Tag {
    /// The number of bytes needed to recognize a tag.
    static let headLength = 32

    /// The length in bytes of the tag with which `bytes` begins; `nil` if there is none.
    static func length(_ bytes: ArraySlice<UInt8>) -> Int64? {
        switch bytes.text(0, 3) {
        case "ID3": id3(bytes)
        case "TAG": bytes.text(3, 1) == "+" ? 227 : 128
        case "APE" where bytes.text(3, 5) == "TAGEX" && bytes.count >= headLength: ape(bytes)
        default: nil
        }
    }

    /// ID3v2.4, 3.1: ten bytes, the content, and perhaps ten more.
    private static func id3(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let size = bytes.part(6, 4)
        guard size.count == 4, size.allSatisfy({ $0 < 0x80 }) else { return nil }
        let hasFooter = bytes.big(5, 1) & 0x10 != 0
        return 10 + size.reduce(0) { $0 << 7 | Int64($1) } + (hasFooter ? 10 : 0)
    }

    /// APEv2: the stated size includes the footer, but not the header.
    private static func ape(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let isHeader = bytes.little(20, 4) & 0x2000_0000 != 0
        return Int64(headLength) + (isHeader ? Int64(bytes.little(12, 4)) : 0)
    }
}
