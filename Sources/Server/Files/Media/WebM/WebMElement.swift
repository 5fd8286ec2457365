/// The elements of a WebM file that are kept (RFC 9559, 5). All others become `Void`, such as `Tags` and `Attachments`,
/// but also checksums, which would no longer be correct.
enum WebMElement {
    static let header: UInt32 = 0x1A45_DFA3
    static let segment: UInt32 = 0x1853_8067
    static let info: UInt32 = 0x1549_A966
    static let tracks: UInt32 = 0x1654_AE6B
    static let track: UInt32 = 0xAE
    static let video: UInt32 = 0xE0
    static let cluster: UInt32 = 0x1F43_B675
    static let blockGroup: UInt32 = 0xA0

    static let documentType: UInt32 = 0x4282
    static let trackType: UInt32 = 0x83
    static let codecPrivate: UInt32 = 0x63A2
    static let timestamp: UInt32 = 0xE7
    static let simpleBlock: UInt32 = 0xA3
    static let block: UInt32 = 0xA1
    static let timestampScale: UInt32 = 0x2AD7B1
    static let duration: UInt32 = 0x4489
    static let pixelWidth: UInt32 = 0xB0
    static let pixelHeight: UInt32 = 0xBA
    private static let seekHead: UInt32 = 0x114D_9B74
    private static let cues: UInt32 = 0x1C53_BB6B

    /// Elements that contain elements, by the element that contains them; 0 is the file.
    static let containers: [UInt32: Set<UInt32>] = [
        0: [header, segment], segment: [info, tracks, cluster], tracks: [track], track: [video], cluster: [blockGroup],
    ]

    /// Elements that follow a cluster of unknown size, and so end it.
    static let topLevel: Set<UInt32> = [
        seekHead, info, tracks, cluster, cues, 0x1043_A770, 0x1941_A469, 0x1254_C367,
    ]

    /// Elements without elements, and elements that are kept as a whole, by the element that contains them.
    static let leaves: [UInt32: Set<UInt32>] = [
        header: [0x4286, 0x42F7, 0x42F2, 0x42F3, documentType, 0x4287, 0x4285],
        segment: [seekHead, cues],
        info: [timestampScale, duration],
        track: [
            // TrackNumber, TrackUID, TrackType, FlagEnabled, FlagDefault, FlagForced, FlagLacing
            0xD7, 0x73C5, trackType, 0xB9, 0x88, 0x55AA, 0x9C,
            // DefaultDuration, Language, LanguageBCP47, CodecID, CodecPrivate, CodecDelay, SeekPreRoll
            0x23E383, 0x22B59C, 0x22B59D, 0x86, codecPrivate, 0x56AA, 0x56BB,
            // Audio, MaxBlockAdditionID, BlockAdditionMapping, ContentEncodings
            0xE1, 0x55EE, 0x41E4, 0x6D80,
        ],
        video: [
            // PixelWidth, PixelHeight, crops, DisplayWidth, DisplayHeight, DisplayUnit
            pixelWidth, pixelHeight, 0x54AA, 0x54BB, 0x54CC, 0x54DD, 0x54B0, 0x54BA, 0x54B2,
            // FlagInterlaced, FieldOrder, StereoMode, AlphaMode, Colour, Projection
            0x9A, 0x9D, 0x53B8, 0x53C0, 0x55B0, 0x7670,
        ],
        // Timestamp, Position, PrevSize, SimpleBlock
        cluster: [timestamp, 0xA7, 0xAB, simpleBlock],
        // Block, BlockAdditions, BlockDuration, ReferenceBlock, DiscardPadding
        blockGroup: [block, 0x75A1, 0x9B, 0xFB, 0x75A2],
    ]

    /// MuxingApp and WritingApp, which must be present, but may be empty.
    static let emptied: Set<UInt32> = [0x4D80, 0x5741]
}

/// The identifier and the size of an element (RFC 8794, 5 and 6).
struct EBMLHead {
    static let signature: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
    /// The largest number of bytes that identifier and size take.
    static let maximumLength = 12

    let id: UInt32
    /// The number of bytes of the content; `nil` if it is unknown.
    let size: Int64?
    /// The number of bytes of identifier and size.
    let length: Int

