import CZlib
import FeedCore

/// Copies a PNG file with its critical, transparency, color and animation chunks, whose checksums are verified, and its
/// orientation. Everything else is removed: text, times, other Exif data, unknown chunks, and what follows the end of the
/// image.
struct PNGCopier<Source: ByteSource, Sink: ByteSink> {
    private var stream: MediaStream<Source, Sink>
    private let limits: MediaLimits
    private var width = 0
    private var height = 0
    private var color = 0
    private var animation: PNGAnimation?
    private var orientation: UInt8?
    /// The types of the chunks so far.
    private var seen: Set<String> = []
    private var last = ""

    static func copy(
        _ stream: inout MediaStream<Source, Sink>, _ limits: MediaLimits
    ) throws(MediaError) -> MediaInfo {
        var copier = PNGCopier(stream: stream, limits: limits)
        try copier.run()
        stream = copier.stream
        let isAnimated = (copier.animation?.frames.count ?? 1) > 1
        return MediaInfo(
            .png, width: copier.width, height: copier.height, orientation: Int(copier.orientation ?? 1),
            isAnimated: isAnimated)
    }

    private init(stream: MediaStream<Source, Sink>, limits: MediaLimits) {
        self.stream = stream
        self.limits = limits
    }

    private mutating func run() throws(MediaError) {
        try stream.pass(PNGChunk.signature.count)
        while last != PNGChunk.end { try copyChunk() }
        guard seen.contains(PNGChunk.data) else { throw .damaged("it contains no image") }
        try animation?.finish()
    }

    private mutating func copyChunk() throws(MediaError) {
        let head = try stream.read(8)
        let (length, type) = (head.big(0, 4), head.text(4, 4))
        guard PNGChunk.isValid(head.part(4, 4)), length <= Int(Int32.max), Int64(length) + 4 <= stream.remaining else {
            throw stream.remaining < Int64(length) + 4 ? .incomplete : .damaged("a chunk of the PNG file is invalid")
        }
        guard !seen.isEmpty || type == PNGChunk.header else { throw .damaged("it does not start with its header") }
        if try isKept(type, length, isCritical: PNGChunk.isCritical(head.part(4, 4))) {
            try stream.write(head)
            try copyContent(length, checksum: checksum(0, head.part(4, 4)))
            seen.insert(type)
        } else if type == PNGChunk.exif, orientation == nil {
            try copyOrientation(length, checksum: checksum(0, head.part(4, 4)))
        } else {
            try stream.skip(length + 4)
        }
        last = type
    }

    private mutating func copyContent(_ length: Int, checksum: UInt) throws(MediaError) {
        var (rest, sum) = (Int64(length), checksum)
        while rest > 0 {
            let piece = try stream.copySome(rest)
            rest -= Int64(piece.count)
            sum = self.checksum(sum, piece)
        }
        guard try stream.pass(4).bigEndian == UInt64(sum) else {
            throw .damaged("a checksum of the PNG file is wrong")
        }
    }

    /// Replaces Exif data with the orientation that it states, if the image is not upright. A chunk with a wrong checksum
    /// is removed, because decoders ignore it.
    private mutating func copyOrientation(_ length: Int, checksum: UInt) throws(MediaError) {
        // What precedes the first directory is short.
        let start = try stream.read(min(length, MediaFormatLimits.memory))
        var (rest, sum) = (length - start.count, self.checksum(checksum, start))
        while rest > 0 {
            let piece = try stream.read(min(rest, MediaFormatLimits.memory))
            rest -= piece.count
            sum = self.checksum(sum, piece)
        }
        guard try stream.read(4).bigEndian == UInt64(sum) else { return }
        orientation = Exif.orientation(inTIFF: start)
        guard let orientation, orientation > 1 else { return }
        let body = Array(PNGChunk.exif.utf8) + Exif.tiff(orientation: orientation)
        let written = UInt32(truncatingIfNeeded: self.checksum(0, body[...]))
        try stream.write(UInt32(body.count - 4).bigEndianBytes + body + written.bigEndianBytes)
    }

    private func checksum(_ sum: UInt, _ bytes: ArraySlice<UInt8>) -> UInt {
        bytes.withUnsafeBufferPointer { crc32(sum, $0.baseAddress, uInt($0.count)) }
    }

    /// Whether a chunk belongs into the copy.
    /// - Throws: ``MediaError`` if the file cannot be shown with or without it.
    private mutating func isKept(_ type: String, _ length: Int, isCritical: Bool) throws(MediaError) -> Bool {
        switch type {
        case PNGChunk.header: try addHeader(length)
        case PNGChunk.palette: try addPalette(length)
        case PNGChunk.data: try addData()
        case PNGChunk.end: guard length == 0 else { throw .damaged("its end is invalid") }
        case PNGChunk.animation: return try addAnimation(length)
        case PNGChunk.frame: return try addFrame(length)
        case PNGChunk.frameData: return try addFrameData(length)
        default:
            guard !isCritical else {
                throw .unsupported("The PNG file needs an unknown extension", hint: "Save the image as ordinary PNG.")
            }
            guard !seen.contains(type), !seen.contains(PNGChunk.data) else { return false }
            return PNGChunk.properties[type]?.contains(length) ?? false
        }
        return true
    }

