import FeedCore

/// Copies a WebP file with its image or frames, transparency and color profile. Exif, XMP, unknown chunks, and what
/// follows the end are removed. The file is read twice, because its size precedes its content.
struct WebPCopier<Source: ByteSource, Sink: ByteSink> {
    private(set) var stream: MediaStream<Source, Sink>
    private let limits: MediaLimits
    private(set) var content = WebPContent()
    /// The result of the first pass.
    private let size: UInt32
    private let hasProfile: Bool
    /// The bytes that remain of the file as it states its size.
    private var left: Int64 = 0

    static func copy(
        _ stream: inout MediaStream<Source, Sink>, _ limits: MediaLimits
    ) throws(MediaError) -> MediaInfo {
        var first = WebPCopier<Source, CountingSink>(MediaStream(stream.reader, CountingSink()), limits)
        try first.run()
        // The file itself states its size in 32 bits, and the copy is not larger.
        let size = UInt32(clamping: first.stream.sink.count - 8)
        var copier = WebPCopier(stream, limits, size: size, hasProfile: first.content.hasProfile)
        try copier.run()
        stream = copier.stream
        let content = copier.content
        return MediaInfo(
            .webp, width: content.width, height: content.height, isAnimated: content.frames.count > 1)
    }

    init(_ stream: MediaStream<Source, Sink>, _ limits: MediaLimits, size: UInt32 = 0, hasProfile: Bool = false) {
        self.stream = stream
        self.limits = limits
        self.size = size
        self.hasProfile = hasProfile
    }

    mutating func run() throws(MediaError) {
        let head = try stream.read(12)
        let stated = Int64(head.little(4, 4))
        guard stated >= 4 else { throw .damaged("its size is invalid") }
        guard stated - 4 <= stream.remaining else { throw .incomplete }
        left = stated - 4
        try stream.write(Array("RIFF".utf8) + size.littleEndianBytes + Array("WEBP".utf8))
        while left >= 8 { try copyChunk() }
        guard content.hasImage || content.frames.count > 0 else { throw .damaged("it contains no image") }
    }

    /// Reads the head of a chunk.
    private mutating func head() throws(MediaError) -> (type: String, length: Int64, bytes: ArraySlice<UInt8>) {
        guard left >= 8 else { throw .damaged("a chunk of the WebP file is invalid") }
        let bytes = try stream.read(8)
        left -= 8
        let length = Int64(bytes.little(4, 4))
        guard length <= left else { throw .damaged("a chunk of the WebP file is too long") }
        return (bytes.text(0, 4), length, bytes)
    }

    private mutating func copyChunk() throws(MediaError) {
        // Nothing but metadata may follow a simple image.
        let (type, length, bytes) = try head()
        guard content.width > 0 || ["VP8X", "VP8 ", "VP8L"].contains(type) else {
            throw .damaged("it does not start with its image")
        }
        switch type {
        case "VP8X": try copyCanvas(length, bytes)
        case "VP8 ", "VP8L": try copyImage(type, length, bytes)
        case "ANMF": try copyFrame(length, bytes)
        default:
            let isKept = self.isKept(type, length)
            if isKept { try stream.write(bytes) }
            try passContent(length, isKept: isKept)
        }
    }

    /// Copies or drops the content of a chunk and the byte that makes its length even.
    private mutating func passContent(_ length: Int64, isKept: Bool) throws(MediaError) {
        if isKept { try stream.copy(length) } else { try stream.skip(length) }
        left -= length
        guard length % 2 == 1 else { return }
        // The last byte of a file may be missing.
        if left > 0 {
            try stream.skip(1)
            left -= 1
        }
        if isKept { try stream.write([0]) }
    }

    private mutating func isKept(_ type: String, _ length: Int64) -> Bool {
        let isBeforeImage = content.isExtended && !content.hasImage && content.frames.count == 0
        switch type {
        case "ICCP" where isBeforeImage && !content.hasProfile && !content.hasAnimation:
            let sizes = Int64(MediaFormatLimits.profileHeader)...Int64(MediaFormatLimits.profileBytes)
            content.hasProfile = sizes.contains(length)
            return content.hasProfile
        case "ANIM" where isBeforeImage && content.isAnimated && !content.hasAnimation && length == 6:
            content.hasAnimation = true
            return true
        case "ALPH" where isBeforeImage && !content.isAnimated && !content.hasAlpha:
            content.hasAlpha = true
            return true
        default: return false
        }
    }