    /// - Returns: `nil` if the bytes are invalid or too few.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first, first >= 0x10 else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard let second = bytes.dropFirst(idLength).first, second > 0 else { return nil }
        let sizeLength = second.leadingZeroBitCount + 1
        guard bytes.count >= idLength + sizeLength else { return nil }
        id = UInt32(truncatingIfNeeded: bytes.prefix(idLength).bigEndian)
        let mask = UInt64(1) << (7 * UInt64(sizeLength)) - 1
        let value = bytes.part(idLength, sizeLength).bigEndian & mask
        // At most 56 bits.
        size = value == mask ? nil : Int64(value)
        length = idLength + sizeLength
    }

    /// The document type near the beginning of a file: `webm` or `matroska`.
    static func documentType(in head: [UInt8]) -> String? {
        let start = head.prefix(64)
        let mark = start.indices.first { start.dropFirst($0).starts(with: [0x42, 0x82]) }
        guard let mark, let head = EBMLHead(start.dropFirst(mark)), let size = head.size, size < 16 else { return nil }
        return start.text(mark + head.length, Int(size))
    }

    /// An element that has no meaning (11.3.1), in place of one with `total` bytes, of which there are at least two.
    static func void(_ total: Int64) -> (head: [UInt8], zeros: Int64) {
        guard total >= 9 else { return ([0xEC, 0x80 | UInt8(truncatingIfNeeded: total - 2)], total - 2) }
        let size = (0..<7).reversed().map { UInt8(truncatingIfNeeded: (total - 9) >> (8 * Int64($0))) }
        return ([0xEC, 0x01] + size, total - 9)
    }
}

/// The properties of a WebM file, from its elements.
struct WebMInfo {
    private(set) var documentType: String?
    private(set) var width: Int?
    private(set) var height: Int?
    /// The unit of ``duration`` in nanoseconds.
    private var scale: UInt64 = 1_000_000
    private var duration = 0.0
    /// Whether there is a track with pictures.
    private(set) var hasPictures = false
    /// The times at which a cluster and the last block start, in the same unit.
    private var clusterTime: Int64 = 0
    private var lastTime: Int64 = 0
    /// The number of bytes that are read of an element.
    static let maximumSize: Int64 = 16

    /// Milliseconds; `nil` if unknown. What has been recorded live does not state it; it ends after its last block.
    var milliseconds: Int64? {
        let value = (duration > 0 ? duration : Double(lastTime)) * Double(scale) / 1_000_000
        // The largest durations that are exact; NaN is excluded as well.
        return value >= 1 && value < 9e15 ? Int64(value) : nil
    }

    /// - Parameters:
    ///   - body: The content, or its first ``maximumSize`` bytes.
    ///   - isWhole: Whether that is all.
    mutating func read(_ id: UInt32, _ body: ArraySlice<UInt8>, isWhole: Bool) {
        switch id {
        case WebMElement.simpleBlock, WebMElement.block: readBlock(body)
        case _ where !isWhole: break
        case WebMElement.trackType: hasPictures = hasPictures || body.prefix(8).bigEndian == 1
        case WebMElement.timestamp:
            // Later times are clamped, so that the sum with the time of a block does not overflow.
            clusterTime = Int64(clamping: min(body.prefix(8).bigEndian, 1 << 50))
        case WebMElement.documentType: documentType = String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
        case WebMElement.timestampScale: scale = body.prefix(8).bigEndian
        case WebMElement.duration: duration = Self.float(body)
        case WebMElement.pixelWidth where width == nil: width = Self.size(body)
        case WebMElement.pixelHeight where height == nil: height = Self.size(body)
        default: break
        }
    }

    /// A block starts with the number of its track, and its time relative to that of the cluster (RFC 9559, 10.1).
    private mutating func readBlock(_ body: ArraySlice<UInt8>) {
        guard let first = body.first, first > 0 else { return }
        let time = body.part(first.leadingZeroBitCount + 1, 2)
        guard time.count == 2 else { return }
        let offset = Int16(truncatingIfNeeded: time.bigEndian)
        lastTime = max(lastTime, clusterTime + Int64(offset))
    }

    private static func float(_ body: ArraySlice<UInt8>) -> Double {
        switch body.count {
        case 4: Double(Float(bitPattern: UInt32(truncatingIfNeeded: body.bigEndian)))
        case 8: Double(bitPattern: body.bigEndian)
        default: 0
        }
    }

    private static func size(_ body: ArraySlice<UInt8>) -> Int? {
        let value = body.prefix(8).bigEndian
        return (1...UInt64(MediaFormatLimits.side)).contains(value) ? Int(value) : nil
    }
}
