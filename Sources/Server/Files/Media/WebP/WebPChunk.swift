/// The chunks of a WebP file (RFC 9649).
enum WebPChunk {
    static let animationFlag: UInt8 = 0x02
    static let alphaFlag: UInt8 = 0x10
    static let profileFlag: UInt8 = 0x20

    /// The size in pixels of a compressed image.
    /// - Parameter head: The first ten bytes of a `VP8 ` chunk (RFC 6386, 9.1), or the first five of a `VP8L` chunk
    ///   (RFC 9649, 3.4).
    static func size(_ type: String, _ head: ArraySlice<UInt8>) throws(MediaFault) -> (width: Int, height: Int) {
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