    private mutating func addHeader(_ length: Int) throws(MediaError) {
        guard seen.isEmpty, length == 13 else { throw .damaged("its header is invalid") }
        let header = try stream.peek(13)
        (width, height, color) = (header.big(0, 4), header.big(4, 4), header.big(9, 1))
        try limits.check(width: width, height: height)
        let isKnown = PNGChunk.depths[color]?.contains(header.big(8, 1)) ?? false
        guard isKnown, header.big(10, 2) == 0, header.big(12, 1) <= 1 else { throw .damaged("its header is invalid") }
    }

    private func addPalette(_ length: Int) throws(MediaError) {
        let isFirst = !seen.contains(PNGChunk.palette) && !seen.contains(PNGChunk.data)
        guard isFirst, (1...256).contains(length / 3), length % 3 == 0 else { throw .damaged("its palette is invalid") }
    }

    private func addData() throws(MediaError) {
        guard last == PNGChunk.data || !seen.contains(PNGChunk.data) else {
            throw .damaged("its data is not continuous")
        }
        guard color != PNGChunk.paletteColor || seen.contains(PNGChunk.palette) else {
            throw .damaged("it has no palette")
        }
    }

    private mutating func addAnimation(_ length: Int) throws(MediaError) -> Bool {
        guard animation == nil, !seen.contains(PNGChunk.data) else { return false }
        guard length == 8 else { throw .damaged("its animation is invalid") }
        animation = try PNGAnimation(stream.peek(8), width: width, height: height)
        return true
    }

    private mutating func addFrame(_ length: Int) throws(MediaError) -> Bool {
        guard animation != nil else { return false }
        guard length == 26 else { throw .damaged("its animation is invalid") }
        try animation?.addFrame(stream.peek(26))
        return true
    }

    private mutating func addFrameData(_ length: Int) throws(MediaError) -> Bool {
        guard animation != nil else { return false }
        // Browsers accept a piece without data.
        guard length >= 4, seen.contains(PNGChunk.data) else { throw .damaged("its animation is invalid") }
        try animation?.addData(stream.peek(4))
        return true
    }
}

/// The state of an animation (PNG, third edition, 11.3.6).
private struct PNGAnimation {
    let width: Int
    let height: Int
    private(set) var frames = FrameCounter()
    private let statedFrames: Int
    private var sequence = 0
    private var isInFrame = false

    /// - Parameter chunk: The content of `acTL`.
    init(_ chunk: ArraySlice<UInt8>, width: Int, height: Int) throws(MediaError) {
        guard chunk.count == 8, chunk.big(0, 4) > 0 else { throw Self.invalid }
        self.width = width
        self.height = height
        statedFrames = chunk.big(0, 4)
    }

    private static let invalid = MediaError.damaged("its animation is invalid")

    /// - Parameter chunk: The content of `fcTL`.
    mutating func addFrame(_ chunk: ArraySlice<UInt8>) throws(MediaError) {
        let (width, height) = (chunk.big(4, 4), chunk.big(8, 4))
        guard chunk.count == 26, width > 0, height > 0, chunk.big(12, 4) + width <= self.width,
            chunk.big(16, 4) + height <= self.height
        else { throw Self.invalid }
        try advance(chunk)
        try frames.add(width: width, height: height)
        isInFrame = true
    }

    /// - Parameter number: The first four bytes of `fdAT`.
    mutating func addData(_ number: ArraySlice<UInt8>) throws(MediaError) {
        guard isInFrame else { throw Self.invalid }
        try advance(number)
    }

    private mutating func advance(_ number: ArraySlice<UInt8>) throws(MediaError) {
        guard number.big(0, 4) == sequence else { throw Self.invalid }
        sequence += 1
    }

    func finish() throws(MediaError) {
        guard frames.count == statedFrames else { throw Self.invalid }
    }
}

/// The chunks of a PNG file that are kept (PNG, third edition, 5.6).
enum PNGChunk {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static let header = "IHDR"
    static let palette = "PLTE"
    static let data = "IDAT"
    static let end = "IEND"
    static let animation = "acTL"
    static let frame = "fcTL"
    static let frameData = "fdAT"
    static let exif = "eXIf"

    /// Transparency and color, and the sizes that are valid. All precede the image data, each occurs once.
    static let properties: [String: ClosedRange<Int>] = [
        "tRNS": 1...256, "gAMA": 4...4, "cHRM": 32...32, "sRGB": 1...1, "sBIT": 1...4, "cICP": 4...4, "mDCV": 24...24,
        "cLLI": 8...8, "iCCP": 8...MediaFormatLimits.profileBytes,
    ]

    /// Whether a file cannot be shown without knowing the chunk: its first letter is a capital.
    static func isCritical(_ type: ArraySlice<UInt8>) -> Bool { (0x41...0x5A).contains(type.first ?? 0) }

    static func isValid(_ type: ArraySlice<UInt8>) -> Bool {
        type.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    }

    /// The valid bit depths by color type (11.2.1).
    static let depths: [Int: Set<Int>] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    static let paletteColor = 3
}
