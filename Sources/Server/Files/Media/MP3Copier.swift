import FeedCore

/// Copies the frames of an MP3 file. Everything between and around them is removed: ID3, APE and other tags with names,
/// comments and pictures.
struct MP3Copier<Source: ByteSource, Sink: ByteSink> {
    private var stream: MediaStream<Source, Sink>
    private var first: MP3Frame?
    private var frames = 0
    private var samples: Int64 = 0
    /// Whether the previous frame has just ended. Elsewhere, a header is accepted only if another one follows.
    private var isInSync = false
    /// The number of bytes that are neither frames nor tags.
    private var unknown = 0

    static func copy(_ stream: inout MediaStream<Source, Sink>) throws(MediaError) -> MediaInfo {
        var copier = MP3Copier(stream: stream)
        while copier.stream.remaining >= 4 { try copier.copyFrame() }
        stream = copier.stream
        guard let first = copier.first else { throw noSound }
        return MediaInfo(.mp3, milliseconds: copier.samples * 1000 / Int64(first.rate))
    }

    private init(stream: MediaStream<Source, Sink>) { self.stream = stream }

    private static var noSound: MediaError {
        .unsupported("The file contains no MP3 sound", hint: "Convert it to an ordinary MP3 file.")
    }

    private mutating func copyFrame() throws(MediaError) {
        guard let frame = try nextFrame() else { return try skip() }
        let bytes = try stream.pass(frame.length)
        let isInformation = frames == 0 && MP3Frame.isInformation(bytes)
        first = first ?? frame
        frames += 1
        samples += isInformation ? 0 : frame.samples
        isInSync = true
    }

    private mutating func nextFrame() throws(MediaError) -> MP3Frame? {
        guard let frame = try MP3Frame(stream.peek(4)), isExpected(frame), stream.remaining >= frame.length else {
            return nil
        }
        if isInSync { return frame }
        // A file may consist of one frame.
        if frames == 0, stream.remaining == frame.length { return frame }
        guard stream.remaining >= frame.length + 4 else { return nil }
        let next = try MP3Frame(stream.peek(frame.length + 4).dropFirst(frame.length))
        return next?.key == frame.key ? frame : nil
    }

    private func isExpected(_ frame: MP3Frame) -> Bool { first.map { $0.key == frame.key } ?? true }

    /// Skips a tag, or a byte.
    private mutating func skip() throws(MediaError) {
        isInSync = false
        let head = try stream.peek(Int(min(Int64(MP3Tag.headLength), stream.remaining)))
        if let length = MP3Tag.length(head) { return try stream.skip(min(length, stream.remaining)) }
        unknown += 1
        guard unknown <= MediaFormatLimits.unknownBytes else { throw Self.noSound }
        try stream.skip(1)
    }
}

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
    /// The properties that all frames of a file share: version and sample rate.
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
private enum MP3Tag {
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