    private mutating func copyCanvas(_ length: Int64, _ bytes: ArraySlice<UInt8>) throws(MediaError) {
        guard length == 10, content.width == 0 else { throw .damaged("its header is invalid") }
        let canvas = try stream.read(10)
        left -= 10
        let flags = canvas.first ?? 0
        (content.width, content.height) = (canvas.little(4, 3) + 1, canvas.little(7, 3) + 1)
        try limits.check(width: content.width, height: content.height)
        content.isExtended = true
        content.isAnimated = flags & WebPChunk.animationFlag != 0
        let kept = flags & (WebPChunk.alphaFlag | WebPChunk.animationFlag) | (hasProfile ? WebPChunk.profileFlag : 0)
        try stream.write(bytes)
        try stream.write([kept, 0, 0, 0] + canvas.dropFirst(4))
    }

    private mutating func copyImage(
        _ type: String, _ length: Int64, _ bytes: ArraySlice<UInt8>
    ) throws(MediaError) {
        guard !content.hasImage, !content.isAnimated else { throw .damaged("it contains several images") }
        let size = try imageSize(type, length)
        if content.isExtended {
            guard size == (content.width, content.height) else { throw .damaged("its sizes differ") }
        } else {
            try limits.check(width: size.width, height: size.height)
            (content.width, content.height) = size
        }
        content.hasImage = true
        try stream.write(bytes)
        try passContent(length, isKept: true)
    }

    private mutating func imageSize(_ type: String, _ length: Int64) throws(MediaError) -> (width: Int, height: Int) {
        guard length >= WebPChunk.headLength(type) else { throw .damaged("its image data is invalid") }
        return try WebPChunk.size(type, stream.peek(WebPChunk.headLength(type)))
    }
}

// Animations.
extension WebPCopier {
    private mutating func copyFrame(_ length: Int64, _ bytes: ArraySlice<UInt8>) throws(MediaError) {
        guard content.hasAnimation, length >= 16 else { throw .damaged("its animation is invalid") }
        try stream.write(bytes)
        let head = try stream.pass(16)
        let (width, height) = (head.little(6, 3) + 1, head.little(9, 3) + 1)
        guard 2 * head.little(0, 3) + width <= content.width, 2 * head.little(3, 3) + height <= content.height else {
            throw .damaged("a frame is outside the image")
        }
        try content.frames.add(width: width, height: height)
        let after = left - length
        left = length - 16
        try copyFrameContent(width, height)
        left = after
        guard length % 2 == 1 else { return }
        if left > 0 {
            try stream.skip(1)
            left -= 1
        }
        try stream.write([0])
    }

    /// Copies the image of a frame, which transparency may precede. Nothing else is expected here.
    private mutating func copyFrameContent(_ width: Int, _ height: Int) throws(MediaError) {
        var (type, length, bytes) = try head()
        if type == "ALPH" {
            try stream.write(bytes)
            try passInner(length)
            (type, length, bytes) = try head()
        }
        guard type == "VP8 " || type == "VP8L", try imageSize(type, length) == (width, height) else {
            throw .damaged("the image of a frame is invalid")
        }
        try stream.write(bytes)
        try passInner(length)
        guard left == 0 else { throw .damaged("a frame contains more than its image") }
    }

    /// Copies the content of a chunk inside a frame, whose length does not change.
    private mutating func passInner(_ length: Int64) throws(MediaError) {
        try stream.copy(length)
        left -= length
        guard length % 2 == 1, left > 0 else { return }
        try stream.skip(1)
        try stream.write([0])
        left -= 1
    }
}

/// The chunks of a WebP file (RFC 9649).
private enum WebPChunk {
    static let animationFlag: UInt8 = 0x02
    static let alphaFlag: UInt8 = 0x10
    static let profileFlag: UInt8 = 0x20

    /// The size in pixels of a compressed image.
    /// - Parameter head: The first ten bytes of a `VP8 ` chunk (RFC 6386, 9.1), or the first five of a `VP8L` chunk
    ///   (RFC 9649, 3.4).
    static func size(_ type: String, _ head: ArraySlice<UInt8>) throws(MediaError) -> (width: Int, height: Int) {
        if type == "VP8L" {
            guard head.first == 0x2F else { throw .damaged("its image data is invalid") }
            let bits = head.little(1, 4)
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        let isKeyFrame = head.big(0, 1) & 1 == 0
        guard isKeyFrame, head.part(3, 3).elementsEqual([0x9D, 0x01, 0x2A]) else {
            throw .damaged("its image data is invalid")
        }
        return (head.little(6, 2) & 0x3FFF, head.little(8, 2) & 0x3FFF)
    }

    static func headLength(_ type: String) -> Int { type == "VP8L" ? 5 : 10 }
}

/// The chunks that have been copied to a WebP file.
struct WebPContent {
    var width = 0
    var height = 0
    /// Whether the file starts with `VP8X`.
    var isExtended = false
    var isAnimated = false
    var hasProfile = false
    var hasAnimation = false
    var hasAlpha = false
    var hasImage = false
    var frames = FrameCounter()
}
