import FeedCore

/// Copies a GIF file with its frames, their delays and the number of repetitions. Everything else is removed: comments,
/// texts, XMP and other extensions, and what follows the end.
///
/// As in Chromium, the first frame enlarges a logical screen that does not contain it, and later frames may exceed the
/// image, which cuts them. The copy states the enlarged size, so that all programs show the same.
struct GIFCopier<Source: ByteSource, Sink: ByteSink> {
    private var stream: MediaStream<Source, Sink>
    private let limits: MediaLimits
    private var width = 0
    private var height = 0
    private var frames = FrameCounter()
    /// The content of the graphic control extension of the next frame.
    private var control: [UInt8]?
    private var hasLoop = false

    static func copy(
        _ stream: inout MediaStream<Source, Sink>, _ limits: MediaLimits
    ) throws(MediaError) -> MediaInfo {
        var copier = GIFCopier(stream: stream, limits: limits)
        try copier.run()
        stream = copier.stream
        return MediaInfo(.gif, width: copier.width, height: copier.height, isAnimated: copier.frames.count > 1)
    }

    private init(stream: MediaStream<Source, Sink>, limits: MediaLimits) {
        self.stream = stream
        self.limits = limits
    }

    private mutating func run() throws(MediaError) {
        (width, height) = try GIFBlock.imageSize(stream.reader)
        try limits.check(width: width, height: height)
        let head = try stream.read(13)
        try stream.write(head.prefix(6) + GIFBlock.number(width) + GIFBlock.number(height) + head.dropFirst(10))
        try stream.copy(GIFBlock.tableLength(head.big(10, 1)))
        // Some programs omit the trailer.
        while frames.count == 0 || stream.remaining > 0, try copyBlock() {}
        guard frames.count > 0 else { throw .damaged("it contains no image") }
        try stream.write([GIFBlock.trailer])
    }

    /// - Returns: Whether another block may follow.
    private mutating func copyBlock() throws(MediaError) -> Bool {
        switch try stream.byte() {
        case GIFBlock.image: try copyImage()
        case GIFBlock.extension: try copyExtension()
        case GIFBlock.trailer: return false
        default: throw .damaged("a block of the GIF file is invalid")
        }
        return true
    }

    private mutating func copyImage() throws(MediaError) {
        let descriptor = try stream.read(9)
        let (frameWidth, frameHeight) = (descriptor.little(4, 2), descriptor.little(6, 2))
        guard frameWidth > 0, frameHeight > 0 else { throw .damaged("a frame is empty") }
        try limits.check(width: frameWidth, height: frameHeight, "frame")
        try frames.add(width: frameWidth, height: frameHeight)
        if let control { try stream.write([GIFBlock.extension, GIFBlock.control] + control) }
        control = nil
        try stream.write([GIFBlock.image] + descriptor)
        try stream.copy(GIFBlock.tableLength(descriptor.big(8, 1)))
        // The size of the first codes in bits.
        guard try (2...8).contains(stream.pass(1).big(0, 1)) else { throw .damaged("its compression is invalid") }
        while case let length = try stream.pass(1).big(0, 1), length > 0 { try stream.copy(length) }
    }

    private mutating func copyExtension() throws(MediaError) {
        switch try stream.byte() {
        case GIFBlock.control: try readControl()
        case GIFBlock.application: try copyApplication()
        case GIFBlock.text:
            // A text is a frame of its own, which browsers do not show.
            control = nil
            try skipSubblocks()
        default: try skipSubblocks()
        }
    }

    private mutating func readControl() throws(MediaError) {
        let bytes = try stream.read(6)
        guard bytes.first == 4, bytes.last == 0 else { throw .damaged("a block of the GIF file is invalid") }
        control = Array(bytes)
    }

    private mutating func copyApplication() throws(MediaError) {
        let name = try stream.peek(12)
        guard name.elementsEqual(GIFBlock.loopName), !hasLoop else { return try skipSubblocks() }
        try stream.skip(12)
        let loop = try stream.peek(5)
        if loop.starts(with: [3, 1]), loop.last == 0 {
            hasLoop = true
            try stream.write([GIFBlock.extension, GIFBlock.application] + GIFBlock.loopName + loop)
        }
        try skipSubblocks()
    }

    private mutating func skipSubblocks() throws(MediaError) {
        while case let length = try stream.byte(), length > 0 { try stream.skip(length) }
    }
}

/// The blocks of a GIF file (GIF89a, appendix A).
private enum GIFBlock {
    static let image: UInt8 = 0x2C
    static let `extension`: UInt8 = 0x21
    static let trailer: UInt8 = 0x3B
    static let control: UInt8 = 0xF9
    static let application: UInt8 = 0xFF
    static let text: UInt8 = 0x01
    /// The start of the extension that states the number of repetitions.
    static let loopName: [UInt8] = [11] + Array("NETSCAPE2.0".utf8)

    /// The size of a color table in bytes.
    /// - Parameter flags: The byte that says whether there is one.
    static func tableLength(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }

    /// - Parameter value: At most 65,535.
    static func number(_ value: Int) -> [UInt8] { Array(UInt32(value).littleEndianBytes.prefix(2)) }

    /// The size of the logical screen, enlarged to contain the first frame.
    /// - Parameter reader: At the beginning of the file.
    static func imageSize(
        _ reader: MediaReader<some ByteSource>
    ) throws(MediaError) -> (width: Int, height: Int) {
        var reader = reader
        let head = try reader.read(13)
        try reader.skip(Int64(tableLength(head.big(10, 1))))
        while true {
            switch try reader.byte() {
            case `extension`:
                try reader.skip(1)
                while case let length = try reader.byte(), length > 0 { try reader.skip(Int64(length)) }
            case image:
                let frame = try reader.read(9)
                return (
                    max(head.little(6, 2), frame.little(0, 2) + frame.little(4, 2)),
                    max(head.little(8, 2), frame.little(2, 2) + frame.little(6, 2))
                )
            case trailer: throw .damaged("it contains no image")
            default: throw .damaged("a block of the GIF file is invalid")
            }
        }
    }
}
